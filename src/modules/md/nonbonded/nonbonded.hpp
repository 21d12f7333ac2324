#pragma once
// Forces between atoms that are near each other, on the host: cluster pair lists, and sums of
// integers that do not depend on lists, threads, registers or ranks.
//
// Forces are counted in quanta of force_quantum(), energies and virials in energy_quantum(): powers
// of two. In mixed precision pairs are computed in float from the high 32 bits of positions, in
// double precision from the high 52 bits.

#include <cstdint>
#include <memory>

#include "gsim/core/exact_sum.hpp"
#include "gsim/core/fixed_position.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/exec/executor.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::md {

enum class PairPrecision { mixed, float64 };

/// Lennard-Jones, cut at `cutoff`; `shifted`: the energy is zero there.
struct LennardJonesPair {
  double epsilon = 1, sigma = 1, cutoff = 2.5;
  bool shifted = false;
};

/// Twice the energy and the virial (sum over pairs of r_a F_b: xx, yy, zz, xy, xz, yz), in energy
/// quanta: a pair of an owned atom and a ghost counts once here and once on the ghost's rank.
struct NonbondedSums {
  ExactSum energy;
  ExactSum virial[6];
};

class Nonbonded {
 public:
  /// InputError unless epsilon, sigma, cutoff > 0, skin >= 0, and every periodic width of the box
  /// is at least twice cutoff + skin; DeviceError on a CUDA executor.
  Nonbonded(Executor executor, const Box& box, const LennardJonesPair& pair, double skin,
            PairPrecision precision);
  ~Nonbonded();
  Nonbonded(Nonbonded&&) noexcept;
  Nonbonded& operator=(Nonbonded&&) noexcept;

  /// Lists the pairs within cutoff + skin of `locals` owned atoms among themselves and with the
  /// ghosts that follow them in `positions`.
  void rebuild(View<const FixedPosition> positions, Index locals);
  /// Owned atoms in an order in which neighbours in space are near each other.
  View<const std::int32_t> spatial_order() const;

  /// Reads the owned positions. False when an atom has moved more than half the skin since
  /// rebuild(): the list may miss pairs, and only rebuild() may follow.
  bool load_locals(View<const FixedPosition> positions);
  /// Pairs of owned atoms; then, when the ghosts have arrived, pairs of owned atoms with ghosts.
  void compute_locals(bool with_energy);
  void compute_ghosts(View<const FixedPosition> positions, bool with_energy);
  /// Adds the forces since the last collect() to `forces` (x, y, z of every owned atom, in force
  /// quanta) and the sums to `sums`. NumericalError when two atoms overlapped so far that a sum
  /// may have left its range.
  void collect(View<std::int64_t> forces, NonbondedSums& sums);

  double force_quantum() const;
  double energy_quantum() const;
  /// Cluster pairs in the list.
  Index cluster_pairs() const;

 private:
  class Engine;
  template <class Real>
  class EngineOf;
  std::unique_ptr<Engine> engine_;
};

}  // namespace gsim::md
