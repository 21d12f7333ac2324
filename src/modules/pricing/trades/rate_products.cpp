#include "src/modules/pricing/trades/rate_products.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/trades/payment_currency.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {
namespace {

/// Number of whole periods between two dates; 0 if they are not whole.
Index whole_periods(double length, double period) {
  const double n = std::round(length / period);
  return n >= 1 && std::fabs(length / period - n) < 1e-6 * n + 1e-9 ? static_cast<Index>(n) : 0;
}

constexpr std::size_t header = 3, fields = 5;  // of TradeConfig::numbers
constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// A period of a leg, or of a bond. TradeConfig::numbers holds the spread or the coupon rate of a
/// fixed-rate bond, the numbers of floating and fixed
/// periods, and then these.
struct Period {
  double start, end, accrual, payment;
  double known_rate;  ///< the floating rate, without spread; not_known: fixed at the start
  bool is_known() const { return !std::isnan(known_rate); }
};

std::size_t count(const TradeConfig& t, bool is_fixed) {
  return static_cast<std::size_t>(t.numbers[is_fixed ? 2 : 1]);
}

Period period(const TradeConfig& t, bool is_fixed, std::size_t i) {
  const double* p = &t.numbers[header + fields * (i + (is_fixed ? count(t, false) : 0))];
  return {p[0], p[1], p[2], p[3], p[4]};
}

/// Calls use(period) for the periods of a leg.
template <class Use>
void for_each_period(const TradeConfig& t, bool is_fixed, const Use& use) {
  for (std::size_t i = 0; i < count(t, is_fixed); ++i) use(period(t, is_fixed, i));
}

double sign_of(const TradeConfig& t) { return t.call ? 1 : -1; }
double spread_of(const TradeConfig& t) { return t.numbers[0]; }

/// The value at `date` of a floating coupon whose rate is known.
RateTerm known_coupon(const TradeConfig& t, const ShortRateModel& model, double date,
                      const Period& p) {
  return model.value_at(date, p.payment, sign_of(t) * (p.known_rate + spread_of(t)) * p.accrual);
}

/// The value at `date` of a floating coupon.
void add_float_coupon(const TradeConfig& t, const ShortRateModel& model, double date,
                      const Period& p, std::vector<RateTerm>& terms) {
  if (p.is_known()) return terms.push_back(known_coupon(t, model, date, p));
  const double sign = sign_of(t);
  terms.push_back(model.growth_at(date, p.start, p.end, p.payment, sign));
  terms.push_back(model.value_at(date, p.payment, -sign));
  if (spread_of(t) != 0)
    terms.push_back(model.value_at(date, p.payment, sign * spread_of(t) * p.accrual));
}

RateTerm fixed_coupon(const TradeConfig& t, const ShortRateModel& model, double date,
                      const Period& p) {
  return model.value_at(date, p.payment, -sign_of(t) * t.strike * p.accrual);
}

const KeyInfo& dates_info(bool is_fixed) {
  static const KeyInfo info[] = {
      {.doc = "dates between the floating periods, increasing, in place of start, end and lengths; "
              "periods that have ended may be among them",
       .unit = "years",
       .minimum = -longest_maturity,
       .maximum = longest_maturity,
       .is_date = true},
      {.doc = "dates between the fixed periods, with float_dates",
       .unit = "years",
       .minimum = -longest_maturity,
       .maximum = longest_maturity,
       .is_date = true}};
  return info[is_fixed ? 1 : 0];
}

const KeyInfo& accruals_info(bool is_fixed) {
  static const KeyInfo info[] = {
      {.doc = "year fractions of the floating periods; by default their lengths",
       .unit = "years",
       .minimum = 0,
       .maximum = 100},
      {.doc = "year fractions of the fixed periods; by default their lengths",
       .unit = "years",
       .minimum = 0,
       .maximum = 100}};
  return info[is_fixed ? 1 : 0];
}

const KeyInfo& payments_info(bool is_fixed) {
  static const KeyInfo info[] = {
      {.doc = "dates at which the floating periods are paid; by default their ends",
       .unit = "years",
       .minimum = -longest_maturity,
       .maximum = longest_maturity,
       .is_date = true},
      {.doc = "dates at which the fixed periods are paid; by default their ends",
       .unit = "years",
       .minimum = -longest_maturity,
       .maximum = longest_maturity,
       .is_date = true}};
  return info[is_fixed ? 1 : 0];
}

void describe_dates(Section& s, TradeInput& t, SwapLegs legs) {
  SwapKeys& keys = t.swap;
  static const KeyInfo spread{
      .doc = "spread over the floating rate", .unit = "1/year", .minimum = -1, .maximum = 1};
  static const KeyInfo known_rates{
      .doc =
          "floating rates, without the spread, of the first periods that are not paid yet: those "
          "that began before today, and others whose rates are fixed already",
      .unit = "1/year",
      .minimum = -1,
      .maximum = 10};
  s.optional("float_dates", keys.float_dates, dates_info(false));
  s.optional("float_accruals", keys.float_accruals, accruals_info(false));
  s.optional("float_payments", keys.float_payments, payments_info(false));
  if (legs == SwapLegs::both) {
    s.optional("fixed_dates", keys.fixed_dates, dates_info(true));
    s.optional("fixed_accruals", keys.fixed_accruals, accruals_info(true));
    s.optional("fixed_payments", keys.fixed_payments, payments_info(true));
  }
  s.optional("spread", keys.spread, spread);
  s.optional("known_rates", keys.known_rates, known_rates);
}

/// Appends the whole periods from start to end.
void add_regular_periods(const Section& s, const SwapKeys& keys, const char* key, double length,
                         std::vector<double>& numbers) {
  const Index n = whole_periods(keys.end - keys.start, length);
  if (n == 0)
    s.fail(key, fmt::format("{:g} years from start to end are not a whole number of periods of "
                            "{:g} years",
                            keys.end - keys.start, length));
  const auto date = [&](Index i) {
    return keys.start + (keys.end - keys.start) * static_cast<double>(i) / static_cast<double>(n);
  };
  for (Index i = 0; i < n; ++i) {
    const double start = date(i), end = date(i + 1);
    numbers.insert(numbers.end(), {start, end, end - start, end, not_known});
  }
}

/// The keys of a leg with listed dates.
struct ListedLeg {
  const char *dates_key, *accruals_key, *payments_key;
  const std::vector<double>&dates, &accruals, &payments;
};

void check_listed(const Section& s, const ListedLeg& leg) {
  const std::size_t n = leg.dates.size();
  if (n < 2) s.fail(leg.dates_key, "a leg has at least two dates");
  for (std::size_t i = 1; i < n; ++i)
    if (leg.dates[i] - leg.dates[i - 1] <= same_date)
      s.fail(leg.dates_key, fmt::format("the dates must increase, and {:g} follows {:g}",
                                        leg.dates[i], leg.dates[i - 1]));
  for (const auto& [key, list] :
       {std::pair{leg.accruals_key, &leg.accruals}, std::pair{leg.payments_key, &leg.payments}})
    if (!list->empty() && list->size() != n - 1)
      s.fail(key, fmt::format("{} values for {} periods", list->size(), n - 1));
  for (std::size_t i = 0; i < leg.payments.size(); ++i)
    if (leg.payments[i] < leg.dates[i + 1] - same_date)
      s.fail(leg.payments_key,
             fmt::format("the payment at {:g} is before the end {:g} of its period",
                         leg.payments[i], leg.dates[i + 1]));
}

/// Appends the periods that are not paid yet.
void add_listed_periods(const Section& s, const ListedLeg& leg, TradeInput& t) {
  check_listed(s, leg);
  for (std::size_t i = 0; i + 1 < leg.dates.size(); ++i) {
    const double start = leg.dates[i], end = leg.dates[i + 1];
    const double payment = leg.payments.empty() ? end : leg.payments[i];
    if (payment <= same_date) continue;
    const double accrual = leg.accruals.empty() ? end - start : leg.accruals[i];
    t.numbers.insert(
        t.numbers.end(),
        {start, end, accrual, std::fabs(payment - end) <= same_date ? end : payment, not_known});
  }
}

void validate_leg(const Section& s, bool is_fixed, TradeInput& t) {
  const SwapKeys& keys = t.swap;
  const std::size_t before = t.numbers.size();
  if (keys.float_dates.empty())
    is_fixed ? add_regular_periods(s, keys, "fixed_period", keys.fixed_period, t.numbers)
             : add_regular_periods(s, keys, "float_period", keys.float_period, t.numbers);
  else if (is_fixed)
    add_listed_periods(s,
                       {"fixed_dates", "fixed_accruals", "fixed_payments", keys.fixed_dates,
                        keys.fixed_accruals, keys.fixed_payments},
                       t);
  else
    add_listed_periods(s,
                       {"float_dates", "float_accruals", "float_payments", keys.float_dates,
                        keys.float_accruals, keys.float_payments},
                       t);
  if (t.numbers.size() == before)
    s.fail(is_fixed ? "fixed_dates" : "float_dates", "every payment is in the past");
  const std::size_t periods = (t.numbers.size() - before) / fields;
  t.numbers[is_fixed ? 2 : 1] = static_cast<double>(periods);
}

/// Sets the known rates of the floating periods, the only ones so far.
void set_known_rates(const Section& s, TradeInput& t) {
  const std::vector<double>& rates = t.swap.known_rates;
  const std::size_t n = count(t, false);
  if (rates.size() > n)
    s.fail("known_rates",
           fmt::format("{} rates for {} periods that are not paid yet", rates.size(), n));
  for (std::size_t i = 0; i < n; ++i) {
    if (i < rates.size()) t.numbers[header + fields * i + 4] = rates[i];
    if (i >= rates.size() && t.numbers[header + fields * i] < -same_date)
      s.fail(rates.empty() ? "float_dates" : "known_rates",
             "a floating period that is not paid yet has begun before today",
             "give its rate in `known_rates`");
  }
}

/// Exactly one of the two forms of keys.
void check_form(const Section& s, SwapLegs legs, const SwapKeys& keys) {
  const bool is_listed = !keys.float_dates.empty();
  if (!is_listed && !s.has("end"))
    s.fail("", "missing key `end`: the end of the last period, or `float_dates` in its place");
  for (const char* key : {"start", "end", "float_period", "fixed_period"})
    if (is_listed && s.has(key))
      s.fail(key, fmt::format("`{}` cannot be combined with `float_dates`", key));
  if (is_listed && legs == SwapLegs::both && keys.fixed_dates.empty())
    s.fail("float_dates", "the dates of the fixed periods are missing", "add `fixed_dates`");
  for (const char* key : {"fixed_dates", "float_accruals", "fixed_accruals", "float_payments",
                          "fixed_payments", "known_rates"})
    if (!is_listed && s.has(key)) s.fail(key, fmt::format("`{}` needs `float_dates`", key));
}

const KeyInfo& rate_key() {
  static const KeyInfo key{.doc = "short rate, a name of [market.rates]"};
  return key;
}

const KeyInfo& end_key() {
  static const KeyInfo key{.doc = "end of the last period",
                           .unit = "years",
                           .minimum = 0,
                           .maximum = longest_maturity,
                           .exclusive_minimum = true,
                           .is_date = true};
  return key;
}

/// Sets the asset of the trade, which is the rate that `rate` names.
void find_rate(const Section& s, const MarketConfig& market, TradeInput& t) {
  const Index i = market.find(t.asset_name);
  if (i < 0 || !market.assets[static_cast<std::size_t>(i)].is_rate()) {
    std::vector<std::string> rates;
    for (const AssetConfig& asset : market.assets)
      if (asset.is_rate()) rates.push_back(asset.name);
    s.fail("rate", fmt::format("there is no [market.rates.{}]", excerpt(t.asset_name)),
           suggest_known(t.asset_name, rates, "the rates are"));
  }
  const AssetConfig& asset = market.assets[static_cast<std::size_t>(i)];
  if (!asset.problem.empty())
    s.fail("rate", fmt::format("rate `{}` cannot be used: {}", excerpt(asset.name), asset.problem));
  t.assets = {i};
  if (asset.short_rate->second) t.assets.push_back(asset.short_rate->second->asset);
  t.weights.assign(t.assets.size(), 1.0);
  if (t.conversion != Conversion::none ||
      (!t.currency_name.empty() &&
       require_currency(s, "currency", market, t.currency_name) != asset.currency))
    s.fail("currency",
           fmt::format("the rate `{}` is in {}, and its products are paid in that currency",
                       excerpt(asset.name), currency_name(market, asset.currency)),
           "leave `currency` and `conversion` out");
  t.currency_name.clear();
  validate_payment_currency(s, "rate", t);
}

/// ConfigError of `end_key` unless the last period ends after the first one begins.
void check_end(const Section& s, std::string_view end_key, const SwapKeys& keys) {
  if (!(keys.end > keys.start + same_date))
    s.fail(end_key, fmt::format("the end {:g} is not after the start {:g}", keys.end, keys.start));
}

std::size_t period_count(const std::vector<double>& numbers) {
  return (numbers.size() - header) / fields;
}

}  // namespace

void describe_expiry(Section& s, TradeInput& t) {
  static const KeyInfo maturity{.doc = "expiry, the last date of exercise",
                                .unit = "years",
                                .minimum = 0,
                                .maximum = longest_maturity,
                                .exclusive_minimum = true,
                                .is_date = true};
  s.required("maturity", t.maturity, maturity);
}

void describe_periods(Section& s, SwapKeys& keys) {
  static const KeyInfo float_period{
      .doc = "length of the floating periods", .unit = "years", .minimum = 1.0 / 52, .maximum = 10};
  static const KeyInfo fixed_period{
      .doc = "length of the fixed periods", .unit = "years", .minimum = 1.0 / 52, .maximum = 10};
  s.optional("float_period", keys.float_period, float_period);
  s.optional("fixed_period", keys.fixed_period, fixed_period);
}

std::vector<double> regular_periods(const Section& s, std::string_view end_key,
                                    const SwapKeys& keys) {
  check_end(s, end_key, keys);
  std::vector<double> numbers = {keys.spread, 0, 0};
  add_regular_periods(s, keys, "float_period", keys.float_period, numbers);
  const std::size_t floating = period_count(numbers);
  add_regular_periods(s, keys, "fixed_period", keys.fixed_period, numbers);
  numbers[1] = static_cast<double>(floating);
  numbers[2] = static_cast<double>(period_count(numbers) - floating);
  return numbers;
}

void describe_swap_terms(Section& s, TradeInput& t, SwapLegs legs, const char* default_start) {
  SwapKeys& keys = t.swap;
  static const KeyInfo strike{.doc = "fixed rate", .unit = "1/year", .minimum = -1, .maximum = 10};
  const KeyInfo start{.doc = std::string("start of the first period; by default ") + default_start,
                      .unit = "years",
                      .minimum = 0,
                      .maximum = longest_maturity,
                      .is_date = true};
  s.required("rate", t.asset_name, rate_key());
  s.required("strike", t.strike, strike);
  s.optional("end", keys.end, end_key());
  s.optional("start", keys.start, start);
  describe_periods(s, keys);
  describe_dates(s, t, legs);
}

void validate_swap_terms(const Section& s, const MarketConfig& market, SwapLegs legs,
                         TradeInput& t) {
  const SwapKeys& keys = t.swap;
  find_rate(s, market, t);
  check_form(s, legs, keys);
  if (keys.float_dates.empty()) check_end(s, "end", keys);
  t.numbers = {keys.spread, 0, 0};
  validate_leg(s, false, t);
  set_known_rates(s, t);
  if (legs == SwapLegs::both) validate_leg(s, true, t);
  t.start = t.numbers[header];
}

double last_payment(const TradeConfig& t) {
  double last = 0;
  for (std::size_t i = header; i < t.numbers.size(); i += fields)
    last = std::fmax(last, std::fmax(t.numbers[i + 1], t.numbers[i + 3]));
  return last;
}

double last_start(const TradeConfig& t, bool is_fixed) {
  return period(t, is_fixed, count(t, is_fixed) - 1).start;
}

double first_period_date(const TradeConfig& t) {
  double first = std::numeric_limits<double>::infinity();
  for (std::size_t i = header; i < t.numbers.size(); i += fields)
    for (const double date : {t.numbers[i], t.numbers[i + 3]})
      if (date > same_date) first = std::fmin(first, date);
  return first;
}

void bring_periods_closer(TradeConfig& t, const ShortRateModel& model, double years,
                          bool has_options) {
  const std::size_t floating_end = header + fields * count(t, false);
  // A swap that is entered today has the periods that begin today.
  const bool is_exercised_today =
      !t.exercise.dates.empty() && t.exercise.dates.front() <= same_date;
  for (std::size_t i = header; i < t.numbers.size(); i += fields) {
    double* const p = &t.numbers[i];
    const bool is_floating = i < floating_end, begins_today = std::fabs(p[0]) <= same_date;
    if (is_floating && begins_today && !has_options && std::isnan(p[4])) {
      const double growth = model.basis(p[0], p[1]) * model.discount(p[0]) / model.discount(p[1]);
      p[4] = growth - 1 + spread_of(t) * p[2] - spread_of(t);  // with the accrual 1
      p[2] = 1;
    }
    if (!begins_today || !(is_floating || is_exercised_today)) p[0] -= years;
    p[1] -= years;
    p[3] -= years;
  }
}

double coupon_of(const TradeConfig& t) { return t.numbers[0]; }

void describe_coupon(Section& s, TradeInput& t, const char* key, const char* doc) {
  t.numbers.assign(1, 0.0);
  s.optional(key, t.numbers.front(), {.doc = doc, .unit = "1/year", .minimum = -1, .maximum = 10});
}

void describe_bond_terms(Section& s, TradeInput& t) {
  static const KeyInfo start{.doc =
                                 "start of the first coupon period, which may be before today; by "
                                 "default today",
                             .unit = "years",
                             .minimum = -longest_maturity,
                             .maximum = longest_maturity,
                             .is_date = true};
  static const KeyInfo period{
      .doc = "length of the coupon periods", .unit = "years", .minimum = 1.0 / 52, .maximum = 10};
  s.required("rate", t.asset_name, rate_key());
  s.required("end", t.swap.end, end_key());
  s.optional("start", t.swap.start, start);
  s.optional("period", t.swap.fixed_period, period);
}

void validate_bond_terms(const Section& s, const MarketConfig& market, TradeInput& t) {
  SwapKeys& keys = t.swap;
  const double coupon = t.numbers.front();
  find_rate(s, market, t);
  check_end(s, "end", keys);
  // The notional of a zero-coupon bond is paid at the end, whatever the periods are.
  if (coupon == 0 && !t.floating && !s.has("period")) keys.fixed_period = keys.end - keys.start;
  if (keys.end <= same_date) s.fail("end", "the bond ends today");
  if (t.floating && keys.start < 0)
    s.fail("start", "a floating coupon that was fixed before today is not supported",
           "let the first period begin today or later, and add the coupon that is known");
  t.start = keys.start;
  t.numbers = {coupon, 0, 0};
  add_regular_periods(s, keys, "period", keys.fixed_period, t.numbers);
  t.numbers[t.floating ? 1 : 2] = static_cast<double>(period_count(t.numbers));
}

std::vector<RateTerm> remaining_bond(const TradeConfig& t, const ShortRateModel& model,
                                     double date) {
  std::vector<RateTerm> list;
  for_each_period(t, !t.floating, [&](const Period& p) {
    if (t.floating && p.start >= date - same_date) add_float_coupon(t, model, date, p, list);
    if (!t.floating && coupon_of(t) != 0 && p.payment > date + same_date)
      list.push_back(model.value_at(date, p.payment, coupon_of(t) * p.accrual));
  });
  list.push_back(model.value_at(date, last_payment(t), 1));
  return list;
}

double accrued_interest(const TradeConfig& t, double date) {
  double accrued = 0;
  if (!t.floating)
    for_each_period(t, true, [&](const Period& p) {
      if (p.start < date - same_date && p.end > date + same_date)
        accrued += coupon_of(t) * p.accrual * (date - p.start) / (p.end - p.start);
    });
  return accrued;
}

std::vector<double> float_fixings(const TradeConfig& t) {
  std::vector<double> dates;
  for_each_period(t, false, [&](const Period& p) {
    if (!p.is_known()) dates.push_back(p.start);
  });
  return dates;
}

std::vector<RateTerm> remaining_swap(const TradeConfig& t, const ShortRateModel& model,
                                     double date) {
  std::vector<RateTerm> list;
  for_each_period(t, false, [&](const Period& p) {
    if (p.start >= date - same_date) add_float_coupon(t, model, date, p, list);
  });
  for_each_period(t, true, [&](const Period& p) {
    if (p.start >= date - same_date) list.push_back(fixed_coupon(t, model, date, p));
  });
  return list;
}

std::vector<RateTerm> running_known_coupons(const TradeConfig& t, const ShortRateModel& model,
                                            double date) {
  const auto is_running = [&](const Period& p) {
    return p.start < date - same_date && p.payment > date + same_date;
  };
  std::vector<RateTerm> list;
  for_each_period(t, true, [&](const Period& p) {
    if (is_running(p)) list.push_back(fixed_coupon(t, model, date, p));
  });
  for_each_period(t, false, [&](const Period& p) {
    if (is_running(p) && p.is_known()) list.push_back(known_coupon(t, model, date, p));
  });
  return list;
}

std::vector<RateClaim> running_float_coupons(const TradeConfig& t, const ShortRateModel& model,
                                             double date) {
  std::vector<RateClaim> claims;
  for_each_period(t, false, [&](const Period& p) {
    if (p.start >= date - same_date || p.payment <= date + same_date || p.is_known()) return;
    claims.push_back({p.start, false, {}});
    add_float_coupon(t, model, p.start, p, claims.back().terms);
  });
  return claims;
}

std::vector<RateClaim> claims_of_running(std::vector<RateClaim> running, RateClaim later) {
  std::vector<RateClaim> claims;
  for (RateClaim& coupon : running)
    if (coupon.date > same_date)
      claims.push_back(std::move(coupon));
    else  // fixed today, so that its value is known
      for (const RateTerm& term : coupon.terms) later.terms.push_back({term.amount, 0});
  claims.push_back(std::move(later));
  return claims;
}

namespace {

/// The payment of a cap or floor for a period whose rate is known.
double known_payment(const TradeConfig& t, const Period& p) {
  const double rate = p.known_rate + spread_of(t);
  return std::fmax(sign_of(t) * (rate - t.strike), 0.0) * p.accrual;
}

RateClaim caplet(const TradeConfig& t, const ShortRateModel& model, const Period& p) {
  RateClaim claim{p.start, true, {}};
  add_float_coupon(t, model, p.start, p, claim.terms);
  claim.terms.push_back(fixed_coupon(t, model, p.start, p));
  return claim;
}

}  // namespace

RateValue cap_value(const TradeConfig& t, const ShortRateModel& model, double date) {
  RateValue value;
  RateClaim known{date, false, {}};
  for_each_period(t, false, [&](const Period& p) {
    if (p.payment <= date + same_date) return;
    if (p.is_known()) {
      known.terms.push_back(model.value_at(date, p.payment, known_payment(t, p)));
    } else if (p.start > same_date) {
      const bool is_later = p.start > date + same_date;
      (is_later ? value.options : value.decided).push_back(caplet(t, model, p));
    }
  });
  value.decided.push_back(std::move(known));
  return value;
}

std::vector<RateClaim> caplets(const TradeConfig& t, const ShortRateModel& model) {
  std::vector<RateClaim> claims;
  double known = 0;
  for_each_period(t, false, [&](const Period& p) {
    if (p.is_known()) known += known_payment(t, p) * model.discount(p.payment);
    if (p.is_known() || p.start <= same_date) return;
    claims.push_back(caplet(t, model, p));
  });
  if (known != 0) claims.push_back({claims.back().date, false, {{known, 0}}});
  return claims;
}

void set_claims(const std::vector<RateClaim>& claims, const MarketView& view, TradeSetup& p) {
  p.payoff = PayoffFormula::rate_claims;
  p.discount = 1;
  p.records.clear();
  p.numbers.clear();
  std::vector<double> terms;
  const std::size_t first = 3 * claims.size();
  for (const RateClaim& claim : claims) {
    p.records.push_back(record_at(*view.records, claim.date));
    p.numbers.push_back(static_cast<double>(first + terms.size()));
    p.numbers.push_back(static_cast<double>(claim.terms.size()));
    p.numbers.push_back(claim.is_option ? 1 : 0);
    for (const RateTerm& term : claim.terms) {
      terms.push_back(term.amount);
      terms.push_back(term.loading);
      if (p.assets.size() == 2) terms.push_back(term.second_loading);
    }
  }
  p.numbers.insert(p.numbers.end(), terms.begin(), terms.end());
}

bool are_certain(const TradeSetup& p) {
  if (p.payoff != PayoffFormula::rate_claims) return false;
  const std::size_t loadings = p.assets.size();
  for (std::size_t term = 3 * p.records.size(); term < p.numbers.size(); term += 1 + loadings)
    for (std::size_t i = 1; i <= loadings; ++i)
      if (p.numbers[term + i] != 0) return false;
  return true;
}

ShortRateModel model_of(const TradeConfig& t, const MarketView& view) {
  return {*view.market, view.asset(t.assets.front())};
}

void set_option_claim(const TradeConfig& t, const MarketView& view, ExercisedTerms exercised,
                      TradeSetup& p) {
  set_claims({{t.maturity, true, exercised(t, model_of(t, view), t.maturity)}}, view, p);
}

double option_value(const TradeConfig& t, const MarketView& view, ExercisedTerms exercised) {
  const ShortRateModel model = model_of(t, view);
  return model.expectation(exercised(t, model, t.maturity), t.maturity, true);
}

}  // namespace gsim::pricing
