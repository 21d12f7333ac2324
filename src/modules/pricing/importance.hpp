#pragma once
// Importance sampling of trades that pay on few paths. The normals of a path's steps are shifted,
// and what the trade pays is multiplied by the likelihood ratio: exponential tilting, which for
// lognormal spots shifts their drift (Glasserman 2004, section 4.6.1). Such a trade is simulated
// alone, on its own assets and dates.
//
// Direction and length of the shift are chosen by trial samples: those of the shift that gives the
// least variance relative to the squared mean. Trial samples have numbers beyond those of any run,
// so that the choice is independent of the samples that are priced with.

#include <cstdint>
#include <limits>
#include <vector>

#include "gsim/exec/executor.hpp"
#include "market_setup.hpp"

namespace gsim::pricing {

/// A shift of a path's normals by `length` times direction number `direction` of
/// shift_directions(); direction < 0: none.
struct Tilt {
  std::int64_t direction = -1;
  double length = 0;
  bool is_set() const { return direction >= 0; }
};

/// Whether the trade's paths and payoff can be weighted: all are gsim's own, and samples are
/// payoffs (not expectations, as with pricing.conditional).
bool can_be_tilted(const PricingConfig& config, const TradeConfig& trade);

/// The simulation of one trade alone, without antithetic sampling and control variate.
Simulation simulate_alone(const PricingConfig& config, const TradeConfig& trade,
                          Arithmetic arithmetic, std::uint64_t seed);

/// Unit vectors over all normals of a path, [step][factor], along which `alone` may be shifted: a
/// steady drift of the trade's underlying; for options on the best or worst of several assets one
/// of each asset; for barriers a drift towards the barrier that turns there, so that spot, barrier
/// and strike are reached at one speed.
std::vector<std::vector<double>> shift_directions(const Simulation& alone);

/// `alone` with all its paths shifted.
Simulation shifted(Simulation alone, const Tilt& tilt);

/// What a trade's samples without a shift say of its price, per unit; nothing unless it is set.
struct Unshifted {
  double price = 0, standard_error = 0;
  /// Variance of a sample over the squared price.
  double relative_variance = std::numeric_limits<double>::infinity();
};

/// The shift with the least variance in trial samples, among those that leave out no part of the
/// price that others show; none when it does not halve the variance without it. The same on every
/// rank and executor.
Tilt choose_tilt(const Executor& executor, const Simulation& alone, const Unshifted& unshifted);

}  // namespace gsim::pricing
