// The computational work estimated from pair lists, and load balancing of a droplet in one half of
// the box.

#include <atomic>
#include <mutex>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "src/modules/md/pair_forces/cluster_pair_forces.hpp"
#include "src/modules/md/pair_forces/full_list_pair_forces.hpp"
#include "src/modules/md/simulation/domain.hpp"
#include "src/modules/md/structures/droplet.hpp"
#include "support/test_executor.hpp"
#include "unit/md/pair_forces/pair_systems.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

constexpr double cutoff = 2.5, skin = 0.3;

/// A droplet in one half of the box. Its atoms are displaced from lattice points, so that borders
/// between ranks can divide it anywhere.
AtomSystem droplet_system() {
  DropletOptions options;
  options.radius = 8;
  options.liquid_density = 0.8;
  options.vapour_density = 0.02;
  options.lengths = {44, 22, 22};
  options.centre = {0.25, 0.5, 0.5};
  AtomSystem system = make_droplet(options);
  std::mt19937_64 random(5);
  for (FixedPosition& p : system.atoms.position)
    for (auto& x : p.x) x += random() >> 6;  // up to a 64th of the box
  return system;
}

enum class Lists { clusters, full };

std::unique_ptr<PairForces> make_forces(Lists lists, const Executor& executor, const Box& box) {
  const PairTable table = lennard_jones_table(cutoff);
  if (lists == Lists::clusters) return make_cluster_pair_forces(executor, box, table, {skin});
  return make_full_list_pair_forces(executor, box, table, {skin});
}

/// Clusters are lists of the host.
Executor executor_for(Lists lists) {
  return lists == Lists::clusters ? Executor::host(1) : gsim::test::test_executor();
}

/// The atoms of one rank with their pair lists and the decomposition.
class BalancedRank {
 public:
  BalancedRank(const Communicator& comm, const AtomSystem& system, Lists lists,
               const BalanceConfig& balance = {})
      : comm_(comm),
        box_(system.box),
        particles(executor_for(lists), {}),
        pairs_(make_forces(lists, particles.store.executor(), box_)),
        domain(comm, particles, box_, cutoff + skin, BufferPath::host, balance) {
    const IndexRange own_range = partition({0, system.atoms.size()}, comm.size(), comm.rank());
    particles.store.make_locals(own_range);
    particles.store.assign(particles.store.position(),
                           std::vector(system.atoms.position.begin() + own_range.first,
                                       system.atoms.position.begin() + own_range.last));
    rebuild();
  }

  /// Balances the load. Returns whether borders moved.
  bool balance() {
    if (domain.balance(box_, work, [&] { return std::span<const std::int64_t>(atom_work); }) ==
        Borders::unchanged)
      return false;
    rebuild();
    return true;
  }
  double imbalance() const { return gsim::imbalance(comm_, static_cast<double>(work)); }

 private:
  void rebuild() {
    domain.rebuild(box_);
    const ForceContext context{particles, box_, domain.plan(), comm_, false};
    pairs_->rebuild(context);
    atom_work.assign(static_cast<std::size_t>(particles.locals()), -1);
    work = pairs_->work(atom_work);
  }

  Communicator comm_;
  Box box_;

 public:
  Particles particles;

 private:
  std::unique_ptr<PairForces> pairs_;

 public:
  Domain domain;
  std::vector<std::int64_t> atom_work;
  std::int64_t work = 0;
};

Index sum(const std::vector<std::int64_t>& atom_work) {
  return std::accumulate(atom_work.begin(), atom_work.end(), Index{0});
}

}  // namespace

TEST_CASE(
    "balance: the work of an atom is that of its pairs, and pairs across borders count on both "
    "ranks") {
  const AtomSystem system = droplet_system();
  for (const Lists lists : {Lists::clusters, Lists::full}) {
    std::atomic<Index> work_on_one_rank{0}, assigned_work{0}, total_work{0};
    run_in_process(1, [&](Communicator comm) {
      BalancedRank rank(comm, system, lists);
      // Rounding loses less than one unit of a cluster's work for each of its atoms.
      CHECK(rank.work >= sum(rank.atom_work));
      CHECK(rank.work - sum(rank.atom_work) < rank.particles.locals());
      work_on_one_rank = rank.work;
      // An atom in the droplet, whose ids come first, has about 70 neighbours, an atom of the
      // vapour few.
      std::int64_t heaviest = 0, lightest = rank.work;
      for (Index i = 0; i < rank.particles.locals(); ++i) {
        const auto share = rank.atom_work[static_cast<std::size_t>(i)];
        heaviest = std::max(heaviest, share);
        lightest = std::min(lightest, share);
      }
      CHECK(lightest > 0);
      CHECK(heaviest > 3 * lightest);
    });
    run_in_process(3, [&](Communicator comm) {
      BalancedRank rank(comm, system, lists);
      assigned_work += sum(rank.atom_work);
      total_work += rank.work;
    });
    // The work of clusters differs slightly between one and three ranks; the work of full lists
    // does not.
    const double tolerance = lists == Lists::clusters ? 0.15 : 1e-12;
    CHECK(static_cast<double>(assigned_work) ==
          doctest::Approx(static_cast<double>(work_on_one_rank)).epsilon(tolerance));
    CHECK(total_work >= assigned_work);
  }
}

TEST_CASE("balance: a droplet is divided evenly between ranks, and borders then stay") {
  const AtomSystem system = droplet_system();
  for (const int ranks : {2, 3, 5}) {
    CAPTURE(ranks);
    std::vector<double> imbalances;
    std::atomic<int> different{0};
    std::mutex lock;
    for (int repeat = 0; repeat < 2; ++repeat)
      run_in_process(ranks, [&](Communicator comm) {
        BalancedRank rank(comm, system, Lists::clusters, {.tolerance = 0.03, .speeds = {}});
        std::vector<double> imbalances_here{rank.imbalance()};
        for (int round = 0; round < 6 && rank.balance(); ++round)
          imbalances_here.push_back(rank.imbalance());
        const std::lock_guard guard(lock);
        if (imbalances.empty()) imbalances = imbalances_here;
        different += imbalances_here != imbalances;
      });
    CHECK(different == 0);  // work is counted and not timed, so that borders are reproducible
    CAPTURE(imbalances.size());
    CHECK(imbalances.front() > 1.3);
    CHECK(imbalances.size() <= 5);
    CHECK(imbalances.back() <= 1.03);
  }
}

TEST_CASE("balance: a slower rank gets less work") {
  const AtomSystem system = droplet_system();
  std::atomic<Index> work[2] = {0, 0};
  const auto run = [&](const BalanceConfig& config, double seconds_per_work) {
    run_in_process(2, [&](Communicator comm) {
      BalancedRank rank(comm, system, Lists::full, config);
      for (int round = 0; round < 6; ++round) {
        const double slowness = comm.rank() == 1 ? seconds_per_work : 1;
        // Ten steps, in each of which a unit of work takes `slowness` seconds.
        rank.domain.add_seconds(10 * slowness * static_cast<double>(rank.work));
        rank.domain.end_interval(10);
        rank.balance();
      }
      work[comm.rank()] = rank.work;
    });
    return static_cast<double>(work[0]) / static_cast<double>(work[1]);
  };
  CHECK(run({.tolerance = 0.02, .speeds = {}}, 1) == doctest::Approx(1).epsilon(0.045));
  CHECK(run({.tolerance = 0.02, .speeds = {}}, 2) == doctest::Approx(2).epsilon(0.045));
  // Configured speeds take precedence over measured ones.
  CHECK(run({.tolerance = 0.02, .speeds = {1, 3}}, 2) == doctest::Approx(1.0 / 3).epsilon(0.045));
}
