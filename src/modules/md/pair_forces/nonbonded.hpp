#pragma once
// Forces between atoms that are near each other, on the host: cluster pair lists, and sums of
// integers that do not depend on lists, threads, registers or ranks.
//
// In mixed precision a pair's force is rounded to 2^-28 of the largest one that is allowed for; in
// double precision to the run's common quantum.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/modules/md/forces/force_term.hpp"
#include "src/modules/md/neighbour_lists/cluster_pairs.hpp"
#include "src/modules/md/pair_potentials/pair_table.hpp"

namespace gsim::md {

/// Lennard-Jones, cut at `cutoff`; `shifted`: the energy is zero there.
struct LennardJonesPair {
  double epsilon = 1, sigma = 1, cutoff = 2.5;
  bool shifted = false;
};

struct NonbondedOptions {
  double skin = 0.3;
  PairPrecision precision = PairPrecision::mixed;
  double largest_charge = 0;  ///< the largest |charge| of any atom of the system
  /// The id that people know an atom by, for messages; none: the engine's.
  std::function<Index(Index)> id_of = {};
};

class Nonbonded {
 public:
  /// As ClusterPairs, and InputError for potentials that PairFunction or PairPass refuse. Quanta
  /// are those that suit largest() alone, until set_quanta().
  Nonbonded(Executor executor, const Box& box, const PairTable& table,
            const NonbondedOptions& options);
  /// Of atoms of one type.
  Nonbonded(Executor executor, const Box& box, const LennardJonesPair& pair, double skin,
            PairPrecision precision);
  ~Nonbonded();
  Nonbonded(Nonbonded&&) noexcept;
  Nonbonded& operator=(Nonbonded&&) noexcept;

  /// What collect() counts apart: "pair", and "coulomb" where there are charged potentials.
  std::vector<std::string> energy_names() const;
  double cutoff() const;
  LargestForce largest() const;
  /// InputError where largest() is above 2^50 of them.
  void set_quanta(const ForceQuanta& quanta);
  const ForceQuanta& quanta() const;
  /// As ClusterPairs::set_box() and set_skin().
  void set_box(const Box& box);
  void set_skin(double skin);

  /// As ClusterPairs: the lists, an order of locals, the locals' positions. `atoms` must stay where
  /// they are until the next rebuild().
  void rebuild(const PairAtoms& atoms, const Exclusions* exclusions = nullptr);
  View<const std::int32_t> spatial_order() const;
  bool load_locals(View<const FixedPosition> positions);
  ListState read_locals(View<const FixedPosition> positions);
  void shorten_lists();
  /// Pairs of owned atoms; then, when the ghosts have arrived, pairs of owned atoms with ghosts.
  void compute_locals(bool with_sums);
  void compute_ghosts(View<const FixedPosition> positions, bool with_sums);
  /// Adds the forces since the last collect() to `forces` (x, y, z of every owned atom, in force
  /// quanta), energies and virial to `sums`. NumericalError, with the atoms' ids, when two atoms
  /// overlapped so far that a sum may have left its range.
  void collect(View<std::int64_t> forces, ForceSums& sums);

  /// Cluster pairs in the list.
  Index cluster_pairs() const;
  /// As ShortRange::work().
  std::int64_t work(std::span<std::int64_t> shares) const;

 private:
  class Engine;
  template <class Real>
  class EngineOf;
  std::unique_ptr<Engine> engine_;
};

}  // namespace gsim::md
