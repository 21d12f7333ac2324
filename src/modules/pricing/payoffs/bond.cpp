// Bonds: zero-coupon, fixed and floating.

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/rate_products.hpp"

namespace gsim::pricing {
namespace bond_payoff {
namespace {

constexpr std::string_view exercisers[] = {"holder", "issuer"};

// The rights of callable and puttable bonds.
void describe_rights(Section& s, TradeInput& t) {
  static const KeyInfo who{
      .doc =
          "whose right early exercise is: that of the holder to be repaid (a puttable bond), or "
          "that of the issuer to repay (a callable bond)"};
  static const KeyInfo prices{
      .doc =
          "with early exercise: what is repaid per unit of notional, besides the interest that "
          "has accrued; one number, or one for each of `exercise_dates`",
      .minimum = 0,
      .maximum = 100,
      .min_size = 1};
  int by = 0;
  s.optional_word("exercised_by", by, exercisers, who);
  t.exercise.by_issuer = by == 1;
  t.exercise.prices = {1.0};
  s.optional("exercise_prices", t.exercise.prices, prices);
}

void describe(Section& s, TradeInput& t) {
  s.alternatives(
      "kind",
      {{"fixed", "fixed coupons at the rate `coupon`; 0: a zero-coupon bond",
        [&](Section& q) { describe_coupon(q, t, "coupon", "coupon rate"); }},
       {"floating", "the forward rate of each period, fixed at its beginning, plus `spread`",
        [&](Section& q) {
          describe_coupon(q, t, "spread", "spread over the forward rate");
          t.floating = true;
        }}},
      0, {.doc = "kind of coupons"});
  describe_bond_terms(s, t);
  describe_rights(s, t);
}

void check_exercise(const Section& s, TradeInput& t) {
  ExerciseTerms& exercise = t.exercise;
  if (!exercise.is_early()) {
    for (const char* key : {"exercised_by", "exercise_prices"})
      if (s.has(key))
        s.fail(key, fmt::format("`{}` needs early exercise", key),
               "add exercise = \"bermudan\" with its dates");
    exercise.prices.clear();
    return;
  }
  const std::vector<double>& prices = exercise.prices;
  if (!std::all_of(prices.begin(), prices.end(), [](double p) { return p > 0; }))
    s.fail("exercise_prices", "the prices must be above 0");
  if (prices.size() > 1 && prices.size() != t.exercise_dates.size())
    s.fail("exercise_prices",
           fmt::format("{} prices for {} exercise dates", prices.size(), t.exercise_dates.size()),
           "give one price for each of `exercise_dates`, or one for all dates");
  if (prices.size() > 1 && prices.back() != 1 &&
      std::fabs(t.exercise_dates.back() - t.swap.end) <= same_date)
    s.fail("exercise_prices",
           fmt::format("the price {:g} is that of the bond's end, at which it repays its notional",
                       prices.back()),
           "leave the end out of `exercise_dates`, and its price out of `exercise_prices`");
  if (t.floating) {
    const std::vector<double> starts = float_fixings(t);
    for (const double date : t.exercise_dates)
      if (std::none_of(starts.begin(), starts.end(),
                       [&](double d) { return std::fabs(d - date) <= same_date; }))
        s.fail("exercise_dates",
               fmt::format("{:g} is not the start of a coupon period, and a floating-rate bond can "
                           "be exercised only there: within a period its coupon is already fixed",
                           date));
    if (t.exercise_dates.empty())
      s.fail("exercise", "a floating-rate bond can be exercised at starts of coupon periods only",
             "set exercise = \"bermudan\", and list them in `exercise_dates`");
  }
  if (exercise.by_issuer) t.quantity = -t.quantity;
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_bond_terms(s, market, t);
  t.maturity = t.swap.end;
}

double value_of_all(const TradeConfig& t, const ShortRateModel& model) {
  double value = 0;
  for (const RateTerm& term : remaining_bond(t, model, 0)) value += term.amount;
  return value;
}

void change_sign(std::vector<RateTerm>& terms) {
  for (RateTerm& term : terms) term.amount = -term.amount;
}

/// A bond that is repaid at `date`: its value today, and the price less what it is worth then. By
/// optional stopping the coupons until then are worth the difference of the two values, so that
/// only what exercise changes is random.
RateClaim repaid(const TradeConfig& t, const ShortRateModel& model, double date) {
  RateClaim claim{date, false, remaining_bond(t, model, date)};
  change_sign(claim.terms);
  claim.terms.push_back(
      model.value_at(date, date, t.exercise.redemption + accrued_interest(t, date)));
  claim.terms.push_back({value_of_all(t, model), 0});
  return claim;
}

/// The whole bond has a certain value. A bond whose maturity was brought forward pays what it is
/// worth at that date.
void set_up(const TradeConfig& t, const MarketView& view, const Observations&, TradeSetup& p) {
  const ShortRateModel model = model_of(t, view);
  const double date = t.maturity;
  const bool is_repaid_early = t.exercise.redemption > 0;
  if (is_repaid_early || date >= last_payment(t) - same_date) {
    RateClaim claim = is_repaid_early ? repaid(t, model, date)
                                      : RateClaim{date, false, {{value_of_all(t, model), 0}}};
    if (t.exercise.by_issuer) change_sign(claim.terms);
    return set_claims({std::move(claim)}, view, p);
  }
  RateClaim later{date, false, remaining_bond(t, model, date)};
  set_claims(claims_of_running(running_float_coupons(t, model, date), std::move(later)), view, p);
}

std::optional<double> value(const TradeConfig& t, const MarketView& view, const TradeSetup&) {
  return value_of_all(t, model_of(t, view));
}

std::vector<double> dates(const TradeConfig& t) {
  return t.floating ? float_fixings(t) : std::vector<double>();
}

std::string name(const TradeConfig& t) {
  const std::string right = !t.exercise.is_early() ? ""
                            : t.exercise.by_issuer ? "callable "
                                                   : "puttable ";
  if (t.floating) return right + "floating-rate bond";
  return right + (coupon_of(t) == 0 ? "zero-coupon bond" : "fixed-rate bond");
}

}  // namespace
}  // namespace bond_payoff

void register_bond(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = bond_payoff::describe,
      .validate = bond_payoff::validate,
      .name = bond_payoff::name,
      .set_up = bond_payoff::set_up,
      .value = bond_payoff::value,
      .dates = bond_payoff::dates,
      .has_control = false,
      .is_tiltable = false,
      .has_either_sign = true,
      .matures_at_value = true,
      .is_exercisable = true,
      .check_exercise = bond_payoff::check_exercise,
      .is_lipschitz = true,
  };
  registry.extend(PayoffKind{
      .name = "bond", .doc = "bond with fixed, floating or no coupons", .functions = &functions});
}

}  // namespace gsim::pricing
