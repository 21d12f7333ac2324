// Full neighbour lists compared with cluster pair lists: both give the same integer forces and
// energies for any executor, box, capacity of the lists and number of ranks.

#include "src/modules/md/neighbour_lists/full_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/domain/migrator.hpp"
#include "src/modules/md/pair_forces/cluster_pair_forces.hpp"
#include "src/modules/md/pair_forces/full_list_pair_forces.hpp"
#include "src/modules/md/simulation/domain.hpp"
#include "support/test_executor.hpp"
#include "unit/md/forces/exclusion_lists.hpp"
#include "unit/md/pair_forces/all_potentials.hpp"
#include "unit/md/pair_forces/pair_systems.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

const Box cube({0, 0, 0}, {10.0779, 10.0779, 10.0779});
const Box tilted({1, 2, 3}, {10.4, 10.2, 9.9}, {2.1, -1.4, 3.0});
const Box open_box({0, 0, 0}, {12, 12, 12}, {},
                   {Boundary::open, Boundary::periodic, Boundary::open});

struct Atoms {
  std::vector<FixedPosition> positions;
  std::vector<std::int32_t> types;
  std::vector<double> charges;
  std::vector<std::int64_t> ids;
};

/// An fcc crystal of two types of atoms with random displacements, in the fraction `fill` of the
/// box along each axis.
Atoms disordered_crystal(const Box& box, int cells, double fill = 1) {
  std::mt19937_64 random(5);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53 - 0.5; };
  Atoms atoms;
  each_fcc_site(
      box, cells, fill, [&] { return 0.24 * uniform(); },
      [&](const FixedPosition& position) {
        atoms.positions.push_back(position);
        atoms.types.push_back(static_cast<std::int32_t>(random() % 2));
        atoms.charges.push_back(2 * uniform());
        atoms.ids.push_back(static_cast<std::int64_t>(10 + 3 * atoms.ids.size()));
      });
  return atoms;
}

using Result = PairResult;

/// The two atoms before and after an atom in the order of ids.
std::array<std::int64_t, 4> next_ids(std::int64_t id) { return {id - 6, id - 3, id + 3, id + 6}; }

/// `pairs` belongs to `executor`.
Result compute(const Executor& executor, PairForces& pairs, const Atoms& atoms, Index locals,
               bool with_exclusions = false) {
  Exclusions exclusions(executor);
  exclude(exclusions, atoms.ids, locals, next_ids);
  const DeviceAtoms device(executor, atoms);
  pairs.list_pairs(device.pair_atoms(locals), with_exclusions ? &exclusions : nullptr);
  Result reference;  // forces are added to the initial values, 7 here
  REQUIRE(pairs.load_positions(device.positions.view()));
  const std::vector<std::int64_t> initial(static_cast<std::size_t>(3 * locals), 7);
  for (const bool with_sums : {true, false}) {
    Array<std::int64_t> forces(executor, initial);
    Result result;
    pairs.compute_local_pairs(forces.view(), with_sums);
    pairs.compute_ghost_pairs(device.positions.view(), forces.view(), with_sums);
    pairs.collect_forces(forces.view(), result.sums);
    pairs.check();
    result.forces = forces.to_host();
    if (with_sums)
      reference = result;
    else
      CHECK(result.forces == reference.forces);
  }
  CHECK(reference.sums.energy.back() != ExactSum());
  return reference;
}

PairTable one_type(double cutoff = 2.5) {
  return lennard_jones_table(cutoff, Smoothing::shift, 1, 1, {"A", "B"});
}
PairTable two_types() {
  PairTable table({"A", "B"});
  table.add(0, 0, lennard_jones(1.0, 0.95, 2.4));
  table.add(0, 1, lennard_jones(0.8, 0.97, 2.5, Smoothing::xplor, 2.0));
  table.add(1, 1, lennard_jones(0.7, 1.0, 2.0, Smoothing::force_shift));
  return table;
}

/// A table with potentials of every kind and smoothing, several of them for the same pair of types.
PairTable table_of_all_potentials() {
  const auto potential = [](const char* kind, std::vector<double> parameters, double cutoff,
                            Smoothing smoothing = Smoothing::cut, double inner = 0) {
    return PairPotential{&potential_kind(kind), std::move(parameters), cutoff, smoothing, inner};
  };
  PairTable t({"A", "B"});
  t.add(0, 0, lennard_jones(1.0, 0.95, 2.4));
  t.add(0, 0, potential("gaussian", {0.5, 0.7}, 2.0));
  t.add(0, 1, potential("morse", {0.8, 5.0, 1.1}, 2.2, Smoothing::shift));
  t.add(0, 1, potential("yukawa", {2.0, 1.3}, 2.3, Smoothing::force_shift));
  t.add(0, 1, potential("buckingham", {1000, 0.15, 0.3}, 2.5, Smoothing::xplor, 2.0));
  t.add(1, 1, lennard_jones(1.4, 0.9, 2.5, Smoothing::xplor, 2.1));
  std::string text;
  for (int k = 0; k <= 400; ++k) {
    const double r = 0.6 + 2.0 * k / 400, u = 3 * std::exp(-2 * r) / r;
    text += fmt::format("{:.17g} {:.17g} {:.17g}\n", r, u, u * (2 * r + 1) / r);
  }
  PairPotential table = potential("table", {}, 2.5, Smoothing::shift);
  table.samples = std::make_shared<RadialSamples>(read_radial_samples(text, "t", ""));
  t.add(1, 1, table);
  t.add_charged(potential("damped_coulomb", {1.2, 0.8}, 2.6, Smoothing::force_shift));
  t.add_charged(potential("reaction_field", {0.4, 0.02, 0.5}, 2.1));
  return t;
}

/// The same potential between all types.
PairTable table_of_one_potential() {
  PairTable t({"A", "B"});
  for (int a = 0; a < 2; ++a)
    for (int b = a; b < 2; ++b)
      t.add(a, b, {&potential_kind("morse"), {0.8, 5.0, 1.1}, 2.2, Smoothing::cut});
  return t;
}

constexpr std::array precisions = {PairPrecision::mixed, PairPrecision::float64};

Result compute_with_cluster_lists(const Box& box, const PairTable& table,
                                  const PairForceOptions& options, const Atoms& atoms, Index locals,
                                  bool with_exclusions = false) {
  const Executor host = Executor::host(1);
  const auto pairs = make_cluster_pair_forces(host, box, table, options);
  return compute(host, *pairs, atoms, locals, with_exclusions);
}

}  // namespace

TEST_CASE("full list: forces and energies equal those of cluster lists on every CPU level") {
  for (const Box* box : {&cube, &tilted, &open_box})
    for (const PairPrecision precision : precisions)
      for (const bool is_one_type : {true, false}) {
        const Atoms atoms = disordered_crystal(*box, 6, box == &open_box ? 0.9 : 1.0);
        const auto n = static_cast<Index>(atoms.ids.size());
        const PairTable table = is_one_type ? one_type() : two_types();
        const PairForceOptions options{0.3, precision};
        const Result expected = compute_with_cluster_lists(*box, table, options, atoms, n);
        for (const Executor& executor : gsim::test::test_executors({1, 3})) {
          CAPTURE(executor.describe());
          const auto pairs = make_full_list_pair_forces(executor, *box, table, options);
          CHECK(compute(executor, *pairs, atoms, n) == expected);
        }
        for (const Index locals : {n / 3, Index{1}}) {  // the others are ghosts
          const Executor executor = gsim::test::test_executor(2);
          const auto pairs = make_full_list_pair_forces(executor, *box, table, options);
          CHECK(compute(executor, *pairs, atoms, locals) ==
                compute_with_cluster_lists(*box, table, options, atoms, locals));
        }
      }
}

TEST_CASE(
    "full list: forces and energies equal those of cluster lists with all potentials at once") {
  const Atoms atoms = disordered_crystal(tilted, 6);
  const auto n = static_cast<Index>(atoms.ids.size());
  for (const PairTable& table : {table_of_all_potentials(), table_of_one_potential()})
    for (const PairPrecision precision : precisions) {
      const PairForceOptions options{0.3, precision, 1.0};
      for (const Index locals : {n, n / 3}) {
        const Result expected = compute_with_cluster_lists(tilted, table, options, atoms, locals);
        for (const Executor& executor : gsim::test::test_executors({2})) {
          CAPTURE(executor.describe());
          const auto pairs = make_full_list_pair_forces(executor, tilted, table, options);
          CHECK(pairs->energy_names().size() == expected.sums.energy.size());
          CHECK(compute(executor, *pairs, atoms, locals) == expected);
        }
      }
    }
}

TEST_CASE("full list: forces and energies equal those of cluster lists with each potential alone") {
  const Atoms atoms = disordered_crystal(tilted, 7);
  const auto n = static_cast<Index>(atoms.ids.size());
  for (const PairPotential& potential : all_potentials(2.2)) {
    CAPTURE(std::string(potential.kind->name));
    PairTable table({"A", "B"});
    if (potential.kind->is_charged)
      table.add_charged(potential);
    else
      for (const auto& [a, b] : {std::pair{0, 0}, {0, 1}, {1, 1}}) table.add(a, b, potential);
    for (const PairPrecision precision : precisions) {
      const PairForceOptions options{0.3, precision, 1.0};
      const Executor executor = gsim::test::test_executor(2);
      const auto pairs = make_full_list_pair_forces(executor, tilted, table, options);
      CHECK(compute(executor, *pairs, atoms, n) ==
            compute_with_cluster_lists(tilted, table, options, atoms, n));
    }
  }
}

TEST_CASE("full list: excluded pairs have no force") {
  const Atoms atoms = disordered_crystal(tilted, 6);
  const auto n = static_cast<Index>(atoms.ids.size());
  for (const Index locals : {n, n / 2}) {
    const Executor executor = gsim::test::test_executor(2);
    const auto pairs = make_full_list_pair_forces(executor, tilted, two_types(), {});
    const Result excluded = compute(executor, *pairs, atoms, locals, true);
    CHECK(excluded == compute_with_cluster_lists(tilted, two_types(), {}, atoms, locals, true));
    CHECK_FALSE(excluded == compute(executor, *pairs, atoms, locals, false));
  }
}

TEST_CASE("full list: the capacity of rows grows to the number of neighbours and is kept") {
  const Atoms atoms = disordered_crystal(cube, 6);
  const auto n = static_cast<Index>(atoms.ids.size());
  for (const Index locals : {n, n / 2}) {
    const Result expected = compute_with_cluster_lists(cube, one_type(), {}, atoms, locals);
    const Executor executor = gsim::test::test_executor(3);
    const auto pairs = make_full_list_pair_forces(executor, cube, one_type(), {}, 5);
    CHECK(pairs->capacity() == 5);
    CHECK(compute(executor, *pairs, atoms, locals) == expected);
    // An atom has 4/3 pi 2.8^3 0.8442 = 77.6 neighbours on average.
    CHECK(pairs->capacity() > 70);
    CHECK(pairs->capacity() < 140);
    const int capacity = pairs->capacity();
    CHECK(compute(executor, *pairs, atoms, locals) == expected);
    CHECK(pairs->capacity() == capacity);
  }
}

TEST_CASE("full list: no pair is missed in a large box of few atoms, where cells share bins") {
  const Box large_box({0, 0, 0}, {400, 300, 500}, {50, 0, -20});
  Atoms atoms = disordered_crystal(large_box, 3, 0.013);
  const Atoms other = disordered_crystal(large_box, 3, 0.014);
  for (std::size_t k = 0; k < other.ids.size(); ++k) {  // a second, distant group of atoms
    atoms.positions.push_back(other.positions[k]);
    // shifted by 127/256 of the box along each axis
    for (auto& x : atoms.positions.back().x) x += 0x7fu * (std::uint64_t{1} << 56);
    atoms.types.push_back(other.types[k]);
    atoms.charges.push_back(0);
    atoms.ids.push_back(100000 + other.ids[k]);
  }
  const auto n = static_cast<Index>(atoms.ids.size());
  const FullListGrid grid = make_full_list_grid(large_box, 2.8, 60, n);
  double bins = 1;
  for (int a = 0; a < 3; ++a) {
    CHECK(grid.cells[a] % grid.bins[a] == 0);
    CHECK(grid.cells[a] > grid.bins[a]);
    if (a < 2) CHECK(grid.before[a] >= 2);
    bins *= grid.bins[a];
  }
  CHECK(bins <= 4 * static_cast<double>(n) + 64);
  const Executor executor = gsim::test::test_executor();
  const auto pairs = make_full_list_pair_forces(executor, large_box, one_type(), {});
  CHECK(compute(executor, *pairs, atoms, n) ==
        compute_with_cluster_lists(large_box, one_type(), {}, atoms, n));
}

TEST_CASE("full list: consecutive atoms of the spatial order are near each other") {
  const Atoms atoms = disordered_crystal(cube, 8);
  const auto n = static_cast<Index>(atoms.ids.size());
  const Executor executor = gsim::test::test_executor(2);
  const Array<FixedPosition> positions(executor, atoms.positions);
  const auto pairs = make_full_list_pair_forces(executor, cube, one_type(), {});
  pairs->list_pairs({positions.view(), n}, nullptr);
  const auto order = pairs->spatial_order();
  std::vector<std::int32_t> rows(static_cast<std::size_t>(order.size));
  executor.copy_to_host(rows.data(), order.data, rows.size() * sizeof rows[0]);
  double distance_in_order = 0, distance_at_random = 0;
  const auto separation = [&](std::int32_t a, std::int32_t b) {
    const auto d = cube.difference(atoms.positions[static_cast<std::size_t>(a)],
                                   atoms.positions[static_cast<std::size_t>(b)]);
    return std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  };
  std::mt19937 random(1);
  for (std::size_t k = 1; k < rows.size(); ++k) {
    distance_in_order += separation(rows[k - 1], rows[k]);
    distance_at_random += separation(rows[k], rows[random() % rows.size()]);
  }
  CHECK(distance_in_order < 0.45 * distance_at_random);
  std::sort(rows.begin(), rows.end());
  for (Index k = 0; k < n; ++k) REQUIRE(rows[static_cast<std::size_t>(k)] == k);
}

TEST_CASE(
    "full list: lists are stale once displacements and the change of the box use up the skin") {
  Atoms atoms = disordered_crystal(cube, 6);
  const auto n = static_cast<Index>(atoms.ids.size());
  const auto fixed_point_length = [&](double x) {
    return static_cast<std::uint64_t>(x / cube.lengths()[0] * 0x1p64);
  };
  for (const PairPrecision precision : precisions) {
    const Executor executor = gsim::test::test_executor(2);
    const auto pairs = make_full_list_pair_forces(executor, cube, one_type(), {0.3, precision});
    Array<FixedPosition> positions(executor, atoms.positions);
    const auto move_is_within_skin = [&](double distance) {
      atoms.positions[17].x[1] -= fixed_point_length(distance);
      positions.assign(atoms.positions);
      return pairs->load_positions(positions.view());
    };
    pairs->list_pairs({positions.view(), n}, nullptr);
    CHECK(move_is_within_skin(0.149));
    CHECK_FALSE(move_is_within_skin(0.002));
    pairs->list_pairs({positions.view(), n}, nullptr);
    CHECK(pairs->load_positions(positions.view()));
    pairs->box_changed(cube.stretched({0.9, 0.9, 0.9}));  // uses up 2.5 / 0.9 - 2.5 = 0.28
    CHECK(move_is_within_skin(0.008));
    CHECK_FALSE(move_is_within_skin(0.008));
  }
}

TEST_CASE("full list: a rebuild forgets overlaps that were found with stale lists, and no others") {
  const Atoms atoms = disordered_crystal(cube, 6);
  const Executor executor = gsim::test::test_executor();
  Array<FixedPosition> positions(executor, atoms.positions);
  FullList<float> list(executor, cube, 2.5, 0.3);
  const auto note_overlap = [&] {
    const std::uint64_t id = 31;
    executor.copy_from_host(&list.pass(false).status->overlap, &id, sizeof id);
  };
  const auto rebuild = [&] {
    list.rebuild({positions.view(), positions.size()}, nullptr);
    list.read_status();
  };
  rebuild();
  note_overlap();
  rebuild();
  CHECK(list.pop_overlap() == 31);
  std::vector<FixedPosition> moved = atoms.positions;
  moved[17].x[1] += std::uint64_t{1} << 60;
  positions.assign(moved);
  list.start_loading(positions.view());
  note_overlap();  // as kernels do before the state of the lists is known
  CHECK_FALSE(list.finish_loading());
  rebuild();
  CHECK(list.pop_overlap() == no_particle);
  list.start_loading(positions.view());
  CHECK(list.finish_loading());
}

TEST_CASE("full list: an overlap is reported once, with the id of an atom") {
  for (const PairPrecision precision : precisions)
    for (const bool is_one_type : {true, false})
      for (const double distance : {0.5, 0.3, 0.0}) {
        Atoms atoms = disordered_crystal(cube, 6);
        const auto n = static_cast<Index>(atoms.ids.size());
        atoms.positions[100] = atoms.positions[7];
        atoms.positions[100].x[2] +=
            static_cast<std::uint64_t>(distance / cube.lengths()[2] * 0x1p64);
        const Executor executor = gsim::test::test_executor();
        const DeviceAtoms device(executor, atoms);
        const auto pairs = make_full_list_pair_forces(
            executor, cube, is_one_type ? one_type() : two_types(), {0.3, precision});
        pairs->list_pairs({device.positions.view(), n, device.types.view(), {}, device.ids.view()},
                          nullptr);
        CHECK(pairs->load_positions(device.positions.view()));
        pairs->check();
        Array<std::int64_t> forces(executor, 3 * n);
        pairs->compute_local_pairs(forces.view(), false);
        std::string message;
        try {
          pairs->load_positions(device.positions.view());
        } catch (const NumericalError& error) {
          message = error.what();
        }
        CHECK(message.find("atom 31 and") != std::string::npos);  // the id of row 7
        pairs->check();
        pairs->compute_local_pairs(forces.view(), true);
        CHECK_THROWS_AS(pairs->check(), NumericalError);
        pairs->check();
      }
  CHECK_THROWS_AS(make_full_list_pair_forces(gsim::test::test_executor(), cube, one_type(5.0), {}),
                  InputError);
}

namespace {

/// Forces in the order of ids, and the sums, of atoms that are spread over ranks.
Result compute_on_ranks(int ranks, const Atoms& atoms, PairPrecision precision) {
  const auto n = static_cast<Index>(atoms.ids.size());
  Result all{std::vector<std::int64_t>(static_cast<std::size_t>(3 * n)), {}};
  std::mutex lock;
  run_in_process(ranks, [&](Communicator comm) {
    const Executor executor = gsim::test::test_executor();
    Particles particles(executor, {});
    const IndexRange own_range = partition({0, n}, comm.size(), comm.rank());
    const auto own = [&](const auto& all) {
      return std::vector(all.begin() + own_range.first, all.begin() + own_range.last);
    };
    particles.store.make_locals(own_range);
    particles.store.assign(particles.store.position(), own(atoms.positions));
    particles.store.assign(particles.type, own(atoms.types));
    Domain domain(comm, particles, tilted, 2.8, BufferPath::host, {});
    domain.rebuild(tilted);
    const auto pairs = make_full_list_pair_forces(executor, tilted, two_types(), {0.3, precision});
    const ForceContext context{particles, tilted, domain.plan(), comm, true};
    pairs->rebuild(context);
    domain.sort(pairs->spatial_order(), tilted);
    pairs->rebuild(context);
    CHECK(pairs->load_locals(context));
    pairs->compute_locals(context);
    pairs->compute_ghosts(context);
    ForceSums sums;
    pairs->collect(context, sums);
    pairs->check();
    const auto rows = rows_by_id(comm, particles.store, particles.force, n);
    const std::lock_guard guard(lock);
    std::copy(rows.begin(), rows.end(),
              reinterpret_cast<std::byte*>(all.forces.data() + 3 * own_range.first));
    all.sums.energy.resize(sums.energy.size());
    for (std::size_t e = 0; e < sums.energy.size(); ++e) all.sums.energy[e].add(sums.energy[e]);
    for (int v = 0; v < 6; ++v) all.sums.virial[v].add(sums.virial[v]);
  });
  return all;
}

}  // namespace

TEST_CASE("full list: the same bits on any number of ranks") {
  const Atoms atoms = disordered_crystal(tilted, 6);
  const auto n = static_cast<Index>(atoms.ids.size());
  for (const PairPrecision precision : precisions) {
    Result expected = compute_with_cluster_lists(tilted, two_types(), {0.3, precision}, atoms, n);
    for (auto& f : expected.forces) f -= 7;  // the initial values of compute()
    for (const int ranks : {1, 2, 3}) {
      CAPTURE(ranks);
      CHECK(compute_on_ranks(ranks, atoms, precision) == expected);
    }
  }
}
