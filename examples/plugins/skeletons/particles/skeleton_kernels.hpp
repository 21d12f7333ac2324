#pragma once
// Launchers of the kernels and their arguments. A launcher is an ordinary function of an executor
// and one struct of plain data.

#include <cstdint>

#include <gsim/core/exact_sum.hpp>
#include <gsim/core/fixed_position.hpp>
#include <gsim/exec/cell_grid.hpp>
#include <gsim/exec/launch.hpp>
#include <gsim/exec/view.hpp>
#include <gsim/random/philox.hpp>

namespace skeleton_module {

/// Steps [first_step, first_step + steps) of this rank's particles: each adds a normal number times
/// `deviation` to every coordinate.
struct WalkArgs {
  gsim::View<const std::int64_t> id;
  gsim::View<gsim::FixedPosition> position;
  gsim::View<double> moved;  ///< 3 per particle: unwrapped displacement since the start
  gsim::PhiloxKey key;       ///< of the random numbers
  gsim::Index first_step = 0, steps = 0;
  double deviation = 0;         ///< in units of length
  double units_per_length = 0;  ///< 2^64 / edge of the box
};

/// Adds up this rank's particles: sums[0] += |moved|^2 in quanta, sums[1] += neighbours.
struct ObserveArgs {
  gsim::CellListView cells;        ///< of locals and ghosts
  gsim::View<const double> moved;  ///< of locals
  gsim::Index locals = 0;
  double quanta_per_square = 1;  ///< a power of two
  gsim::ExactSum* sums = nullptr;
};

}  // namespace skeleton_module

GSIM_DECLARE_LAUNCHER(skeleton_walk, ::skeleton_module::WalkArgs)
GSIM_DECLARE_LAUNCHER(skeleton_observe, ::skeleton_module::ObserveArgs)
