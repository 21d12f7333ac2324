#pragma once
// What swaps, caps, floors, swaptions and bonds share: their keys, and their payments as claims on
// the state of a short rate (market/short_rate_model.hpp). Times are years. A floating period pays
// its forward rate, times its year fraction, for which D(start) / D(end) - 1 of the forecast curve
// is taken: the day count of the rate is that of the payments. A payment after the end of its
// period is worth the forward rate times the discount factor of the payment, without a convexity
// adjustment.

#include <vector>

#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/market/short_rate_model.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"
#include "src/modules/pricing/trades/trade_setup.hpp"

namespace gsim::pricing {

/// The key `maturity` of an option, its last date of exercise.
void describe_expiry(Section& section, TradeInput& trade);
/// The keys of the lengths of the periods of a swap.
void describe_periods(Section& section, SwapKeys& keys);
/// The numbers of TradeConfig for a swap with whole periods of these lengths. ConfigError if they
/// are not whole, or, with the key `end_key`, if the swap ends before its start.
std::vector<double> regular_periods(const Section& section, std::string_view end_key,
                                    const SwapKeys& keys);

/// Keys of the swap, into trade.swap; `default_start` documents the default of start. A cap has no
/// fixed periods.
enum class SwapLegs { both, floating };
void describe_swap_terms(Section& section, TradeInput& trade, SwapLegs legs,
                         const char* default_start);
/// Sets assets, weights, start (of the first period) and numbers (the periods) of the trade; strike
/// is the fixed rate, and call whether it is paid. ConfigError unless `rate` is one of
/// [market.rates], and the periods are whole.
void validate_swap_terms(const Section& section, const MarketConfig& market, SwapLegs legs,
                         TradeInput& trade);

/// A coupon rate, or a spread, of a bond, into trade.numbers.
void describe_coupon(Section& section, TradeInput& trade, const char* key, const char* doc);
/// The coupon rate or spread of a bond that was validated.
double coupon_of(const TradeConfig& trade);
/// The other keys of a bond, into trade.swap.
void describe_bond_terms(Section& section, TradeInput& trade);
/// As validate_swap_terms(), for a bond, whose periods may have begun before today. ConfigError if
/// it has ended, or if a floating coupon was fixed before today.
void validate_bond_terms(const Section& section, const MarketConfig& market, TradeInput& trade);

/// The last payment of the swap or bond.
double last_payment(const TradeConfig& trade);
/// The start of the last fixed or floating period.
double last_start(const TradeConfig& trade, bool is_fixed);

/// A claim at a date: the sum of its terms or, of an option, the positive part of that.
struct RateClaim {
  double date = 0;
  bool is_option = false;
  std::vector<RateTerm> terms;
};

/// The value of a trade at a date, without early exercise.
struct RateValue {
  std::vector<RateClaim> decided;  ///< what the path until the date decides
  /// Options that are exercised later; their expectations given the state at the date are values.
  std::vector<RateClaim> options;
};

/// The values at `date` of the swap's coupons whose periods start at `date` or later, per unit
/// notional, to the payer of the fixed rate or the receiver.
std::vector<RateTerm> remaining_swap(const TradeConfig& trade, const ShortRateModel& model,
                                     double date);
/// The coupons whose periods have begun before `date`, that are paid after it, and whose amounts
/// are known today, at `date`: fixed ones, and floating ones with a known rate.
std::vector<RateTerm> running_known_coupons(const TradeConfig& trade, const ShortRateModel& model,
                                            double date);
/// The floating coupons without known rates whose periods begin before `date` and that are paid
/// after it, each at its fixing, which is the date of the claim. There are several where payments
/// are later than the ends of their periods.
std::vector<RateClaim> running_float_coupons(const TradeConfig& trade, const ShortRateModel& model,
                                             double date);
/// The running coupons and then `later`, to which those that are fixed today are added, since their
/// values are known.
std::vector<RateClaim> claims_of_running(std::vector<RateClaim> running, RateClaim later);
/// The values at `date` of the notional and of the bond's coupons that are paid after it, per unit
/// of notional; of floating coupons those that are fixed at `date` or later.
std::vector<RateTerm> remaining_bond(const TradeConfig& trade, const ShortRateModel& model,
                                     double date);
/// The interest of a fixed-rate bond, per unit of notional, that has accrued at `date` since the
/// start of the coupon period; 0 for floating-rate bonds.
double accrued_interest(const TradeConfig& trade, double date);
/// The optional coupons of a cap (trade.call) or floor that are fixed after today, and the value of
/// those whose rates are known.
std::vector<RateClaim> caplets(const TradeConfig& trade, const ShortRateModel& model);
/// The value at `date` of a cap or floor: of the coupons that are fixed and not paid yet, and of
/// those that are fixed later.
RateValue cap_value(const TradeConfig& trade, const ShortRateModel& model, double date);
/// The first date after today at which a period begins or is paid.
double first_period_date(const TradeConfig& trade);
/// Brings the dates of the periods closer by `years`. The rates of floating periods that begin
/// today stay those of `model`, the model before time passes; with `has_options`, where these
/// periods have no option, they are not needed.
void bring_periods_closer(TradeConfig& trade, const ShortRateModel& model, double years,
                          bool has_options);
/// Starts of the floating periods whose rates are not known.
std::vector<double> float_fixings(const TradeConfig& trade);

/// Whether the claims of a set-up do not depend on the path.
bool are_certain(const TradeSetup& setup);
/// Sets formula, records and numbers of the payoff. Amounts are in units of the numeraire, so that
/// they are not discounted any more.
void set_claims(const std::vector<RateClaim>& claims, const MarketView& view, TradeSetup& setup);
/// The model of the trade's rate.
ShortRateModel model_of(const TradeConfig& trade, const MarketView& view);

/// What an option receives at exercise at `date`, and pays where it is negative.
using ExercisedTerms = std::vector<RateTerm> (*)(const TradeConfig& trade,
                                                 const ShortRateModel& model, double date);
/// The claim of an option that is exercised at the maturity, and its value today.
void set_option_claim(const TradeConfig& trade, const MarketView& view, ExercisedTerms exercised,
                      TradeSetup& setup);
double option_value(const TradeConfig& trade, const MarketView& view, ExercisedTerms exercised);

}  // namespace gsim::pricing
