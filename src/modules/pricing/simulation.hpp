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

namespace gsim::pricing {

enum class ModelKind { black_scholes, local_volatility, merton, heston, bates };

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
  // local_volatility: sigma(t, S) on a grid, bilinear in (t, ln S), flat outside
  std::vector<double> lv_times;
  std::vector<double> lv_log_spots;   ///< equally spaced
  std::vector<double> lv_volatility;  ///< [time][spot]
  /// Record the extremes of the continuous path between records (barriers, lookbacks).
  bool need_maximum = false, need_minimum = false;
};

/// The time grid. Steps end at times[0] < times[1] < …; the first step starts at 0. After step k
/// the spots are recorded as record record_of_step[k] when that is >= 0.
struct TimeGrid {
  std::vector<double> times;
  std::vector<Index> record_of_step;
  Index records = 0;
};

enum class PayoffKind {
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
  variance_swap  ///< annualised realised variance minus strike
};

/// How several assets become one underlying at a date.
enum class Combination { single, weighted_sum, best_of, worst_of, geometric };

/// One trade, per unit notional, in the form that payoff kernels read.
struct TradeProgram {
  PayoffKind payoff = PayoffKind::vanilla;
  Combination combination = Combination::single;
  double sign = 1;                     ///< +1 call, -1 put
  std::vector<Index> assets;           ///< indices into Simulation::assets
  std::vector<double> weights;         ///< one per asset; spread: +1, -1
  std::vector<Index> records;          ///< fixing dates, rising
  std::vector<double> fixing_weights;  ///< empty: equal
  double strike = 0;                   ///< or moneyness (forward_start), or variance strike
  bool average_strike = false;
  double cash = 1;  ///< cash_digital
  // fixings already known before today, of asians, lookbacks, barriers and variance swaps
  Index past_count = 0;
  double past_sum =
      0;  ///< arithmetic: of spots; geometric: of log spots; variance: of squared log returns
  double past_maximum = 0, past_minimum = 0;  ///< of spots, where past_count > 0
  double past_last = 0;                       ///< last known spot (variance swap), 0: none
  // barrier
  double barrier = 0, rebate = 0;
  bool up = false, knock_in = false, continuous = false, rebate_at_hit = false;
  bool hit_already = false;
  // cliquet
  double local_floor = 0, local_cap = 0, global_floor = 0, global_cap = 0;
  // variance swap
  double annualisation = 0;  ///< realised variance = annualisation * sum of squared log returns
  // money
  double discount = 1;                  ///< to the payment date
  std::vector<double> discount_at_hit;  ///< per record, where rebate_at_hit
  /// A second payoff on the same path whose expectation is known, or none.
  enum class Control {
    none,
    spot,
    vanilla,
    asian_geometric,
    basket_geometric
  } control = Control::none;
  double control_expectation = 0;  ///< discounted, same notional
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
  Index replicates = 1;         ///< with sobol: independent scramblings
  std::uint64_t seed = 0;
  Index block_samples = 4096;  ///< samples per block, a multiple of 64, never tuned to ranks
};

/// Sums of one trade over one block: mean and central second moments of the discounted payoff x and
/// its control y (0 without one), in fp64 whatever the path precision.
struct BlockStatistics {
  double count = 0;
  double mean_x = 0, mean_y = 0;
  double m_xx = 0, m_yy = 0, m_xy = 0;
};
/// Exact pairwise update of Chan, Golub and LeVeque (1979), eq. 2.1 for means, second moments and
/// the co-moment: the value over both blocks.
BlockStatistics merge(const BlockStatistics& first, const BlockStatistics& second);

}  // namespace gsim::pricing
