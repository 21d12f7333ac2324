#pragma once
// The numerical form of a trade, from which the tables of kernels are computed: validated, in years
// and units of currency, per unit notional.

#include <memory>
#include <string>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/pricing/payoff_kind.hpp"
#include "kernels/pricing/payoffs/payoff_formula.hpp"

namespace gsim::pricing {

struct ExerciseSetup;

/// The extreme of the path that a barrier or lookback monitors: an up barrier the maximum, a down
/// barrier the minimum.
enum class Extreme { none, maximum, minimum };

/// One trade, per unit notional, in the form that payoff kernels read. Dates at time 0 never appear
/// in `records`: set-up turns a fixing today into a past one (past_*), a forward start today into a
/// vanilla. Payoffs, with S the underlying, T the last of `records`, D = `discount`:
///   vanilla            D max(sign (S_T - strike), 0)
///   forward            D (S_T - strike)
///   cash_digital       D cash [sign (S_T - strike) > 0]
///   asset_digital      D S_T [sign (S_T - strike) > 0]
///   forward_start      D max(sign (S_T - strike S_first), 0)
///   cliquet            D clip(past_sum + sum_k clip(sign (S_k / S_k-1 - strike), local_floor,
///                      local_cap), global_floor, global_cap), clip(x, a, b) = min(max(x, a), b).
///                      S_0 of the first period is past_last where that is > 0, else the first
///                      record. Absent limits are -+infinity.
///   asian, price       D max(sign (A - strike), 0)
///   asian, strike      D max(sign (S_T - A), 0)
///                      Arithmetic A = (past_sum + sum S) / (past_count + n); geometric A =
///                      exp((past_sum + sum ln S) / (past_count + n)). With fixing_weights, w_k S_k
///                      replaces S_k and the denominator is 1 (past_sum is then weighted already).
///   barrier            as vanilla at T while (out) or once (in) the barrier is touched (up: S >=
///                      barrier, down: S <= barrier); else D rebate. See the fields below.
///   lookback_fixed     call D max(M - strike, 0), put D max(strike - m, 0)
///   lookback_floating  call D (S_T - m), put D (M - S_T); M, m include past_maximum, past_minimum
///   variance_swap      D sign (annualisation (past_sum + sum (ln S_k / S_k-1)^2) - strike), S_0 as
///                      for cliquets
struct TradeSetup {
  std::string name;  ///< used in messages
  PayoffFormula payoff = PayoffFormula::vanilla;
  Combination combination = Combination::single;
  double sign = 1;                     ///< +1 call, -1 put
  std::vector<Index> assets;           ///< indices into Simulation::assets
  std::vector<double> weights;         ///< one per asset; spread: +1, -1
  std::vector<Index> records;          ///< indices of the fixing dates, increasing
  std::vector<double> fixing_weights;  ///< empty: equal
  double strike = 0;            ///< or moneyness (forward_start, cliquet), or variance strike
  bool average_strike = false;  ///< asian: the average replaces the strike, not S_T
  double cash = 1;              ///< cash_digital
  // fixings before today, of asians, lookbacks, barriers and variance swaps
  Index past_count = 0;
  /// Sum over the past of spots (arithmetic), log spots (geometric), squared log returns (variance
  /// swap) or clipped returns (cliquet).
  double past_sum = 0;
  double past_maximum = 0, past_minimum = 0;  ///< extremes of past spots; used if past_count > 0
  double past_last = 0;                       ///< last known spot (variance swap, cliquet), 0: none
  // barrier, lookback: `continuous` uses the extremes of the path between recorded dates, the start
  // and S(0) included, and `records` then holds every record of the grid up to T; discrete uses the
  // spots at `records` alone. Past extremes count in both. Only Combination::single is continuous.
  double barrier = 0, rebate = 0;
  Extreme monitored = Extreme::none;
  bool knock_in = false, continuous = false, rebate_at_hit = false;
  bool hit_already =
      false;  ///< touched before or at time 0: a knock-out has the certain value D rebate (set-up
              ///< adjusts D and rebate to the amount still due), a knock-in is a vanilla
  // cliquet
  double local_floor = 0, local_cap = 0, global_floor = 0, global_cap = 0;
  // variance swap
  double annualisation = 0;  ///< realised variance = annualisation * sum of squared log returns
  // discounting
  double discount = 1;    ///< to the payment date, in units of the base currency
  double conversion = 1;  ///< units of the base currency per unit of that of the payments, today
  /// Per record, if rebate_at_hit: the payment is discount_at_hit[k] rebate when record k is the
  /// first record at or before which the barrier is touched. (Continuous: the mean over the touches
  /// in the interval that ends at record k.)
  std::vector<double> discount_at_hit;
  /// The control variate: a second payoff on the same path, whose expectation is known, or none:
  ///   spot              D sum_i w_i S_i(T), whatever the combination
  ///   vanilla           D max(control_sign (S_t - control_strike), 0), t = control_record, or T;
  ///                     S with control_weights in the place of weights, where there are some
  ///   clipped_returns   the cliquet without its global limits
  ///   asian_geometric   the asian payoff of this trade with the geometric average in place of the
  ///                     arithmetic one; its past_sum is control_past_sum
  ///   basket_geometric  D max(sign (G - strike), 0), G = exp(control_log_scale +
  ///                     sum_i control_weights[i] ln S_i(T))
  ///   at_exercise       ExerciseSetup::control, observed when the trade is exercised
  enum class Control {
    none,
    spot,
    vanilla,
    clipped_returns,
    asian_geometric,
    basket_geometric,
    at_exercise
  } control = Control::none;
  double control_expectation = 0;               ///< discounted, same notional
  double control_sign = 1, control_strike = 0;  ///< vanilla
  Index control_record = -1;                    ///< vanilla: one of `records`; -1: the last
  double control_past_sum = 0;                  ///< asian_geometric: sum of log spots already fixed
  std::vector<double> control_weights;
  double control_log_scale = 0;
  bool has_either_sign = false;  ///< payments may be positive or negative
  /// The payoff is a function of the spots of the assets, and not of their combination: importance
  /// sampling then tries each asset alone.
  bool reads_each_asset = false;
  std::vector<double> numbers;  ///< constants that the functor reads (PayoffTerms::number)
  // PayoffFormula::launched: the kind with the launchers, and PayoffTerms::growth
  const PayoffKind* kind = nullptr;
  std::vector<double> growth;
  /// Early exercise (exercise/exercise_policy.hpp), or null.
  std::shared_ptr<const ExerciseSetup> exercise;
};

}  // namespace gsim::pricing
