#pragma once
// The numerical form of a pricing run, between the configuration (market, trades: host only, in
// doubles, strings and dates) and the kernels. market_setup.cpp builds it; path_engine.cpp runs it.
// Everything here is plain data, already checked. Times are in years, rates continuously
// compounded, volatilities annualised (the units of Hull, "Options, Futures and Other
// Derivatives").

#include <cstdint>
#include <string>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/pricing/path_model_kind.hpp"
#include "gsim/pricing/payoff_kind.hpp"

namespace gsim::pricing {

enum class ModelKind {
  black_scholes,
  local_volatility,
  merton,
  heston,
  bates,
  plugged  ///< of a plugin (AssetDynamics::kind)
};

/// How one asset's log-spot moves over the simulation grid. Vectors named *_step hold one entry per
/// simulation step.
struct AssetDynamics {
  ModelKind model = ModelKind::black_scholes;
  double log_spot = 0;                ///< ln S(0)
  std::vector<double> drift_step;     ///< integral of r - q over the step
  std::vector<double> variance_step;  ///< black_scholes, merton: integral of sigma^2 over the step
  // heston, bates: dv = kappa (theta - v) dt + sigma sqrt(v) dW_v, corr(dW_v, dW_S) = rho
  double v0 = 0, kappa = 0, theta = 0, sigma = 0, rho = 0;
  // merton, bates: Poisson rate, and normal jumps of the log-spot
  double jump_intensity = 0, jump_mean = 0, jump_sd = 0;
  /// Importance sampling: the exponent theta by which the law of the jumps is tilted, one a step,
  /// or empty. Jumps then come with intensity jump_intensity E[e^(theta J)] and have the density
  /// e^(theta J) / E[e^(theta J)] times that of J: normal with mean jump_mean + theta jump_sd^2
  /// (Cont and Tankov, "Financial Modelling with Jump Processes", 2004, section 9.5).
  std::vector<double> jump_tilt;
  // local_volatility: sigma(t, S) on a grid, bilinear in (t, ln S), flat outside
  std::vector<double> lv_times;
  std::vector<double> lv_log_spots;   ///< equally spaced
  std::vector<double> lv_volatility;  ///< [time][spot]
  // plugged: what the kind's functions gave
  const PathModelKind* kind = nullptr;
  std::vector<double> numbers, step_numbers;  ///< step_numbers: [step][as many for each]
  double reach = 0;                           ///< of the whole grid; 0: not known
  /// Record the extremes of the continuous path between records (barriers, lookbacks).
  bool need_maximum = false, need_minimum = false;
};

/// Normals that an asset takes a step besides its first one.
inline Index further_normals(const AssetDynamics& asset) {
  if (asset.model == ModelKind::plugged) return asset.kind->normals - 1;
  return asset.model == ModelKind::heston || asset.model == ModelKind::bates ? 1 : 0;
}

/// The time grid. Set-up puts a step's end at every knot of a term structure that an asset with
/// need_maximum or need_minimum uses, so that within a step its rates and volatility are constant
/// and the bridge between the step's ends is exact for black_scholes. Steps end at times[0] <
/// times[1] < …; the first step starts at 0. After step k the spots are recorded as record
/// record_of_step[k] when that is >= 0.
struct TimeGrid {
  std::vector<double> times;
  std::vector<Index> record_of_step;
  Index records = 0;
};

enum class PayoffFormula {
  vanilla,           ///< call/put on the combined underlying at the last fixing
  cash_digital,      ///< pays `cash`
  asset_digital,     ///< pays the underlying
  forward_start,     ///< strike = moneyness * S(first fixing)
  cliquet,           ///< sum of clipped period returns, clipped globally
  asian_arithmetic,  ///< average price or (average_strike) average strike
  asian_geometric,
  barrier,  ///< eight kinds: up/down, in/out, call/put
  lookback_fixed,
  lookback_floating,
  variance_swap,  ///< annualised realised variance minus strike
  plugged         ///< of a plugin (TradeProgram::kind)
};

/// How several assets become one underlying at a date, from w_i S_i with the trade's weights:
/// single: w_0 S_0 (w_0 = 1); weighted_sum: their sum; best_of, worst_of: largest, smallest w_i
/// S_i; geometric: the product of S_i^w_i. Everything below that says "spot" means this underlying.
enum class Combination { single, weighted_sum, best_of, worst_of, geometric };

/// One trade, per unit notional, in the form that payoff kernels read. Dates at time 0 never appear
/// in `records`: set-up turns a fixing today into a past one (past_*), a forward start today into a
/// vanilla. Payoffs, with S the underlying, T the last of `records`, D = `discount`:
///   vanilla            D max(sign (S_T - strike), 0)
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
struct TradeProgram {
  std::string name;  ///< for messages
  PayoffFormula payoff = PayoffFormula::vanilla;
  Combination combination = Combination::single;
  double sign = 1;                     ///< +1 call, -1 put
  std::vector<Index> assets;           ///< indices into Simulation::assets
  std::vector<double> weights;         ///< one per asset; spread: +1, -1
  std::vector<Index> records;          ///< fixing dates, rising
  std::vector<double> fixing_weights;  ///< empty: equal
  double strike = 0;  ///< or moneyness (forward_start, cliquet), or variance strike
  bool average_strike = false;
  double cash = 1;  ///< cash_digital
  // fixings already known before today, of asians, lookbacks, barriers and variance swaps
  Index past_count = 0;
  /// Arithmetic: of spots; geometric: of log spots; variance swap: of squared log returns; cliquet:
  /// of clipped returns.
  double past_sum = 0;
  double past_maximum = 0, past_minimum = 0;  ///< of spots, where past_count > 0
  double past_last = 0;                       ///< last known spot (variance swap, cliquet), 0: none
  // barrier, lookback: `continuous` uses the extremes of the path between records, the start and
  // S(0) included, and `records` then holds every record of the grid up to T; discrete uses the
  // spots at `records` alone. Past extremes count in both. Only Combination::single is continuous.
  double barrier = 0, rebate = 0;
  bool up = false, knock_in = false, continuous = false, rebate_at_hit = false;
  bool hit_already = false;  ///< touched before or at time 0: an out pays D rebate for sure
                             ///< (set-up puts what is still due into D and rebate), an in
                             ///< is a vanilla
  // cliquet
  double local_floor = 0, local_cap = 0, global_floor = 0, global_cap = 0;
  // variance swap
  double annualisation = 0;  ///< realised variance = annualisation * sum of squared log returns
  // money
  double discount = 1;  ///< to the payment date
  /// Per record, where rebate_at_hit: pays discount_at_hit[k] rebate when record k is the first one
  /// at or before which the barrier is touched. (Continuous: the mean over the touches in
  /// the interval that ends at record k.)
  std::vector<double> discount_at_hit;
  /// A second payoff on the same path whose expectation is known, or none:
  ///   spot              D sum_i w_i S_i(T), whatever the combination
  ///   vanilla           D max(control_sign (S_t - control_strike), 0), t = control_record, or T;
  ///                     S with control_weights in the place of weights, where there are some
  ///   clipped_returns   the cliquet without its global limits
  ///   asian_geometric   the asian payoff of this trade with the geometric average in place of the
  ///                     arithmetic one; its past_sum is control_past_sum
  ///   basket_geometric  D max(sign (G - strike), 0), G = exp(control_log_scale +
  ///                     sum_i control_weights[i] ln S_i(T))
  enum class Control {
    none,
    spot,
    vanilla,
    clipped_returns,
    asian_geometric,
    basket_geometric
  } control = Control::none;
  double control_expectation = 0;               ///< discounted, same notional
  double control_sign = 1, control_strike = 0;  ///< vanilla
  Index control_record = -1;                    ///< vanilla: one of `records`; -1: the last
  double control_past_sum = 0;                  ///< asian_geometric: sum of log spots already fixed
  std::vector<double> control_weights;
  double control_log_scale = 0;
  // a plugin's payoff, with the two tables of its PayoffTerms
  const PayoffKind* kind = nullptr;
  std::vector<double> numbers, growth;
};

enum class Sampling { pseudo_random, sobol };

struct Simulation {
  std::vector<AssetDynamics> assets;
  TimeGrid grid;
  /// Lower-triangular factor L of the correlation of the assets' normals (row-major, n x n): the
  /// correlated normals are L z. For heston and bates it is the part independent of dW_v.
  std::vector<double> factor;
  std::vector<TradeProgram> trades;

  Precision precision = Precision::float64;
  Arithmetic arithmetic = Arithmetic::strict;
  Sampling sampling = Sampling::pseudo_random;
  bool antithetic = false;      ///< one sample = mean of a path and its mirror image
  bool brownian_bridge = true;  ///< with sobol
  /// Every sample is the payoff's expectation given the path of the variance; heston and bates
  /// assets only, vanillas and digitals on one asset only.
  bool conditional = false;
  Index replicates = 1;  ///< with sobol: independent scramblings
  /// Importance sampling: [step][factor] the means of the tilted normals, which are independent and
  /// have variance 1; or empty. Payoffs and controls are multiplied by the likelihood ratio, that
  /// of tilted jumps (AssetDynamics::jump_tilt) included. Not with antithetic sampling.
  std::vector<double> tilt;
  std::uint64_t seed = 0;
  Index block_samples = 4096;  ///< samples per block, a multiple of 64, never tuned to ranks
};

/// Sums of one trade over one block: mean and central second moments of the discounted payoff x and
/// its control y (0 without one), in fp64 whatever the path precision. Samples also fall into 16
/// lanes a block: q_ab_cd is the sum over the lanes of their own m_ab m_cd (about the block's
/// means), from which follows how many lanes the variance stands on.
struct BlockStatistics {
  double count = 0;
  double mean_x = 0, mean_y = 0;
  double m_xx = 0, m_yy = 0, m_xy = 0;
  double lanes = 0;
  double q_xx_xx = 0, q_xx_xy = 0, q_xx_yy = 0, q_xy_xy = 0, q_xy_yy = 0, q_yy_yy = 0;
};
/// Exact pairwise update of Chan, Golub and LeVeque (1979), eq. 2.1 for means, second moments and
/// the co-moment, plain sums for the rest: the value over both blocks.
BlockStatistics merge(const BlockStatistics& first, const BlockStatistics& second);

}  // namespace gsim::pricing
