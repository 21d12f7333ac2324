#pragma once
// What the module has the kernels do.

#include <cstdint>

#include <gsim/core/exact_sum.hpp>
#include <gsim/core/fixed_position.hpp>
#include <gsim/exec/cell_grid.hpp>
#include <gsim/exec/launch.hpp>
#include <gsim/exec/view.hpp>
#include <gsim/random/philox.hpp>

namespace dpd {

/// The first part of a time step: positions one step on, velocities half a step on, and the
/// velocities that forces are computed with. A particle that would cross a quarter of the box, or
/// whose velocity is not finite, stays where it is and gets a velocity that is NaN.
struct MoveArgs {
  gsim::View<gsim::FixedPosition> position;  ///< of locals, as all that follows
  gsim::View<double> velocity;               ///< 3 a particle
  gsim::View<double> predicted;              ///< 3 a particle: velocity + lambda dt force
  gsim::View<const std::int64_t> force;      ///< 3 a particle, in quanta
  double force_quantum = 0;
  double time_step = 0;
  double lambda = 0;
  double turns_per_length = 0;  ///< 1 / edge of the box
};

/// Conservative, dissipative and random forces of all pairs on this rank's particles, and the last
/// half of a step of their velocities.
struct ForceArgs {
  gsim::CellListView cells;            ///< of locals and ghosts
  gsim::View<const std::int64_t> id;   ///< of locals and ghosts
  gsim::View<const double> predicted;  ///< of locals and ghosts
  gsim::View<double> velocity;         ///< of locals; NaN where a force is out of range
  gsim::View<std::int64_t> force;      ///< of locals, in quanta: becomes the new one
  gsim::Index locals = 0;
  gsim::PhiloxKey key;  ///< of the random forces
  std::uint64_t step = 0;
  double repulsion = 0, friction = 0;
  double noise = 0;              ///< sqrt(2 gamma k T / dt)
  double quanta_per_force = 0;   ///< a power of two
  double half_step_quantum = 0;  ///< dt / 2 times the force of a quantum
};

/// Sums over this rank's particles, in host memory: of v^2, of the potential energy of pairs, of
/// their virial r F, of squared conservative forces, of the potential's Laplacian, and of the
/// momentum along each axis. Pairs count half for each of their particles.
struct ObserveArgs {
  static constexpr int sums_count = 8;
  gsim::CellListView cells;
  gsim::View<const double> velocity;
  gsim::Index locals = 0;
  double repulsion = 0;
  double quanta_per_unit = 0;   ///< a power of two
  double quanta_per_speed = 0;  ///< the same for the momentum
  gsim::ExactSum* sums = nullptr;
};

}  // namespace dpd

GSIM_DECLARE_LAUNCHER(dpd_move, ::dpd::MoveArgs)
GSIM_DECLARE_LAUNCHER(dpd_force, ::dpd::ForceArgs)
GSIM_DECLARE_LAUNCHER(dpd_observe, ::dpd::ObserveArgs)
