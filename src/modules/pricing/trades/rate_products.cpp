#include "src/modules/pricing/trades/rate_products.hpp"

#include <cmath>

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

/// Start or end number i of n periods.
double period_date(const SwapTerms& terms, Index i, Index n) {
  return terms.start + (terms.end - terms.start) * static_cast<double>(i) / static_cast<double>(n);
}

/// Calls use(start, end) for the periods.
template <class Use>
void for_each_period(const SwapTerms& terms, double period, const Use& use) {
  const Index n = whole_periods(terms.end - terms.start, period);
  for (Index i = 0; i < n; ++i) use(period_date(terms, i, n), period_date(terms, i + 1, n));
}

/// The value at `date` of a floating coupon: one that pays L, the forward rate at `start`.
void add_float_coupon(const HullWhite& model, double date, double start, double end, double sign,
                      std::vector<RateTerm>& terms) {
  terms.push_back(model.value_at(date, start, sign * model.basis(start, end)));
  terms.push_back(model.value_at(date, end, -sign));
}

double sign_of(const TradeConfig& t) { return t.call ? 1 : -1; }

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
  t.weights = {1};
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

/// ConfigError unless the trade ends after its start, after a whole number of periods.
void check_periods(const Section& s, const SwapTerms& terms, std::string_view key, double period) {
  if (!(terms.end > terms.start + same_date))
    s.fail("end", fmt::format("the end {:g} is not after the start {:g}", terms.end, terms.start));
  if (whole_periods(terms.end - terms.start, period) == 0)
    s.fail(key, fmt::format("{:g} years from start to end are not a whole number of periods of "
                            "{:g} years",
                            terms.end - terms.start, period));
}

}  // namespace

SwapTerms swap_terms(const TradeConfig& t) {
  return {t.start, t.numbers[0], t.numbers[1], t.numbers[2]};
}

void describe_swap_terms(Section& s, TradeInput& t, const char* default_start) {
  SwapTerms& terms = t.swap;
  static const KeyInfo strike{.doc = "fixed rate", .unit = "1/year", .minimum = -1, .maximum = 10};
  const KeyInfo start{.doc = std::string("start of the first period; by default ") + default_start,
                      .unit = "years",
                      .minimum = 0,
                      .maximum = longest_maturity,
                      .is_date = true};
  static const KeyInfo float_period{
      .doc = "length of the floating periods", .unit = "years", .minimum = 1.0 / 52, .maximum = 10};
  static const KeyInfo fixed_period{
      .doc = "length of the fixed periods", .unit = "years", .minimum = 1.0 / 52, .maximum = 10};
  s.required("rate", t.asset_name, rate_key());
  s.required("strike", t.strike, strike);
  s.required("end", terms.end, end_key());
  s.optional("start", terms.start, start);
  s.optional("float_period", terms.float_period, float_period);
  s.optional("fixed_period", terms.fixed_period, fixed_period);
}

void validate_swap_terms(const Section& s, const MarketConfig& market, TradeInput& t) {
  const SwapTerms& terms = t.swap;
  find_rate(s, market, t);
  check_periods(s, terms, "float_period", terms.float_period);
  check_periods(s, terms, "fixed_period", terms.fixed_period);
  t.start = terms.start;
  t.numbers = {terms.end, terms.float_period, terms.fixed_period};
}

double coupon_of(const TradeConfig& t) { return t.numbers[3]; }

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
  SwapTerms& terms = t.swap;
  const double coupon = t.numbers.front();
  find_rate(s, market, t);
  // The notional of a zero-coupon bond is paid at the end, whatever the periods are.
  if (coupon == 0 && !t.floating && !s.has("period")) terms.fixed_period = terms.end - terms.start;
  check_periods(s, terms, "period", terms.fixed_period);
  if (terms.end <= same_date) s.fail("end", "the bond ends today");
  if (t.floating && terms.start < 0)
    s.fail("start", "a floating coupon that was fixed before today is not supported",
           "let the first period begin today or later, and add the coupon that is known");
  terms.float_period = terms.fixed_period;
  t.start = terms.start;
  t.numbers = {terms.end, terms.float_period, terms.fixed_period, coupon};
}

std::vector<RateTerm> remaining_bond(const TradeConfig& t, const HullWhite& model, double date) {
  const SwapTerms terms = swap_terms(t);
  const double coupon = coupon_of(t);
  std::vector<RateTerm> list;
  for_each_period(terms, terms.fixed_period, [&](double start, double end) {
    if (coupon != 0 && end > date + same_date)
      list.push_back(model.value_at(date, end, coupon * (end - start)));
    if (t.floating && start >= date - same_date) add_float_coupon(model, date, start, end, 1, list);
  });
  list.push_back(model.value_at(date, terms.end, 1));
  return list;
}

std::vector<double> float_fixings(const TradeConfig& t) {
  const SwapTerms terms = swap_terms(t);
  std::vector<double> dates;
  for_each_period(terms, terms.float_period, [&](double start, double) { dates.push_back(start); });
  return dates;
}

std::vector<RateTerm> remaining_swap(const TradeConfig& t, const HullWhite& model, double date) {
  const SwapTerms terms = swap_terms(t);
  std::vector<RateTerm> list;
  for_each_period(terms, terms.float_period, [&](double start, double end) {
    if (start >= date - same_date) add_float_coupon(model, date, start, end, sign_of(t), list);
  });
  for_each_period(terms, terms.fixed_period, [&](double start, double end) {
    if (start >= date - same_date)
      list.push_back(model.value_at(date, end, -sign_of(t) * t.strike * (end - start)));
  });
  return list;
}

std::vector<RateTerm> running_fixed_coupons(const TradeConfig& t, const HullWhite& model,
                                            double date) {
  const SwapTerms terms = swap_terms(t);
  std::vector<RateTerm> list;
  for_each_period(terms, terms.fixed_period, [&](double start, double end) {
    if (start < date - same_date && end > date + same_date)
      list.push_back(model.value_at(date, end, -sign_of(t) * t.strike * (end - start)));
  });
  return list;
}

RateClaim running_float_coupon(const TradeConfig& t, const HullWhite& model, double date) {
  const SwapTerms terms = swap_terms(t);
  RateClaim claim;
  for_each_period(terms, terms.float_period, [&](double start, double end) {
    if (start >= date - same_date || end <= date + same_date) return;
    claim.date = start;
    add_float_coupon(model, start, start, end, sign_of(t), claim.terms);
  });
  return claim;
}

std::vector<RateClaim> caplets(const TradeConfig& t, const HullWhite& model) {
  const SwapTerms terms = swap_terms(t);
  std::vector<RateClaim> claims;
  for_each_period(terms, terms.float_period, [&](double start, double end) {
    if (start <= same_date) return;
    RateClaim claim{start, true, {}};
    add_float_coupon(model, start, start, end, sign_of(t), claim.terms);
    claim.terms.push_back(model.value_at(start, end, -sign_of(t) * t.strike * (end - start)));
    claims.push_back(std::move(claim));
  });
  return claims;
}

void set_claims(const std::vector<RateClaim>& claims, const MarketView& view, TradeSetup& p) {
  p.payoff = PayoffFormula::rate_claims;
  p.discount = 1;
  p.records.clear();
  p.numbers.clear();
  std::vector<double> pairs;
  const std::size_t first = 3 * claims.size();
  for (const RateClaim& claim : claims) {
    p.records.push_back(record_at(*view.records, claim.date));
    p.numbers.push_back(static_cast<double>(first + pairs.size()));
    p.numbers.push_back(static_cast<double>(claim.terms.size()));
    p.numbers.push_back(claim.is_option ? 1 : 0);
    for (const RateTerm& term : claim.terms) {
      pairs.push_back(term.amount);
      pairs.push_back(term.loading);
    }
  }
  p.numbers.insert(p.numbers.end(), pairs.begin(), pairs.end());
}

bool are_certain(const TradeSetup& p) {
  if (p.payoff != PayoffFormula::rate_claims) return false;
  for (std::size_t i = 3 * p.records.size() + 1; i < p.numbers.size(); i += 2)
    if (p.numbers[i] != 0) return false;
  return true;
}

HullWhite model_of(const TradeConfig& t, const MarketView& view) {
  return {*view.market, view.asset(t.assets.front())};
}

}  // namespace gsim::pricing
