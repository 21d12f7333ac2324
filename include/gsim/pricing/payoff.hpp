#pragma once
// The view of a path that a payoff kernel reads, and the loop that evaluates a payoff over the
// fixing dates. Built-in payoffs use this header and nothing else of the path engine; a plugin's
// payoff (payoff_kind.hpp) does the same. A payoff is a trivially copyable functor
//
//   struct MyPayoff {
//     using State = …;                                    // a few values of type P
//     State start() const;
//     template <class Spots> void on_fixing(State&, Index i, const Spots& spots) const;
//     P value(const State&) const;                        // undiscounted
//   };
//
// that processes one group of paths at a time: P is packed<T> on the host and holds one path on a
// CUDA device. `spots` gives, for asset a at the i-th fixing,
//   spots[a]            the spot,
//   spots.log(a)        its logarithm relative to S(0), if the payoff declares `static constexpr
//   bool reads_logs = true`,
// and, to gsim's own payoffs only,
//   spots.maximum(a),   the extremes of the continuous path since the record before, ends included,
//   spots.minimum(a)    as logarithms relative to S(0), where the asset records them,
//   spots.variance(a)   conditional runs: the variance of the log-spot given the path of the
//                       variance; spots[a] is then the spot's mean given that path.
// A payoff that uses a member that is not available to it does not compile.

#include <cstdint>

#include "gsim/core/types.hpp"
#include "gsim/math/pack.hpp"

namespace gsim::pricing {

/// Indices of an asset's values among the rows of a record; -1: not recorded.
struct AssetRows {
  std::int32_t spot = -1, log = -1, maximum = -1, minimum = -1, variance = -1;
  /// The instantaneous variance of a model with stochastic variance, for early exercise.
  std::int32_t instantaneous_variance = -1;
};

/// Paths at record dates: row (record, asset's row) of path p is data[(record * rows + row) *
/// stride + p].
template <class T>
struct Tile {
  T* data;
  Index stride;  ///< paths in the tile
  Index rows;    ///< rows per record
  const AssetRows* asset;
};

}  // namespace gsim::pricing

GSIM_TARGET_BEGIN
namespace pricing_kernels {
using namespace gsim::pricing;

/// The spots of a group of paths at one record of a tile.
template <class P, class T>
struct TileSpots {
  const Tile<T>* tile;
  const T* record;  ///< first row of the record, at the group's first path

  GSIM_HD P row(std::int32_t r) const { return load<P>(record + r * tile->stride); }
  GSIM_HD P operator[](Index a) const { return row(tile->asset[a].spot); }
  GSIM_HD P log(Index a) const { return row(tile->asset[a].log); }
  GSIM_HD P maximum(Index a) const { return row(tile->asset[a].maximum); }
  GSIM_HD P minimum(Index a) const { return row(tile->asset[a].minimum); }
  GSIM_HD P variance(Index a) const { return row(tile->asset[a].variance); }
};

/// The members of TileSpots that a payoff registered by PayoffKind may use.
template <class P, class T, bool logs>
struct PluginSpots {
  TileSpots<P, T> all;

  GSIM_HD P operator[](Index a) const { return all[a]; }
  GSIM_HD P log(Index a) const requires logs { return all.log(a); }
};

/// Whether a plugin's payoff reads logarithms.
template <class Payoff>
GSIM_HD constexpr bool reads_logs() {
  if constexpr (requires { Payoff::reads_logs; })
    return Payoff::reads_logs;
  else
    return false;
}

/// The undiscounted payoff of the group of paths from `path` on, whose fixings are the records
/// record[0 … fixings - 1] of the tile. Spots is the class through which the payoff reads the tile.
template <class P, class Spots, class T, class Payoff>
GSIM_HD P evaluate_payoff(const Payoff& payoff, const Tile<T>& tile, const std::int32_t* record,
                          std::int32_t fixings, Index path) {
  auto state = payoff.start();
  for (std::int32_t i = 0; i < fixings; ++i) {
    const T* row = tile.data + record[i] * tile.rows * tile.stride + path;
    payoff.on_fixing(state, i, Spots{TileSpots<P, T>{&tile, row}});
  }
  return payoff.value(state);
}

}  // namespace pricing_kernels
GSIM_TARGET_END
