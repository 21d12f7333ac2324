#pragma once
// Systems of bonded atoms whose forces BondedForces computes on any number of ranks.

#include <cstdint>
#include <numeric>
#include <vector>

#include "src/modules/md/bonded/bonded_forces.hpp"
#include "support/test_executor.hpp"
#include "unit/md/bonded/bonded_styles.hpp"
#include "unit/md/forces/term_rank.hpp"

namespace gsim::md {

/// A system of bonded atoms. Positions outside the box are wrapped into it.
struct BondedSystem {
  Box box;
  std::vector<Vector3> positions;
  Topology topology;
  BondedParameters parameters;
  std::vector<std::int32_t> types = {};  ///< empty: all 0
  std::vector<double> charges = {};

  Index atoms() const { return static_cast<Index>(positions.size()); }
};

/// Forces, energies and virial of the bonded terms.
struct BondedResult : ForceTermResult {
  double energy() const { return std::accumulate(energies.begin(), energies.end(), 0.0); }
};

/// The bonded atoms of one rank, and their forces.
class BondedRank : public ForceTermRank {
 public:
  BondedRank(const Communicator& communicator, const Executor& executor, const BondedSystem& system)
      : ForceTermRank(communicator, executor, system.box, {.charges = !system.charges.empty()},
                      system.atoms()),
        forces(particles, box, system.topology, system.atoms(), system.parameters) {
    quanta = quanta_for(forces.largest());
    forces.set_quanta(quanta);
    fill(system.positions);
    if (!system.types.empty()) particles.store.assign(particles.type, own_part(system.types));
    if (!system.charges.empty()) particles.store.assign(particles.charge, own_part(system.charges));
    forces.fill(particles);
  }

  /// Migrates atoms, plans the exchange of ghosts and rebuilds lists. `shuffle` != 0 permutes the
  /// rank's atoms.
  void rebuild(std::uint64_t shuffle = 0) {
    migrate(shuffle);
    plan.build(particles.store, box, decomposition, forces.reach());
    forces.exclude(context(true));
    forces.rebuild(context(true));
  }

  BondedResult compute(bool with_sums = true) { return {result_of(forces, with_sums)}; }

  BondedForces forces;
};

/// Computes the bonded terms on one rank and thread.
inline BondedResult compute(const BondedSystem& system) {
  BondedRank rank(Communicator::self(), gsim::test::test_executor(), system);
  rank.rebuild();
  return rank.compute();
}

/// Computes the bonded terms on `ranks` ranks, and checks that all ranks have the same result.
inline BondedResult compute(const BondedSystem& system, int ranks, const Executor& executor,
                            std::uint64_t shuffle = 0) {
  return compute_on_ranks<BondedRank>(system, ranks, executor, shuffle);
}

inline DihedralSeries periodic(double k, Index n, double phase) {
  DihedralSeries d;
  add_periodic_term(d, k, n, phase);
  return d;
}

}  // namespace gsim::md
