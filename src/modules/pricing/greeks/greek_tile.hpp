#pragma once
// The tile of the paths from which Greeks follow. It holds the paths of the market itself and, at
// further rows, those of the assets in bumped markets: only of assets whose paths differ from those
// in the market itself. Where possible they are derived from these:
//   - if the spot of an asset or its drift is bumped, and the relative path depends on neither,
//     every recorded spot is multiplied by a constant;
//   - if the variance of a lognormal asset is bumped, in the same proportion in all steps between
//     two records, so is the deviation of the log-spot from its drift;
//   - if it is bumped otherwise, and no trade reads the asset together with another one, as if it
//     were bumped in the same proportion, which gives the spots at the records the same
//     distribution.
// Others are simulated, with the same random numbers.

#include <vector>

#include "kernels/pricing/greeks/greeks_job.hpp"
#include "src/modules/pricing/greeks/greek_simulations.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"

namespace gsim::pricing {

/// The rows of a bumped market.
struct PointRows {
  std::vector<AssetRows> assets;
  bool is_simulated = false;  ///< all its assets, by a simulation of its own
};

/// The rows of the bumped markets of a stencil.
struct StencilRows {
  std::vector<PointRows> points;
};

/// Consecutive stencils whose derived paths are in the tile together, and the records of each
/// derived asset, without duplicates.
struct StencilGroup {
  std::size_t first = 0, last = 0;  ///< stencils [first, last)
  std::vector<std::vector<DerivedRecord<double>>> derived;
};

struct GreekTile {
  TileRows base;  ///< the market itself, the variants of its assets, and tangents
  std::vector<std::int32_t> tangent_rows;  ///< of GreekSimulations::tangents
  std::vector<StencilRows> stencils;       ///< as GreekSimulations::points
  std::vector<StencilGroup> groups;
};

/// The tile of `simulations`, which must outlive it; `loop` is the one that simulates the market
/// itself. Where it simulates no variants, bumped markets have simulations of their own. A group
/// has at most `derived_rows` rows of derived paths, or one stencil.
GreekTile plan_greek_tile(const GreekSimulations& simulations, PathLoop loop, Index derived_rows);

}  // namespace gsim::pricing
