#pragma once
// Importance sampling of trades with payments on few paths, by exponential tilting (also:
// exponential twisting, Esscher transform). Under the tilted distribution the probability of a path
// is multiplied by e^(theta X - K(theta)), with X a weighted sum of log-spots and K its cumulant
// generating function; the payoff is multiplied by the inverse, the likelihood ratio. For normals
// the tilt shifts the means (Glasserman 2004, section 4.6.1); for jumps it changes both intensity
// and mean, so that prices dominated by rare jumps are estimated from paths that jump (Cont and
// Tankov 2004, section 9.5). Such a trade is simulated alone, on its own assets and dates.
//
// Direction and length of the tilt are chosen by trial samples, such that the variance relative to
// the squared mean is smallest. Trial samples have numbers beyond those of any run, so that the
// choice is independent of the samples used for the price.
//
// Path models and payoffs of plugins are supported without additional code: gsim draws the normals
// of a model's steps, and multiplies a payoff's samples by the likelihood ratio. The distribution
// of a model's further draws (for example a gamma time) is not changed, and the price remains
// unbiased. Stratification of these normals was considered and rejected. Proportional strata divide
// the variance at best by their number, and only the part explained by one direction, while a tilt
// gains the inverse of the probability of a payment. If no tilt of a model's normals reduces the
// variance, the value depends on the further draws, which strata of the normals do not affect
// either; and Sobol points with the Brownian bridge (pricing.sampling = "sobol") already stratify
// the normals.
//
// Variance swaps are excluded: they pay on every path, with either sign, so that the relative error
// is large when the price is near 0 although no path is rare.

#include <cstdint>
#include <limits>
#include <vector>

#include "gsim/exec/executor.hpp"
#include "src/modules/pricing/pricing_setup.hpp"

namespace gsim::pricing {

/// A tilt along direction number `direction` of tilt_directions() (< 0: none) that moves the mean
/// of X by `length` standard deviations.
struct Tilt {
  std::int64_t direction = -1;
  double length = 0;
  bool is_set() const { return direction >= 0; }
};

/// Whether the trade can be priced under a tilted distribution: its samples must be payoffs (not
/// expectations, as with pricing.conditional), and it must not be a variance swap.
bool can_be_tilted(const PricingConfig& config, const TradeConfig& trade);

/// The simulation of one trade alone to which tilts are applied: without antithetic sampling and
/// control variate, and with at least 16 steps if a barrier or an extreme is monitored
/// continuously.
Simulation simulation_to_tilt(const PricingConfig& config, const TradeConfig& trade,
                              Arithmetic arithmetic, std::uint64_t seed);

/// A direction in which paths may be tilted.
struct TiltDirection {
  std::vector<double> normals;  ///< unit vector over the normals of a path, [step][factor]
  std::vector<double> weights;  ///< [asset] weight of its log-spot in X
  double normal_deviation = 0;  ///< standard deviation of the normals' contribution to X
  /// [step] mean over the step of the sign of the drift of X for a positive length: 1 if the drift
  /// increases X at all times, -1 if it decreases X.
  std::vector<double> velocity;
};

/// Directions for the trade of `single_trade`: a drift of its underlying that is constant in time;
/// for options on the best or worst of several assets and for payoffs that read each asset
/// (TradeSetup::reads_each_asset), one direction per asset; for barriers a drift towards the
/// barrier and then to the strike, at constant speed.
std::vector<TiltDirection> tilt_directions(const Simulation& single_trade);

/// The exponent theta that moves the mean of X by `length` standard deviations: K'(theta) - K'(0) =
/// length sqrt(K''(0)), with K(theta) = theta^2 d^2 / 2 + sum over the assets of jump_intensity T
/// (E[e^(theta w J)] - 1), d the standard deviation of the normals' contribution and w the weight
/// of the asset. NaN if the tilt would add more than `max_tilted_jumps` jumps per path on average.
double tilt_exponent(const Simulation& single_trade, const TiltDirection& direction, double length);
inline constexpr double max_tilted_jumps = 50;

/// `single_trade` with all paths tilted; if jumps are tilted, tilt_exponent() of `tilt` must not be
/// NaN. Without a tilt, `single_trade` unchanged.
Simulation tilted(Simulation single_trade, const Tilt& tilt);

/// The estimate of a trade's price per unit from samples without a tilt; by default there is none.
struct UntiltedEstimate {
  double price = 0, standard_error = 0;
  /// Variance of a sample divided by the squared price.
  double relative_variance = std::numeric_limits<double>::infinity();
};

/// The tilt with the least variance in trial samples, among those whose price is not significantly
/// below that of another trial or of no tilt; no tilt if the variance would not at least halve. The
/// choice is the same on every rank and executor.
Tilt choose_tilt(const Executor& executor, const Simulation& single_trade,
                 const UntiltedEstimate& untilted);

}  // namespace gsim::pricing
