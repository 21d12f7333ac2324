#pragma once
// The numerical form of a pricing run, between the configuration (market and trades: on the host,
// with doubles, strings and dates) and the kernels. pricing_setup.cpp builds it; path_engine.cpp
// runs it. It is plain data, already checked. Times are in years, rates continuously compounded,
// volatilities annualised (the units of Hull, "Options, Futures and Other Derivatives").

#include <cstdint>
#include <string>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/pricing/block_statistics.hpp"
#include "gsim/pricing/path_model_kind.hpp"
#include "kernels/pricing/path_models/step_scheme.hpp"
#include "src/modules/pricing/trades/trade_setup.hpp"

namespace gsim::pricing {

/// Dynamics of one asset's log-spot on the simulation grid. Vectors named *_step hold one entry per
/// simulation step. A path model sets the values that its scheme and its jumps use.
struct AssetDynamics {
  StepScheme scheme = StepScheme::black_scholes;
  Index normals = 1;                  ///< per step (PathModelKind::normals)
  Index further_normals_of = -1;      ///< the asset whose further normals it shares; -1: it has own
  double log_spot = 0;                ///< ln S(0)
  std::vector<double> drift_step;     ///< integral of r - q over the step
  std::vector<double> variance_step;  ///< deterministic variance: integral of sigma^2 over the step
  // stochastic variance: dv = kappa (theta - v) dt + sigma sqrt(v) dW_v, corr(dW_v, dW_S) = rho
  bool has_own_variance = false;
  double v0 = 0, kappa = 0, theta = 0, sigma = 0, rho = 0;
  // jumps: Poisson rate, and normal jumps of the log-spot
  bool has_jumps = false;  ///< whether the model has jumps, of any intensity
  double jump_intensity = 0, jump_mean = 0, jump_sd = 0;
  /// Importance sampling: the exponent theta by which the distribution of the jumps is tilted, per
  /// step, or empty. Jumps then have the intensity jump_intensity E[e^(theta J)] and the density
  /// e^(theta J) / E[e^(theta J)] times that of J: normal with mean jump_mean + theta jump_sd^2
  /// (Cont and Tankov, "Financial Modelling with Jump Processes", 2004, section 9.5).
  std::vector<double> jump_tilt;
  // local volatility: sigma(t, S) on a grid, bilinear in (t, ln S), flat outside
  std::vector<double> lv_times;
  std::vector<double> lv_log_spots;   ///< equally spaced
  std::vector<double> lv_volatility;  ///< [time][spot]
  /// Constants that the functor reads (PathModelTerms): those of the asset, and those of the steps,
  /// [step][numbers per step].
  std::vector<double> numbers, step_numbers;
  const PathModelKind* kind = nullptr;  ///< StepScheme::launched: the kind with the launchers
  double reach = 0;  ///< PathModelKind::reach at the end of the grid; 0: not known
  double deviation =
      0;  ///< standard deviation of the log-spot at the end of the grid, without jumps
  /// Record the extremes of the continuous path between recorded dates (barriers, lookbacks).
  bool need_maximum = false, need_minimum = false;
};

/// Normals per step that an asset has of its own, besides its first one.
inline Index further_normals(const AssetDynamics& asset) {
  return asset.further_normals_of >= 0 ? 0 : asset.normals - 1;
}

/// The time grid. Set-up puts a step's end at every knot of a term structure that an asset with
/// need_maximum or need_minimum uses, so that within a step its rates and volatility are constant
/// and the bridge between the step's ends is exact for black_scholes. Steps end at times[0] <
/// times[1] < …; the first step starts at 0. After step k the spots are recorded as record
/// record_of_step[k] when that is >= 0.
struct TimeGrid {
  std::vector<double> times;
  std::vector<Index> record_of_step;
  Index recorded_dates = 0;  ///< number of dates at which spots are recorded
};

enum class Sampling { pseudo_random, sobol };

struct Simulation {
  std::vector<AssetDynamics> assets;
  TimeGrid grid;
  /// Lower-triangular factor L of the correlation of the assets' normals (row-major, n x n): the
  /// correlated normals are L z. With stochastic variance it is the part independent of dW_v.
  std::vector<double> factor;
  std::vector<TradeSetup> trades;
  /// [asset] non-zero: no trade reads the asset, so that its paths need not be simulated; the other
  /// assets have the same random numbers as with it. Empty: all assets are simulated.
  std::vector<std::uint8_t> unused;

  Precision precision = Precision::float64;
  Arithmetic arithmetic = Arithmetic::strict;
  Sampling sampling = Sampling::pseudo_random;
  bool antithetic = false;      ///< one sample = mean over a path and its antithetic path
  bool brownian_bridge = true;  ///< used with sobol
  /// Every sample is the payoff's expectation given the path of the variance: for assets with
  /// stochastic variance, and payoffs with a conditional form on one asset, only.
  bool conditional = false;
  Index replicates = 1;  ///< with sobol: independent scramblings
  /// Importance sampling: [step][factor] the means of the tilted normals, which are independent and
  /// have variance 1; or empty. Payoffs and controls are multiplied by the likelihood ratio, that
  /// of tilted jumps (AssetDynamics::jump_tilt) included. Not with antithetic sampling.
  std::vector<double> tilt;
  std::uint64_t seed = 0;
  /// Samples are paths of a nested simulation, whose branches are set by
  /// PathEngine::set_branches().
  bool is_nested = false;
  Index block_samples =
      4096;  ///< samples per block, a multiple of 64, the same for any number of ranks
};

}  // namespace gsim::pricing
