// Pair forces in mixtures with several potentials on one pair of types, tables, charges and
// exclusions are compared with a sum over all pairs, and have the same bits for any distribution of
// atoms over ranks.

#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/pair_forces/pair_forces.hpp"
#include "support/test_executor.hpp"
#include "unit/md/forces/exclusion_lists.hpp"
#include "unit/md/pair_forces/all_potentials.hpp"
#include "unit/md/pair_forces/pair_systems.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

const Box tilted({1, 2, 3}, {10.4, 10.2, 9.9}, {2.1, -1.4, 3.0});

struct Atoms {
  std::vector<FixedPosition> positions;
  std::vector<std::int32_t> types;
  std::vector<double> charges;
  std::vector<std::int64_t> ids;

  Index size() const { return static_cast<Index>(ids.size()); }
  void add(const Atoms& from, std::size_t k) {
    positions.push_back(from.positions[k]);
    types.push_back(from.types[k]);
    charges.push_back(from.charges[k]);
    ids.push_back(from.ids[k]);
  }
};

/// An fcc crystal of randomly displaced atoms with three types and random charges.
Atoms mixture(const Box& box, int cells, unsigned seed) {
  std::mt19937_64 random(seed);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53 - 0.5; };
  Atoms atoms;
  each_fcc_site(
      box, cells, 1, [&] { return 0.24 * uniform(); },
      [&](const FixedPosition& position) {
        atoms.positions.push_back(position);
        atoms.types.push_back(static_cast<std::int32_t>(random() % 3));
        atoms.charges.push_back(2 * uniform());
        atoms.ids.push_back(static_cast<std::int64_t>(10 + 3 * atoms.ids.size()));
      });
  return atoms;
}

PairPotential potential(const char* kind, std::vector<double> parameters, double cutoff,
                        Smoothing smoothing = Smoothing::cut, double inner = 0) {
  return {&potential_kind(kind), std::move(parameters), cutoff, smoothing, inner};
}

PairPotential tabulated_yukawa() {
  std::string text;
  for (int k = 0; k <= 400; ++k) {
    const double r = 0.6 + 2.0 * k / 400;
    text += fmt::format("{:.17g} {:.17g} {:.17g}\n", r, 3 * std::exp(-2 * r) / r,
                        3 * std::exp(-2 * r) * (2 * r + 1) / (r * r));
  }
  PairPotential p = potential("table", {}, 2.5, Smoothing::shift);
  p.samples = std::make_shared<RadialSamples>(read_radial_samples(text, "t", ""));
  return p;
}

/// A table with potentials of every kind, with different cutoffs and several potentials on one pair
/// of types.
PairTable table_of_all_potentials(bool charged) {
  PairTable t({"A", "B", "C"});
  t.add(0, 0, lennard_jones(1.0, 0.95, 2.4));
  t.add(0, 0, potential("gaussian", {0.5, 0.7}, 2.0));
  t.add(0, 0, potential("gaussian", {-0.3, 0.4}, 1.7));
  t.add(0, 1, potential("morse", {0.8, 5.0, 1.1}, 2.2, Smoothing::shift));
  t.add(0, 2, potential("buckingham", {1000, 0.15, 0.3}, 2.5, Smoothing::xplor, 2.0));
  t.add(1, 1, lennard_jones(1.4, 0.9, 2.5, Smoothing::xplor, 2.1));
  t.add(1, 1, tabulated_yukawa());
  t.add(1, 2, potential("yukawa", {2.0, 1.3}, 2.3, Smoothing::force_shift));
  t.add(2, 2, lennard_jones(0.7, 1.0, 2.0, Smoothing::force_shift));
  if (charged) {
    t.add_charged(potential("damped_coulomb", {1.2, 0.8}, 2.6, Smoothing::force_shift));
    t.add_charged(potential("reaction_field", {0.4, 0.02, 0.5}, 2.1));
  }
  return t;
}

using Result = PairResult;

struct Options {
  Executor executor = gsim::test::test_executor();
  PairForceOptions pairs{0.3, PairPrecision::mixed, 1.0};
  bool excluded = false;
};

/// The atoms whose pairs with atom `id` are excluded: the two before and after it in the order of
/// ids.
std::vector<std::int64_t> excluded_partners(std::int64_t id) {
  return {id - 3, id + 3, id + 6, id - 6};
}
bool are_excluded(std::int64_t a, std::int64_t b) { return std::abs(a - b) <= 6; }

Result compute(const Box& box, const Atoms& atoms, Index locals, const PairTable& table,
               const Options& o) {
  const auto pairs = make_pair_forces(o.executor, box, table, o.pairs);
  Exclusions exclusions(o.executor);
  exclude(exclusions, atoms.ids, locals, excluded_partners);
  const DeviceAtoms device(o.executor, atoms);
  pairs->list_pairs(device.pair_atoms(locals), o.excluded ? &exclusions : nullptr);
  Result r;
  REQUIRE(pairs->load_positions(device.positions.view()));
  for (const bool with_sums : {true, false}) {
    Array<std::int64_t> forces(o.executor, 3 * locals);
    ForceSums sums;
    pairs->compute_local_pairs(forces.view(), with_sums);
    pairs->compute_ghost_pairs(device.positions.view(), forces.view(), with_sums);
    pairs->collect_forces(forces.view(), sums);
    pairs->check();
    if (with_sums)
      r = {forces.to_host(), sums};
    else
      CHECK(forces.to_host() == r.forces);
  }
  return r;
}

struct Reference {
  std::vector<double> forces;
  double energy[2] = {}, virial[6] = {};
};

Reference all_pairs(const Box& box, const Atoms& atoms, const PairTable& table, bool excluded) {
  Reference r{std::vector<double>(3 * atoms.ids.size(), 0.0)};
  std::map<const PairPotential*, PairFunction> functions;
  const auto add = [&](std::size_t i, std::size_t j, const PairPotential& p, double charges,
                       int energy_index) {
    const auto x = box.difference(atoms.positions[i], atoms.positions[j]);
    const double d = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    if (d >= p.cutoff) return;
    const PairFunction* const u = &functions.try_emplace(&p, p).first->second;
    const double f = charges * u->force(d) / d;
    r.energy[energy_index] += charges * u->energy(d);
    constexpr std::size_t a[6] = {0, 1, 2, 0, 0, 1}, b[6] = {0, 1, 2, 1, 2, 2};
    for (std::size_t v = 0; v < 6; ++v) r.virial[v] += x[a[v]] * x[b[v]] * f;
    for (std::size_t k = 0; k < 3; ++k) {
      r.forces[3 * i + k] += f * x[k];
      r.forces[3 * j + k] -= f * x[k];
    }
  };
  for (std::size_t i = 0; i < atoms.ids.size(); ++i)
    for (std::size_t j = i + 1; j < atoms.ids.size(); ++j) {
      if (excluded && are_excluded(atoms.ids[i], atoms.ids[j])) continue;
      for (const auto& p : table.between(atoms.types[i], atoms.types[j])) add(i, j, p, 1, 0);
      for (const auto& p : table.charged()) add(i, j, p, atoms.charges[i] * atoms.charges[j], 1);
    }
  return r;
}

void check_against_all_pairs(const Box& box, const Atoms& atoms, const PairTable& table,
                             const Options& o, double tolerance) {
  const Reference expected = all_pairs(box, atoms, table, o.excluded);
  const Result result = compute(box, atoms, atoms.size(), table, o);
  const auto pairs = make_pair_forces(o.executor, box, table, o.pairs);
  double largest_error = 0, largest = 0;
  for (std::size_t k = 0; k < result.forces.size(); ++k) {
    largest = std::max(largest, std::abs(expected.forces[k]));
    largest_error = std::max(
        largest_error, std::abs(static_cast<double>(result.forces[k]) * pairs->quanta().force -
                                expected.forces[k]));
  }
  CAPTURE(largest);
  // About 60 pair forces per atom are rounded to a quantum each. In mixed precision forces are
  // rounded to float, and 2^-27 of the largest force takes the place of the quantum.
  const double quantum = o.pairs.precision == PairPrecision::mixed
                             ? std::ldexp(pairs->largest().force, -27)
                             : pairs->quanta().force;
  CHECK(largest_error < 8 * quantum + tolerance * largest);
  const double half_quantum = 0.5 * pairs->quanta().energy, n = static_cast<double>(atoms.size());
  REQUIRE(result.sums.energy.size() == pairs->energy_names().size());
  for (std::size_t e = 0; e < result.sums.energy.size(); ++e)
    CHECK(std::abs(result.sums.energy[e].value(half_quantum) - expected.energy[e]) <
          tolerance * 10 * n);
  for (int v = 0; v < 6; ++v)
    CHECK(std::abs(result.sums.virial[v].value(half_quantum) - expected.virial[v]) <
          tolerance * 20 * n);
}

/// Divides the atoms into `ranks` parts and computes each part with all other atoms as ghosts.
/// Returns the concatenated forces and added sums.
Result compute_by_parts(const Box& box, const Atoms& atoms, Index ranks, const PairTable& table,
                        const Options& o) {
  Result all;
  for (Index rank = 0; rank < ranks; ++rank) {
    const Index n = atoms.size(), first = n * rank / ranks, last = n * (rank + 1) / ranks;
    Atoms rotated;
    for (Index k = first; k < first + n; ++k) rotated.add(atoms, static_cast<std::size_t>(k % n));
    const Result part = compute(box, rotated, last - first, table, o);
    all.forces.insert(all.forces.end(), part.forces.begin(), part.forces.end());
    all.sums.energy.resize(part.sums.energy.size());
    for (std::size_t e = 0; e < part.sums.energy.size(); ++e)
      all.sums.energy[e].add(part.sums.energy[e]);
    for (int v = 0; v < 6; ++v) all.sums.virial[v].add(part.sums.virial[v]);
  }
  return all;
}

}  // namespace

TEST_CASE("mixtures: forces, energies and virials agree with a sum over all pairs") {
  const Atoms atoms = mixture(tilted, 6, 7);
  for (const bool excluded : {false, true}) {
    Options o;
    o.excluded = excluded;
    o.pairs.precision = PairPrecision::float64;
    check_against_all_pairs(tilted, atoms, table_of_all_potentials(true), o, 1e-12);
    o.pairs.precision = PairPrecision::mixed;
    check_against_all_pairs(tilted, atoms, table_of_all_potentials(true), o, 2e-6);
  }
}

TEST_CASE(
    "mixtures: each kind of potential alone with each smoothing agrees with a sum over all pairs") {
  const Atoms atoms = mixture(tilted, 6, 10);
  for (PairPotential& p : all_potentials(2.4))
    for (const Smoothing smoothing : {Smoothing::shift, Smoothing::force_shift, Smoothing::xplor}) {
      if (p.kind->is_charged && smoothing == Smoothing::xplor) continue;
      p.smoothing = smoothing;
      p.inner = smoothing == Smoothing::xplor ? 2.0 : 0;
      CAPTURE(std::string(p.kind->name));
      CAPTURE(static_cast<int>(smoothing));
      PairTable one({"A", "B", "C"});
      if (p.kind->is_charged)
        one.add_charged(p);
      else
        for (int s = 0; s < 3; ++s)
          for (int t = s; t < 3; ++t) one.add(s, t, p);
      Options o;
      o.pairs.precision = PairPrecision::float64;
      check_against_all_pairs(tilted, atoms, one, o, 1e-12);
      o.pairs.precision = PairPrecision::mixed;
      check_against_all_pairs(tilted, atoms, one, o, 2e-6);
    }
}

TEST_CASE("mixtures: each potential of the mixture alone agrees with a sum over all pairs") {
  const Atoms atoms = mixture(tilted, 6, 8);
  const PairTable all = table_of_all_potentials(false);
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b)
      for (const PairPotential& p : all.between(a, b)) {
        CAPTURE(std::string(p.kind->name));
        PairTable one({"A", "B", "C"});
        for (int s = 0; s < 3; ++s)
          for (int t = s; t < 3; ++t) one.add(s, t, p);
        Options o;
        o.pairs.precision = PairPrecision::float64;
        check_against_all_pairs(tilted, atoms, one, o, 1e-12);
        o.pairs.precision = PairPrecision::mixed;
        check_against_all_pairs(tilted, atoms, one, o, 2e-6);
      }
}

TEST_CASE("mixtures: the same bits for any CPU level, threads, skin and ranks") {
  const Atoms atoms = mixture(tilted, 5, 9);
  const Box box = tilted;
  const PairTable table = table_of_all_potentials(true);
  for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::float64}) {
    Options o;
    o.pairs.precision = precision;
    o.excluded = true;
    o.pairs.skin = 0.2;
    o.executor = Executor::host(1);
    const Result expected = compute(box, atoms, atoms.size(), table, o);
    for (const Executor& executor : gsim::test::test_executors({1, 3})) {
      o.executor = executor;
      CAPTURE(executor.describe());
      CHECK(compute(box, atoms, atoms.size(), table, o) == expected);
    }
    o.pairs.skin = 0.5;
    for (const Index ranks : {1, 2, 3, 5}) {
      CAPTURE(ranks);
      CHECK(compute_by_parts(box, atoms, ranks, table, o) == expected);
    }
  }
}

TEST_CASE("mixtures: sums of many soft forces do not overflow 32-bit integers") {
  // 1500 atoms in one place and one beside them, where Gaussian forces are strongest: 1500 times
  // the largest force of a pair.
  const Box cube({0, 0, 0}, {10, 10, 10});
  Atoms atoms;
  ImageCount image;
  for (std::int64_t k = 0; k <= 1500; ++k) {
    const double x = k == 1500 ? 5.7 : 5.0 + 1e-4 * static_cast<double>(k % 11);
    atoms.positions.push_back(cube.to_fixed({x, 5, 5 + 1e-4 * static_cast<double>(k / 11)}, image));
    atoms.types.push_back(0);
    atoms.charges.push_back(0);
    atoms.ids.push_back(k);
  }
  PairTable table({"A"});
  table.add(0, 0, potential("gaussian", {2.0, 0.7}, 3.0));
  Options o;
  check_against_all_pairs(cube, atoms, table, o, 1e-5);
  const Result expected = compute(cube, atoms, atoms.size(), table, o);
  CHECK(compute_by_parts(cube, atoms, 3, table, o) == expected);
}

TEST_CASE("mixtures: the error about overlapping atoms names them") {
  for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::float64})
    for (const bool same_rank : {true, false}) {
      Atoms atoms = mixture(tilted, 6, 4);
      const auto last = static_cast<std::size_t>(atoms.size()) - 1;
      atoms.positions[last] = atoms.positions[5];
      atoms.positions[last].x[1] += std::uint64_t{1} << 55;
      Options o;
      o.pairs.precision = precision;
      o.pairs.id_of = [](Index id) { return 2 * id; };
      const Index locals = same_rank ? atoms.size() : atoms.size() - 10;
      // The neighbour lists of devices give one of the two atoms.
      const std::string expected =
          gsim::test::tests_on_device()
              ? fmt::format("atom {} and another one overlap", 2 * atoms.ids[5])
              : fmt::format("atoms {} and {} overlap: they are 0.0", 2 * atoms.ids[5],
                            2 * atoms.ids[last]);
      CHECK_THROWS_WITH_AS(compute(tilted, atoms, locals, table_of_all_potentials(true), o),
                           doctest::Contains(expected.c_str()), NumericalError);
    }
}

TEST_CASE("mixtures: coarser force and energy quanta can be set, and finer ones are refused") {
  const Atoms atoms = mixture(tilted, 6, 7);
  for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::float64}) {
    const Executor executor = gsim::test::test_executor();
    const DeviceAtoms device(executor, atoms);
    const auto pairs =
        make_pair_forces(executor, tilted, table_of_all_potentials(true), {0.3, precision, 1.0});
    const ForceQuanta default_quanta = pairs->quanta();
    CHECK_THROWS_AS(pairs->set_quanta({default_quanta.force / 2, default_quanta.energy}),
                    InputError);
    const auto forces = [&](double factor) {
      pairs->set_quanta({default_quanta.force * factor, default_quanta.energy * factor});
      pairs->list_pairs(device.pair_atoms(atoms.size()), nullptr);
      REQUIRE(pairs->load_positions(device.positions.view()));
      Array<std::int64_t> f(executor, 3 * atoms.size());
      pairs->compute_local_pairs(f.view(), true);
      ForceSums sums;
      pairs->collect_forces(f.view(), sums);
      return std::pair{f.to_host(), sums.energy[0].value(default_quanta.energy * factor)};
    };
    const auto fine = forces(1), coarse = forces(16);
    // About 60 pair forces per atom are each rounded to a quantum of 16 fine ones.
    for (std::size_t k = 0; k < fine.first.size(); ++k)
      REQUIRE(std::abs(static_cast<double>(fine.first[k]) -
                       16 * static_cast<double>(coarse.first[k])) < 16 * 60);
    CHECK(fine.second == doctest::Approx(coarse.second).epsilon(1e-10));
    // In mixed precision the quantum is coarser than both, so that the forces are the same.
    if (precision == PairPrecision::mixed)
      for (std::size_t k = 0; k < fine.first.size(); ++k)
        REQUIRE(fine.first[k] == 16 * coarse.first[k]);
  }
}
