// Pair forces with several types, charges, exclusions and tail corrections have the same bits on
// any number of ranks.

#include "src/modules/md/pair_forces/pair_forces.hpp"

#include <array>
#include <mutex>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/decomposition.hpp"
#include "gsim/domain/migrator.hpp"
#include "src/modules/md/bonded/topology/topology_columns.hpp"
#include "support/test_executor.hpp"
#include "unit/md/forces/exclusion_lists.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

constexpr Index atoms = 600;
const Box box({0, 0, 0}, {11, 10, 12}, {1.5, 0, -1});

struct GlobalResult {
  std::vector<std::byte> forces;
  std::vector<ExactSum> sums;  // energies, virial
};

/// The position of atom k: a lattice site, with a random displacement too small for overlaps.
FixedPosition position(Index k) {
  std::mt19937_64 random(static_cast<unsigned>(k));
  const Index n[3] = {k % 10, k / 10 % 8, k / 80};
  const Index sites[3] = {10, 8, 8};
  FixedPosition p;
  for (std::size_t a = 0; a < 3; ++a)
    p.x[a] = static_cast<std::uint64_t>(
                 (static_cast<double>(n[a]) + 0.1 * static_cast<double>(random() >> 11) * 0x1p-53) /
                 static_cast<double>(sites[a]) * 0x1p32)
             << 32;
  return p;
}

GlobalResult run(int ranks, PairPrecision precision, bool has_exclusions) {
  GlobalResult global;
  std::vector<std::vector<std::byte>> parts(static_cast<std::size_t>(ranks));
  std::mutex lock;
  run_in_process(ranks, [&](Communicator comm) {
    const Executor executor = gsim::test::test_executor();
    Particles particles(executor, {.charges = true});
    const IndexRange own_range = partition({0, atoms}, comm.size(), comm.rank());
    ParticleStore& store = particles.store;
    store.make_locals(own_range);
    std::vector<FixedPosition> positions;
    std::vector<std::int32_t> types;
    std::vector<double> charges;
    for (Index k = own_range.first; k < own_range.last; ++k) {
      positions.push_back(position(k));
      types.push_back(static_cast<std::int32_t>(k % 7 < 3));
      charges.push_back(k % 2 == 0 ? 0.3 : -0.3);
    }
    store.assign(store.position(), positions);
    store.assign(particles.type, types);
    store.assign(particles.charge, charges);
    PairTable table({"A", "B"});
    table.add(0, 0, lennard_jones(1, 1, 2.2, Smoothing::xplor, 1.9));
    table.add(1, 1, lennard_jones(0.5, 1.05, 2.2, Smoothing::xplor, 1.9));
    table.mix(MixingRule::lorentz_berthelot);
    PairTable charged = table;
    charged.add_charged(
        {&potential_kind("damped_coulomb"), {1.0, 0.7}, 2.4, Smoothing::force_shift});
    const auto forces = make_pair_forces(
        executor, box, charged, {.skin = 0.3, .precision = precision, .largest_charge = 0.3});
    forces->add_tail(TailFunction(table), {342, 258});  // atoms of each type
    CHECK(forces->energy_names() == std::vector<std::string>{"pair", "coulomb", "tail"});
    Exclusions exclusions(executor);
    if (has_exclusions) forces->use_exclusions(&exclusions);

    Decomposition decomposition(box, comm.size());
    Migrator migrator(comm, executor, BufferPath::host);
    HaloPlan plan(comm);
    migrator.migrate(store, decomposition);
    plan.build(store, box, decomposition, forces->cutoff() + 0.3);  // cutoff and skin
    const HostRows<std::int64_t> ids(store, store.id());
    exclude(exclusions, {ids.view().begin(), ids.view().end()}, store.locals(),
            [](std::int64_t id) { return std::array{id ^ 1}; });  // pairs (0, 1), (2, 3), …
    const ForceContext context{particles, box, plan, comm, true};
    forces->rebuild(context);
    REQUIRE(forces->load_locals(context));
    const View<std::int64_t> force = store.elements<std::int64_t>(particles.force);
    executor.fill_zero(force.data, static_cast<std::size_t>(force.size) * 8);
    forces->compute_locals(context);
    forces->compute_ghosts(context);
    ForceSums sums;
    forces->collect(context, sums);
    forces->check();
    std::vector<ExactSum> all = sums.energy;
    all.insert(all.end(), sums.virial, sums.virial + 6);
    comm.sum(all);
    const auto rows = rows_by_id(comm, store, particles.force, atoms);
    const std::lock_guard guard(lock);
    parts[static_cast<std::size_t>(comm.rank())] = rows;
    if (comm.is_root()) global.sums = all;
    if (comm.is_root() && ranks == 1) {
      const TailCorrection tail = TailFunction(table).at({342, 258}, box.volume());
      const double half_quantum = 0.5 * forces->quanta().energy;
      CHECK(all[2].value(half_quantum) == doctest::Approx(tail.energy).epsilon(1e-12));
      CHECK(tail.energy < -1);
    }
  });
  for (const auto& part : parts)
    global.forces.insert(global.forces.end(), part.begin(), part.end());
  return global;
}

}  // namespace

TEST_CASE("pair forces: forces and sums have the same bits on any number of ranks") {
  for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::float64}) {
    const GlobalResult without_exclusions = run(1, precision, false),
                       with_exclusions = run(1, precision, true);
    CHECK(without_exclusions.forces != with_exclusions.forces);
    CHECK(without_exclusions.sums[1] != with_exclusions.sums[1]);
    CHECK(without_exclusions.sums[2] ==
          with_exclusions.sums[2]);  // the tail does not depend on exclusions
    for (const int ranks : {2, 3, 5}) {
      CAPTURE(ranks);
      const GlobalResult result = run(ranks, precision, true);
      CHECK(result.forces == with_exclusions.forces);
      CHECK(result.sums == with_exclusions.sums);
    }
  }
}
