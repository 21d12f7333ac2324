#pragma once
// Fixtures for tests of one force term (bonded, Ewald, EAM): atoms distributed over ranks, and the
// term's forces, energies and virial gathered from all ranks.

#include <cstdint>
#include <cstring>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/decomposition.hpp"
#include "gsim/domain/halo.hpp"
#include "gsim/domain/migrator.hpp"
#include "gsim/exec/array.hpp"
#include "src/modules/md/forces/force_term.hpp"
#include "src/modules/md/forces/powers_of_two.hpp"
#include "support/test_executor.hpp"

namespace gsim::md {

/// Results of a force term, with atoms in the order of their ids.
struct ForceTermResult {
  std::vector<std::int64_t> quanta;  ///< forces in units of the force quantum, 3 per atom
  std::vector<ExactSum> sums;        ///< twice the energies and the virial (6), in energy quanta
  std::vector<Vector3> forces;
  std::vector<double> energies;
  double virial[6] = {};
};

/// The atoms of one rank, without the force term.
class ForceTermRank {
 public:
  ForceTermRank(const Communicator& communicator, const Executor& executor, const Box& system_box,
                const ParticleOptions& options, Index atoms)
      : comm(communicator),
        box(system_box),
        particles(executor, options),
        decomposition(box, comm.size()),
        migrator(comm, executor, BufferPath::host),
        plan(comm),
        atoms_(atoms) {}

  ForceContext context(bool with_sums) { return {particles, box, plan, comm, with_sums}; }

  Communicator comm;
  Box box;
  Particles particles;
  Decomposition decomposition;
  Migrator migrator;
  HaloPlan plan;
  ForceQuanta quanta;

 protected:
  IndexRange own_range() const { return partition({0, atoms_}, comm.size(), comm.rank()); }

  /// Sets ids, positions and image flags of this rank's share of the atoms.
  void fill(const std::vector<Vector3>& points) {
    ParticleStore& store = particles.store;
    store.make_locals(own_range());
    std::vector<FixedPosition> positions;
    std::vector<ImageCount> images;
    for (Index i = own_range().first; i < own_range().last; ++i) {
      ImageCount image{};
      positions.push_back(box.to_fixed(points[static_cast<std::size_t>(i)], image));
      images.push_back(image);
    }
    store.assign(store.position(), positions);
    store.assign(particles.image, images);
  }
  /// The elements of `all` that belong to this rank's share of the atoms.
  template <class T>
  std::vector<T> own_part(const std::vector<T>& all) const {
    return {all.begin() + own_range().first, all.begin() + own_range().last};
  }

  /// Migrates atoms to their ranks. `shuffle` != 0 permutes the atoms of the rank; each value gives
  /// another order.
  void migrate(std::uint64_t shuffle) {
    migrator.migrate(particles.store, decomposition);
    if (shuffle == 0) return;
    std::vector<std::int32_t> order(static_cast<std::size_t>(particles.locals()));
    std::iota(order.begin(), order.end(), 0);
    // Knuth's linear congruential generator MMIX.
    for (std::size_t i = order.size(); i > 1; --i) {
      shuffle = shuffle * 6364136223846793005u + 1442695040888963407u;
      std::swap(order[i - 1], order[(shuffle >> 33) % i]);
    }
    const Array<std::int32_t> device_order(particles.store.executor(), order);
    particles.store.permute(device_order.view());
  }

  /// Returns the forces and sums of one term from all ranks.
  ForceTermResult result_of(ForceTerm& term, bool with_sums) {
    const auto f = particles.store.elements<std::int64_t>(particles.force);
    particles.store.executor().fill_zero(f.data, static_cast<std::size_t>(f.size) * 8);
    ForceSums sums;
    const std::size_t energy_count = term.energy_names().size();
    sums.energy.resize(energy_count);
    term.compute(context(with_sums), sums);
    ForceTermResult result;
    result.sums = sums.energy;
    result.sums.insert(result.sums.end(), sums.virial, sums.virial + 6);
    comm.sum(std::span<ExactSum>(result.sums));
    const auto rows = rows_by_id(comm, particles.store, particles.force, atoms_);
    std::vector<std::int64_t> own(rows.size() / 8);
    if (!rows.empty()) std::memcpy(own.data(), rows.data(), rows.size());
    result.quanta = comm.allgather(std::span<const std::int64_t>(own));
    for (std::size_t i = 0; i + 2 < result.quanta.size(); i += 3) {
      Vector3& force = result.forces.emplace_back();
      for (std::size_t a = 0; a < 3; ++a)
        force[a] = static_cast<double>(result.quanta[i + a]) * quanta.force;
    }
    for (std::size_t k = 0; k < energy_count; ++k)
      result.energies.push_back(result.sums[k].value(quanta.energy) / 2);
    for (std::size_t v = 0; v < 6; ++v)
      result.virial[v] = result.sums[energy_count + v].value(quanta.energy) / 2;
    return result;
  }

 private:
  Index atoms_;
};

/// Calls Rank(comm, executor, system).compute() on `ranks` ranks, and checks that all ranks have
/// the same result.
template <class Rank, class System>
auto compute_on_ranks(const System& system, int ranks, const Executor& executor,
                      std::uint64_t shuffle) {
  decltype(std::declval<Rank&>().compute()) result;
  std::mutex lock;
  run_in_process(ranks, [&](Communicator comm) {
    Rank rank(comm, test::executor_of_rank(executor), system);
    rank.rebuild(shuffle);
    const auto rank_result = rank.compute();
    const std::lock_guard guard(lock);
    if (!result.quanta.empty()) CHECK(rank_result.quanta == result.quanta);
    result = rank_result;
  });
  return result;
}

}  // namespace gsim::md
