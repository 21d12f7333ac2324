#pragma once
// Launchers of the kernels and their arguments.

#include <cstdint>

#include <gsim/core/exact_sum.hpp>
#include <gsim/core/fixed_position.hpp>
#include <gsim/exec/cell_grid.hpp>
#include <gsim/exec/launch.hpp>
#include <gsim/exec/view.hpp>
#include <gsim/random/philox.hpp>

namespace dpd {

/// The first part of a time step: advances positions by one step and velocities by half a step, and
/// predicts the velocities for the forces. A particle that would move by more than a quarter of the
/// box, or whose velocity is not finite, is not moved, and its velocity becomes NaN.
struct MoveArgs {
  gsim::View<gsim::FixedPosition> position;  ///< of locals, like all views below
  gsim::View<double> velocity;               ///< 3 per particle
  gsim::View<double> predicted;              ///< 3 per particle: velocity + lambda dt force
  gsim::View<const std::int64_t> force;      ///< 3 per particle, in quanta
  double force_quantum = 0;
  double time_step = 0;
  double lambda = 0;            ///< of the predicted velocity (DpdConfig::lambda)
  double boxes_per_length = 0;  ///< 1 / edge of the box
};

/// Conservative, dissipative and random forces of all pairs on this rank's particles (locals), and
/// the second half step of their velocities.
struct ForceArgs {
  gsim::CellListView cells;            ///< of locals and ghosts
  gsim::View<const std::int64_t> id;   ///< of locals and ghosts
  gsim::View<const double> predicted;  ///< of locals and ghosts
  gsim::View<double> velocity;         ///< of locals; NaN where a force is out of range
  gsim::View<std::int64_t> force;      ///< of locals, in quanta: replaced by the new force
  gsim::Index locals = 0;
  gsim::PhiloxKey key;  ///< of the random forces
  std::uint64_t step = 0;
  double repulsion = 0, friction = 0;
  double noise = 0;              ///< sqrt(2 gamma k T / dt)
  double quanta_per_force = 0;   ///< a power of two
  double half_step_quantum = 0;  ///< change of velocity by a quantum of force in dt / 2
};

/// Sums over this rank's particles, in host memory: of v^2, of the potential energy of pairs, of
/// their virial r F, of squared conservative forces, of the potential's Laplacian, and of the
/// momentum along each axis. Each particle counts half of its pairs.
struct ObserveArgs {
  static constexpr int sums_count = 8;
  gsim::CellListView cells;
  gsim::View<const double> velocity;
  gsim::Index locals = 0;
  double repulsion = 0;
  double quanta_per_unit = 0;   ///< of all sums but the momentum: a power of two
  double quanta_per_speed = 0;  ///< of the momentum: a power of two
  gsim::ExactSum* sums = nullptr;
};

}  // namespace dpd

GSIM_DECLARE_LAUNCHER(dpd_move, ::dpd::MoveArgs)
GSIM_DECLARE_LAUNCHER(dpd_force, ::dpd::ForceArgs)
GSIM_DECLARE_LAUNCHER(dpd_observe, ::dpd::ObserveArgs)
