#pragma once
// Paths of bumped markets that follow from those of the market itself without a simulation: where
// the spot of an asset is bumped, or the rate, and the relative path does not depend on it, every
// recorded spot is multiplied by a constant.

#include <cstdint>
#include <vector>

#include "src/modules/pricing/greeks/market_bump.hpp"
#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::pricing {

/// Rows of a tile (record * rows per record + row) with the scale and the shift that give them in
/// the bumped market.
struct DerivedRows {
  std::vector<std::int32_t> row;
  std::vector<double> scale, shift;
};

/// A flag for every asset that no trade of the simulation reads.
std::vector<std::uint8_t> unused_assets(const Simulation& simulation);

/// The rows of the assets in use, in the layout of the tiles of `base`; none if the paths must be
/// simulated: for other bumps, models whose paths depend on the spot or are those of plugins, and
/// bumps of the rate under continuous monitoring.
DerivedRows derived_rows(const Simulation& base, const Simulation& bumped,
                         const std::vector<MarketBump>& bumps);

}  // namespace gsim::pricing
