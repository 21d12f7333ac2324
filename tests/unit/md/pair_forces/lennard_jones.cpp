// Forces of a Lennard-Jones fluid compared with a sum over all pairs in long double. The kind of
// lists, the processor level, the number of threads, the order of atoms and the division among
// ranks must not change a bit of them.

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "support/test_executor.hpp"
#include "unit/md/pair_forces/pair_systems.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

using Result = PairResult;

/// An fcc crystal of 4 cells^3 atoms that occupies the fraction `fill` of the box along each axis.
/// The atoms are displaced by up to 0.12 along each axis.
std::vector<FixedPosition> displaced_crystal(const Box& box, int cells, double fill) {
  std::mt19937_64 random(7);
  std::vector<FixedPosition> positions;
  each_fcc_site(
      box, cells, fill,
      [&] { return 0.24 * (static_cast<double>(random() >> 11) * 0x1p-53 - 0.5); },
      [&](const FixedPosition& position) { positions.push_back(position); });
  return positions;
}

struct LennardJonesPair {
  double epsilon = 1, sigma = 1, cutoff = 2.5;
  bool shifted = false;  ///< the energy is zero at the cutoff
};

std::unique_ptr<PairForces> make_forces(const Executor& executor, const Box& box,
                                        const LennardJonesPair& pair, double skin,
                                        PairPrecision precision) {
  const Smoothing smoothing = pair.shifted ? Smoothing::shift : Smoothing::cut;
  return make_pair_forces(executor, box,
                          lennard_jones_table(pair.cutoff, smoothing, pair.epsilon, pair.sigma),
                          {skin, precision});
}

struct Options {
  Executor executor = gsim::test::test_executor();
  double skin = 0.3;
  PairPrecision precision = PairPrecision::mixed;
  LennardJonesPair pair{};
};

Result compute(const Box& box, const std::vector<FixedPosition>& p, Index locals,
               const Options& o) {
  const auto pairs = make_forces(o.executor, box, o.pair, o.skin, o.precision);
  const Array<FixedPosition> positions(o.executor, p);
  pairs->list_pairs({positions.view(), locals}, nullptr);
  Result r;
  CHECK(pairs->load_positions(positions.view()));
  Array<std::int64_t> with_energies(o.executor, 3 * locals), without(o.executor, 3 * locals);
  pairs->compute_local_pairs(with_energies.view(), true);
  pairs->compute_ghost_pairs(positions.view(), with_energies.view(), true);
  pairs->collect_forces(with_energies.view(), r.sums);
  r.forces = with_energies.to_host();
  // Forces without sums must be the same.
  ForceSums no_sums;
  pairs->compute_local_pairs(without.view(), false);
  pairs->compute_ghost_pairs(positions.view(), without.view(), false);
  pairs->collect_forces(without.view(), no_sums);
  CHECK(without.to_host() == r.forces);
  CHECK(no_sums.energy[0] == ExactSum());
  return r;
}

struct Reference {
  std::vector<long double> forces;
  long double energy = 0, virial[6] = {};
};
Reference sum_over_all_pairs(const Box& box, const std::vector<FixedPosition>& p,
                             const LennardJonesPair& lj) {
  Reference r{std::vector<long double>(3 * p.size(), 0.0L)};
  const long double rc6 = powl(static_cast<long double>(lj.sigma) / lj.cutoff, 6);
  const long double shift = lj.shifted ? 4 * lj.epsilon * (rc6 * rc6 - rc6) : 0.0L;
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = i + 1; j < p.size(); ++j) {
      const auto d = box.difference(p[i], p[j]);
      const long double x[3] = {d[0], d[1], d[2]};
      const long double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
      if (r2 >= static_cast<long double>(lj.cutoff) * lj.cutoff) continue;
      const long double s6 = powl(lj.sigma * lj.sigma / r2, 3);
      const long double f = 24 * lj.epsilon * (2 * s6 * s6 - s6) / r2;
      r.energy += 4 * lj.epsilon * (s6 * s6 - s6) - shift;
      constexpr int a[6] = {0, 1, 2, 0, 0, 1}, b[6] = {0, 1, 2, 1, 2, 2};
      for (int v = 0; v < 6; ++v) r.virial[v] += x[a[v]] * x[b[v]] * f;
      for (std::size_t k = 0; k < 3; ++k) {
        r.forces[3 * i + k] += f * x[k];
        r.forces[3 * j + k] -= f * x[k];
      }
    }
  return r;
}

void check_against_all_pairs(const Box& box, const std::vector<FixedPosition>& p,
                             PairPrecision precision, double tolerance) {
  Options o;
  o.precision = precision;
  o.pair = {1.3, 0.95, 2.4, true};
  const auto expected = sum_over_all_pairs(box, p, o.pair);
  const auto result = compute(box, p, static_cast<Index>(p.size()), o);
  const ForceQuanta quanta = make_forces(o.executor, box, o.pair, o.skin, precision)->quanta();
  double largest_error = 0, largest = 0;
  for (std::size_t k = 0; k < result.forces.size(); ++k) {
    largest = std::max(largest, static_cast<double>(std::abs(expected.forces[k])));
    largest_error = std::max(
        largest_error,
        std::abs(static_cast<double>(static_cast<long double>(result.forces[k]) * quanta.force -
                                     expected.forces[k])));
  }
  CAPTURE(largest);
  // About 55 pair forces are rounded to a quantum each, so that the sum has a standard deviation of
  // two quanta. In mixed precision pair forces are rounded more coarsely, to at most 2^22 quanta.
  const double quantum = quanta.force * (precision == PairPrecision::mixed ? 0x1p22 : 1.0);
  CHECK(largest_error < 16 * quantum + tolerance * largest);
  const double twice_counted_quantum = 0.5 * quanta.energy;
  CHECK(result.sums.energy[0].value(twice_counted_quantum) ==
        doctest::Approx(static_cast<double>(expected.energy)).epsilon(tolerance));
  for (int v = 0; v < 6; ++v)
    CHECK(std::abs(result.sums.virial[v].value(twice_counted_quantum) -
                   static_cast<double>(expected.virial[v])) <
          tolerance * 20 * static_cast<double>(p.size()));
}

const Box cube({0, 0, 0}, {10.0779, 10.0779, 10.0779});
const Box tilted({1, 2, 3}, {10.4, 10.2, 9.9}, {2.1, -1.4, 3.0});
const Box open_box({0, 0, 0}, {12, 12, 12}, {},
                   {Boundary::open, Boundary::periodic, Boundary::open});

}  // namespace

TEST_CASE("Lennard-Jones: forces, energies and virials agree with a sum over all pairs") {
  for (const Box* box : {&cube, &tilted, &open_box}) {
    CAPTURE(box->is_triclinic());
    const auto p = displaced_crystal(*box, 6, box == &open_box ? 0.9 : 1.0);
    check_against_all_pairs(*box, p, PairPrecision::float64, 1e-11);
    check_against_all_pairs(*box, p, PairPrecision::mixed, 1e-6);
  }
}

TEST_CASE(
    "Lennard-Jones: forces have the same bits for any CPU level, threads, skin, order of atoms and "
    "ranks") {
  const auto p = displaced_crystal(tilted, 6, 1.0);
  const auto n = static_cast<Index>(p.size());
  for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::float64}) {
    Options o;
    o.precision = precision;
    o.executor = Executor::host(1);
    const Result expected = compute(tilted, p, n, o);
    for (const Executor& executor : gsim::test::test_executors({1, 3})) {
      o.executor = executor;
      CAPTURE(executor.describe());
      CHECK(compute(tilted, p, n, o) == expected);
    }
    for (const double skin : {0.0, 0.1, 0.7}) {
      o.skin = skin;
      CHECK(compute(tilted, p, n, o) == expected);
    }
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937_64 random(3);
    for (std::size_t k = order.size() - 1; k > 0; --k)
      std::swap(order[k], order[random() % (k + 1)]);
    std::vector<FixedPosition> shuffled;
    for (const std::size_t k : order) shuffled.push_back(p[k]);
    const Result shuffled_result = compute(tilted, shuffled, n, o);
    CHECK(shuffled_result.sums.energy == expected.sums.energy);
    for (std::size_t k = 0; k < order.size(); ++k)
      for (std::size_t a = 0; a < 3; ++a)
        REQUIRE(shuffled_result.forces[3 * k + a] == expected.forces[3 * order[k] + a]);
    // Two ranks: each has a part of the atoms as local atoms and the others as ghosts.
    const Index split = n / 3;
    std::vector<FixedPosition> rotated(shuffled.begin() + split, shuffled.end());
    rotated.insert(rotated.end(), shuffled.begin(), shuffled.begin() + split);
    Result a = compute(tilted, shuffled, split, o);
    const Result b = compute(tilted, rotated, n - split, o);
    a.forces.insert(a.forces.end(), b.forces.begin(), b.forces.end());
    a.sums.energy[0].add(b.sums.energy[0]);
    for (int v = 0; v < 6; ++v) a.sums.virial[v].add(b.sums.virial[v]);
    CHECK(a == shuffled_result);
  }
}

TEST_CASE(
    "Lennard-Jones: lists must be rebuilt once an atom has moved by more than half the skin") {
  auto p = displaced_crystal(cube, 6, 1.0);
  const auto n = static_cast<Index>(p.size());
  const Executor executor = gsim::test::test_executor(2);
  Array<FixedPosition> positions(executor, p);
  const auto pairs = make_forces(executor, cube, {}, 0.3, PairPrecision::mixed);
  pairs->list_pairs({positions.view(), n}, nullptr);
  CHECK(pairs->spatial_order().size == n);
  const auto step = [&](double x) {
    return static_cast<std::uint64_t>(x / cube.lengths()[0] * 0x1p64);
  };
  p[17].x[1] -= step(0.149);
  positions.assign(p);
  CHECK(pairs->load_positions(positions.view()));
  p[17].x[1] -= step(0.002);
  positions.assign(p);
  CHECK_FALSE(pairs->load_positions(positions.view()));
  pairs->list_pairs({positions.view(), n}, nullptr);
  CHECK(pairs->load_positions(positions.view()));
}

TEST_CASE("Lennard-Jones: overlapping atoms and boxes that are too small are refused") {
  for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::float64})
    for (const double distance : {0.69, 0.3, 0.0}) {
      auto p = displaced_crystal(cube, 6, 1.0);
      const auto n = static_cast<Index>(p.size());
      p[100] = p[7];
      p[100].x[2] += static_cast<std::uint64_t>(distance / cube.lengths()[2] * 0x1p64);
      const Executor executor = gsim::test::test_executor();
      const Array<FixedPosition> positions(executor, p);
      const auto pairs = make_forces(executor, cube, {}, 0.3, precision);
      pairs->list_pairs({positions.view(), n}, nullptr);
      CHECK(pairs->load_positions(positions.view()));
      Array<std::int64_t> forces(executor, 3 * n);
      pairs->compute_local_pairs(forces.view(), false);
      ForceSums sums;
      const auto collect = [&] {
        pairs->collect_forces(forces.view(), sums);
        pairs->check();
      };
      CHECK_THROWS_AS(collect(), NumericalError);
    }
  CHECK_THROWS_AS(
      make_forces(gsim::test::test_executor(), cube, {1, 1, 5.0, false}, 0.3, PairPrecision::mixed),
      InputError);
}
