#pragma once
// Importance sampling of trades that pay on few paths, by exponential tilting (also: exponential
// twisting, Esscher transform). Under the tilted law the probability of a path is multiplied by
// e^(theta X - K(theta)) with X a weighted sum of log-spots and K its cumulant generating function;
// what the trade pays is multiplied by the inverse, the likelihood ratio. Of normals the tilt moves
// the means (Glasserman 2004, section 4.6.1); of jumps it changes intensity and mean alike, so that
// prices dominated by rare jumps are found on paths that jump (Cont and Tankov 2004, section 9.5).
// Such a trade is simulated alone, on its own assets and dates.
//
// Direction and length of the tilt are chosen by trial samples: those of the tilt that gives the
// least variance relative to the squared mean. Trial samples have numbers beyond those of any run,
// so that the choice is independent of the samples that are priced with.
//
// Path models and payoffs of plugins take part without a line of their own: gsim draws the normals
// of a model's steps, and multiplies a payoff's samples by the likelihood ratio. The further draws
// of a model (a gamma time, say) keep their law, and the price stays unbiased. Stratification of
// these normals was considered and rejected. Proportional strata divide the variance by their
// number at best and only for what one direction explains, while a tilt gains the inverse of the
// probability that a path pays. Where no tilt of a model's normals helps, its value depends on its
// further draws, which strata of the normals do not reach either; and Sobol points with the
// Brownian bridge (pricing.sampling = "sobol") stratify the normals already.
//
// Variance swaps are left out: they pay on every path, with either sign, so that their error is
// large compared with a price near 0 though no path is rare.

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

/// Whether the trade can be priced under a tilted law: its samples are payoffs (not expectations,
/// as with pricing.conditional), and it is no variance swap.
bool can_be_tilted(const PricingConfig& config, const TradeConfig& trade);

/// The simulation of one trade alone that tilts start from: without antithetic sampling and control
/// variate, and with at least 16 steps where a barrier or an extreme is monitored continuously.
Simulation simulation_to_tilt(const PricingConfig& config, const TradeConfig& trade,
                              Arithmetic arithmetic, std::uint64_t seed);

/// A direction in which paths may be tilted.
struct TiltDirection {
  std::vector<double> normals;  ///< unit vector over the normals of a path, [step][factor]
  std::vector<double> weights;  ///< [asset] of its log-spot in X
  double normal_deviation = 0;  ///< standard deviation of what the normals contribute to X
  std::vector<double>
      velocity;  ///< [step] share of the step that moves along X less what moves back
};

/// Directions for the trade of `alone`: a steady drift of its underlying; for options on the best
/// or worst of several assets and for plugins' payoffs on several, one of each asset; for barriers
/// a drift towards the barrier that turns there, so that spot, barrier and strike are reached at
/// one speed.
std::vector<TiltDirection> tilt_directions(const Simulation& alone);

/// The exponent theta that moves the mean of X by `length` of its standard deviations:
/// K'(theta) - K'(0) = length sqrt(K''(0)), with K(theta) = theta^2 d^2 / 2 + sum over the assets
/// of jump_intensity T (E[e^(theta w J)] - 1), d the normals' deviation and w the asset's weight.
/// NaN where the paths of the tilted law would have more than `most_tilted_jumps` jumps on average
/// beyond those that they have anyway.
double tilt_exponent(const Simulation& alone, const TiltDirection& direction, double length);
inline constexpr double most_tilted_jumps = 50;

/// `alone` with all its paths tilted; `tilt` has an exponent. Without a tilt `alone` as it is.
Simulation tilted(Simulation alone, const Tilt& tilt);

/// The estimate of a trade's price per unit from samples without a tilt; the default is no
/// information.
struct Untilted {
  double price = 0, standard_error = 0;
  /// Variance of a sample over the squared price.
  double relative_variance = std::numeric_limits<double>::infinity();
};

/// The tilt with the least variance in trial samples, among those that leave out no part of the
/// price that others show; none when it does not halve the variance without it. The same on every
/// rank and executor.
Tilt choose_tilt(const Executor& executor, const Simulation& alone, const Untilted& untilted);

}  // namespace gsim::pricing
