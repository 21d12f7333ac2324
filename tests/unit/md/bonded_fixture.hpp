#pragma once
// Small systems of bound atoms, computed by BondedForces on any number of ranks.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/error.hpp"
#include "gsim/domain/decomposition.hpp"
#include "gsim/domain/halo.hpp"
#include "gsim/domain/migrator.hpp"
#include "src/modules/md/bonded/bonded_forces.hpp"
#include "src/modules/md/forces/powers_of_two.hpp"

namespace gsim::md {

/// Bound atoms anywhere; positions are wrapped.
struct BoundSystem {
  Box box;
  std::vector<Vector3> points;
  Topology topology;
  BondedParameters parameters;
  std::vector<std::int32_t> types = {};  ///< empty: all 0
  std::vector<double> charges = {};

  Index atoms() const { return static_cast<Index>(points.size()); }
};

/// What a system's bonded terms give; rows in the order of ids.
struct BondedResult {
  std::vector<std::int64_t> quanta;  ///< 3 an atom
  std::vector<ExactSum> sums;        ///< energies, then the virial: twice, in energy quanta
  std::vector<Vector3> forces;
  std::vector<double> energies;
  double virial[6] = {};
  double energy() const { return std::accumulate(energies.begin(), energies.end(), 0.0); }
};

/// One rank's part.
class BondedRank {
 public:
  BondedRank(const Communicator& communicator, const Executor& executor, const BoundSystem& system)
      : comm(communicator),
        box(system.box),
        particles(executor, {.charges = !system.charges.empty()}),
        bricks(box, comm.size()),
        migrator(comm, executor, BufferPath::host),
        plan(comm),
        forces(particles, box, system.topology, system.atoms(), system.parameters),
        atoms_(system.atoms()) {
    quanta = quanta_for(forces.largest());
    forces.set_quanta(quanta);
    fill(system);
    forces.fill(particles);
  }

  /// Migrates, plans ghosts, lists. `shuffle`: rows in another order.
  void rebuild(std::uint64_t shuffle = 0) {
    migrator.migrate(particles.store, bricks);
    if (shuffle != 0) permute(shuffle);
    plan.build(particles.store, box, bricks, forces.reach());
    forces.exclude(context(true));
    forces.rebuild(context(true));
  }

  BondedResult compute(bool with_sums = true) {
    const auto f = particles.store.elements<std::int64_t>(particles.force);
    particles.store.executor().fill_zero(f.data, static_cast<std::size_t>(f.size) * 8);
    ForceSums sums;
    sums.energy.resize(forces.energy_names().size());
    forces.compute(context(with_sums), sums);
    BondedResult result;
    result.sums = sums.energy;
    result.sums.insert(result.sums.end(), sums.virial, sums.virial + 6);
    comm.sum(std::span<ExactSum>(result.sums));
    const auto rows = rows_by_id(comm, particles.store, particles.force, atoms_);
    std::vector<std::int64_t> mine(rows.size() / 8);
    if (!rows.empty()) std::memcpy(mine.data(), rows.data(), rows.size());
    result.quanta = comm.allgather(std::span<const std::int64_t>(mine));
    for (std::size_t i = 0; i + 2 < result.quanta.size(); i += 3) {
      Vector3& force = result.forces.emplace_back();
      for (std::size_t a = 0; a < 3; ++a)
        force[a] = static_cast<double>(result.quanta[i + a]) * quanta.force;
    }
    const std::size_t names = sums.energy.size();
    for (std::size_t k = 0; k < names; ++k)
      result.energies.push_back(result.sums[k].value(quanta.energy) / 2);
    for (std::size_t v = 0; v < 6; ++v)
      result.virial[v] = result.sums[names + v].value(quanta.energy) / 2;
    return result;
  }

  ForceContext context(bool with_sums) { return {particles, box, plan, comm, with_sums}; }

  Communicator comm;
  Box box;
  Particles particles;
  Decomposition bricks;
  Migrator migrator;
  HaloPlan plan;
  BondedForces forces;
  ForceQuanta quanta;

 private:
  void fill(const BoundSystem& system) {
    const IndexRange mine = partition({0, atoms_}, comm.size(), comm.rank());
    ParticleStore& store = particles.store;
    store.resize_locals(mine.size());
    for (Index i = 0; i < mine.size(); ++i) {
      const auto k = static_cast<std::size_t>(mine.first + i);
      ImageCount image{};
      particles.ids()[i] = mine.first + i;
      particles.positions()[i] = box.to_fixed(system.points[k], image);
      store.view<ImageCount>(particles.image)[i] = image;
      if (!system.types.empty()) store.view<std::int32_t>(particles.type)[i] = system.types[k];
      if (!system.charges.empty()) store.view<double>(particles.charge)[i] = system.charges[k];
    }
  }
  void permute(std::uint64_t shuffle) {
    std::vector<std::int32_t> order(static_cast<std::size_t>(particles.locals()));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) {
      shuffle = shuffle * 6364136223846793005u + 1442695040888963407u;
      std::swap(order[i - 1], order[(shuffle >> 33) % i]);
    }
    particles.store.permute({order.data(), particles.locals()});
  }
  Index atoms_;
};

/// On one rank and thread.
inline BondedResult compute(const BoundSystem& system) {
  BondedRank rank(Communicator::self(), Executor::host(1), system);
  rank.rebuild();
  return rank.compute();
}

/// On `ranks` ranks; the same on each, as checked.
inline BondedResult compute(const BoundSystem& system, int ranks, const Executor& executor,
                            std::uint64_t shuffle = 0) {
  BondedResult result;
  std::mutex lock;
  run_in_process(ranks, [&](Communicator comm) {
    BondedRank rank(comm, executor, system);
    rank.rebuild(shuffle);
    const BondedResult mine = rank.compute();
    const std::lock_guard guard(lock);
    if (!result.quanta.empty()) CHECK(mine.quanta == result.quanta);
    result = mine;
  });
  return result;
}

inline DihedralParameters periodic(double k, Index n, double phase) {
  DihedralParameters d;
  add_periodic_term(d, k, n, phase);
  return d;
}

}  // namespace gsim::md
