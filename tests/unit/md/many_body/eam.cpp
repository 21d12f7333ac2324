// The embedded-atom method is compared with sums over all pairs in long double with the same
// tables, and its forces with the gradient of the energy. Results must be the same bit by bit for
// every kind of neighbour list, CPU level (instruction set), number of threads and ranks, and order
// of atoms.

#include "gsim/core/error.hpp"
#include "support/test_executor.hpp"
#include "unit/md/many_body/eam_system.hpp"

using namespace gsim;
using namespace gsim::test;

namespace {

struct Reference {
  std::vector<long double> forces;
  long double embedding = 0, pair = 0, virial[6] = {};
};
struct ValueAndSlope {
  long double value, slope;
};
ValueAndSlope interpolate(const CubicTable& table, long double x) {
  const long double u = x / table.step();
  const auto k = std::min(static_cast<std::size_t>(u), table.intervals().size() - 1);
  const auto& c = table.intervals()[k];
  const long double t = u - static_cast<long double>(k);
  return {((c[0] * t + c[1]) * t + c[2]) * t + c[3],
          ((3 * c[0] * t + 2 * c[1]) * t + c[2]) / table.step()};
}

Reference sum_over_all_pairs(const Atoms& atoms, const EamTables& tables) {
  const std::size_t n = atoms.positions.size();
  Reference r{std::vector<long double>(3 * n, 0.0L)};
  std::vector<long double> rho(n, 0.0L);
  const auto for_pairs = [&](const auto& visit) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) {
        const auto d = atoms.box.difference(atoms.positions[i], atoms.positions[j]);
        const long double x[3] = {d[0], d[1], d[2]};
        const long double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        if (r2 < static_cast<long double>(tables.cutoff) * tables.cutoff)
          visit(i, j, x, std::sqrt(r2));
      }
  };
  const auto type = [&](std::size_t i) {
    return tables.types() == 1 ? std::size_t{0} : static_cast<std::size_t>(atoms.types[i]);
  };
  for_pairs([&](std::size_t i, std::size_t j, const long double*, long double distance) {
    rho[i] += interpolate(tables.density_of(type(j), type(i)), distance).value;
    rho[j] += interpolate(tables.density_of(type(i), type(j)), distance).value;
  });
  std::vector<long double> slope(n);
  for (std::size_t i = 0; i < n; ++i) {
    const ValueAndSlope f = interpolate(tables.embedding[type(i)], rho[i]);
    r.embedding += f.value;
    slope[i] = f.slope;
  }
  for_pairs([&](std::size_t i, std::size_t j, const long double* x, long double distance) {
    const ValueAndSlope z = interpolate(tables.r_phi_of(type(i), type(j)), distance);
    const long double phi = z.value / distance;
    r.pair += phi;
    const long double f =
        -(slope[i] * interpolate(tables.density_of(type(j), type(i)), distance).slope +
          slope[j] * interpolate(tables.density_of(type(i), type(j)), distance).slope +
          (z.slope - phi) / distance) /
        distance;
    constexpr int a[6] = {0, 1, 2, 0, 0, 1}, b[6] = {0, 1, 2, 1, 2, 2};
    for (int v = 0; v < 6; ++v) r.virial[v] += x[a[v]] * x[b[v]] * f;
    for (std::size_t k = 0; k < 3; ++k) {
      r.forces[3 * i + k] += f * x[k];
      r.forces[3 * j + k] -= f * x[k];
    }
  });
  return r;
}

/// Forces may differ by some quanta plus `tolerance` times the largest force, energies and virials
/// by `tolerance` (virials: 4 times that) relative to the embedding energy.
void check_against_all_pairs(const Atoms& atoms, const EamTables& tables, PairPrecision precision,
                             double tolerance) {
  Options o;
  o.precision = precision;
  const Result result = compute(atoms, tables, o);
  o.full_lists = true;
  CHECK(compute(atoms, tables, o) == result);
  const Reference expected = sum_over_all_pairs(atoms, tables);
  double largest_error = 0, largest = 0;
  for (std::size_t k = 0; k < result.forces.size(); ++k) {
    largest = std::max(largest, static_cast<double>(std::abs(expected.forces[k])));
    largest_error = std::max(
        largest_error, static_cast<double>(std::abs(static_cast<long double>(result.forces[k]) *
                                                        result.quanta.force -
                                                    expected.forces[k])));
  }
  CAPTURE(largest);
  CAPTURE(largest_error / largest);
  CHECK(largest > 1);
  // About 50 pair forces are rounded to a quantum each, so that the sum has a standard deviation of
  // two quanta.
  const double quantum = precision == PairPrecision::mixed ? 0x1p-21 : result.quanta.force;
  CHECK(largest_error < 10 * quantum + tolerance * largest);
  const long double scale = std::abs(expected.embedding);
  const auto relative = [&](long double difference) {
    return static_cast<double>(std::abs(difference) / scale);
  };
  CHECK(relative(energy(result, 0) - expected.embedding) < tolerance);
  CHECK(relative(energy(result, 1) - expected.pair) < tolerance);
  for (int v = 0; v < 6; ++v)
    CHECK(
        relative(static_cast<long double>(result.sums.virial[v].value(0.5 * result.quanta.energy)) -
                 expected.virial[v]) < 4 * tolerance);
}

}  // namespace

TEST_CASE("eam: forces, energies and virials agree with a sum over all pairs") {
  for (const Box* box : {&cube, &tilted, &open_box}) {
    CAPTURE(box->is_triclinic());
    const Atoms one_type = crystal(*box, 4, 0.25), two_types = crystal(*box, 4, 0.25, 3);
    for (const PairPrecision precision : {PairPrecision::float64, PairPrecision::mixed}) {
      // Double precision is limited by positions of 52 bits and quanta of 1e-12 eV/angstrom, mixed
      // precision by float arithmetic.
      const double tolerance = precision == PairPrecision::float64 ? 1e-11 : 1e-6;
      check_against_all_pairs(one_type, copper(), precision, tolerance);
      check_against_all_pairs(two_types, alloy(false), precision, tolerance);
      check_against_all_pairs(two_types, alloy(true), precision, tolerance);
    }
  }
}

TEST_CASE(
    "eam: the same bits for any CPU level, number of threads, skin, order of atoms and number of "
    "ranks") {
  const Atoms atoms = crystal(tilted, 4, 0.25, 3);
  for (const EamTables& tables : {copper(), alloy(true)})
    for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::float64}) {
      Options o;
      o.precision = precision;
      const Result expected = compute(atoms, tables, on_host(o));
      for (const Executor& executor : test_executors({1, 3})) {
        CAPTURE(executor.describe());
        Options other = o;
        other.executor = executor;
        CHECK(compute(atoms, tables, other) == expected);
      }
      for (const double skin : {0.0, 0.2, 1.0}) {
        Options other = o;
        other.skin = skin;
        CHECK(compute(atoms, tables, other) == expected);
      }
      for (const int ranks : {1, 2, 3, 5})
        for (const bool shuffled : {false, true}) {
          CAPTURE(ranks);
          Options other = o;
          other.ranks = ranks;
          other.shuffled = shuffled;
          CHECK(compute(atoms, tables, other) == expected);
        }
    }
}

TEST_CASE("eam: an isolated atom has no force, and ranks without atoms change no result") {
  const Atoms cluster = crystal(cube, 4, 0.1, 3);
  Atoms atoms{Box({0, 0, 0}, {60, 60, 60}, {}, {Boundary::open, Boundary::open, Boundary::open}),
              {},
              cluster.types};
  ImageCount image;
  for (const FixedPosition& p : cluster.positions)
    atoms.positions.push_back(atoms.box.to_fixed(cube.to_cartesian(p), image));
  atoms.positions.push_back(atoms.box.to_fixed({50, 50, 50}, image));
  atoms.types.push_back(0);
  Options o;
  const Result expected = compute(atoms, alloy(true), on_host(o));
  for (std::size_t a = 0; a < 3; ++a) CHECK(expected.forces[3 * 256 + a] == 0);
  for (const int ranks : {2, 5, 8})
    for (const bool full_lists : {false, true}) {
      CAPTURE(ranks);
      o.ranks = ranks;
      o.full_lists = full_lists;
      CHECK(compute(atoms, alloy(true), o) == expected);
    }
}

TEST_CASE("eam: forces after a change of the box equal those with new neighbour lists") {
  Atoms atoms = crystal(tilted, 4, 0.25, 3);
  Options o;
  const EamTables tables = alloy(true);
  const auto& l = tilted.lengths();
  const Box smaller({1, 2, 3}, {0.99 * l[0], 1.01 * l[1], l[2]}, tilted.tilts());
  Result after_change[2];
  for (const bool full_lists : {false, true}) {
    o.full_lists = full_lists;
    run_in_process(1, [&](Communicator comm) {
      Rank rank(comm, atoms, tables, o);
      rank.compute(true);
      rank.change_box(smaller);
      after_change[full_lists] = rank.compute(true);
    });
  }
  atoms.box = smaller;
  for (const Result& r : after_change) CHECK(r == compute(atoms, tables, o));
}

TEST_CASE("eam: coarser force and energy quanta can be set, and too fine ones are refused") {
  const Atoms atoms = crystal(cube, 4, 0.25, 3);
  Options o;
  const Result default_result = compute(atoms, alloy(true), o);
  CHECK(default_result.quanta == ForceQuanta{0x1p-40, 0x1p-38});
  o.quanta = {0x1p-30, 0x1p-28};
  const Result coarse_result = compute(atoms, alloy(true), o);
  o.full_lists = true;
  CHECK(compute(atoms, alloy(true), o) == coarse_result);
  // Mixed precision rounds each pair force to 2^-21 eV/angstrom, a multiple of both quanta.
  for (std::size_t k = 0; k < default_result.forces.size(); ++k)
    REQUIRE(default_result.forces[k] == coarse_result.forces[k] * 1024);
  CHECK(default_result.sums.energy[1].value(1) == 1024 * coarse_result.sums.energy[1].value(1));
  CHECK(std::abs(static_cast<double>(energy(default_result, 0) - energy(coarse_result, 0))) < 1e-6);
  o.quanta = {0x1p-41, 0x1p-38};
  CHECK_THROWS_AS(compute(atoms, alloy(true), o), InputError);
}

TEST_CASE("eam: forces are the negative gradient of the energy") {
  for (const EamTables& tables : {copper(), alloy(true)}) {
    const Atoms atoms = crystal(cube, 4, 0.25, 3);
    Options o;
    o.precision = PairPrecision::float64;
    const Result undisplaced = compute(atoms, tables, o);
    for (const std::size_t atom : {std::size_t{0}, std::size_t{100}, std::size_t{255}})
      for (std::size_t a = 0; a < 3; ++a) {
        long double u[2];
        const double h = 1e-4;
        for (const int side : {0, 1}) {
          Atoms moved = atoms;
          const double fraction = (side == 0 ? -h : h) / cube.lengths()[a];
          moved.positions[atom].x[a] +=
              static_cast<std::uint64_t>(static_cast<std::int64_t>(std::ldexp(fraction, 64)));
          const Result r = compute(moved, tables, o);
          u[side] = energy(r, 0) + energy(r, 1);
        }
        const double force =
            static_cast<double>(undisplaced.forces[3 * atom + a]) * undisplaced.quanta.force;
        // The central difference is off by h^2 / 6 times the third derivative of the energy, which
        // is about 100 eV/angstrom^3.
        CHECK(std::abs(static_cast<double>((u[0] - u[1]) / (2 * h)) - force) < 1e-6);
      }
  }
}

TEST_CASE("eam: overlapping atoms, and Sutton-Chen exponents n < m, are errors") {
  for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::float64})
    for (const double distance : {0.9, 0.3, 0.0}) {
      Atoms atoms = crystal(cube, 4, 0.1);
      atoms.positions[100] = atoms.positions[7];
      atoms.positions[100].x[2] += static_cast<std::uint64_t>(distance / 14.44 * 0x1p64);
      Options o;
      o.precision = precision;
      CHECK_THROWS_AS(compute(atoms, copper(), o), NumericalError);
    }
  CHECK_THROWS_AS(tabulate({1e-2, 3.6, 39, 5, 6, 0, 63}), InputError);  // n = 5, m = 6
}
