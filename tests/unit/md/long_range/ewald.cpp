// The long-range part of the Coulomb interaction is compared with direct sums in long double and
// with numerical derivatives; results are identical for any number of ranks and threads and on any
// processor.

#include "src/modules/md/long_range/ewald.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "support/test_executor.hpp"
#include "unit/md/long_range/ewald_fixture.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

const Box orthogonal({-1, 2, 0.5}, {9, 12, 10.5});
const Box tilted({0.5, -3, 1}, {10, 11, 12}, {3.5, -2.5, 4});

/// Ions with excluded pairs, one of distant atoms, and with two atoms at the same position. `net`
/// is the total charge.
ChargedSystem ions_with_exclusions(const Box& box, double net = 0) {
  // 14.3996 eV angstrom: Coulomb's constant times the square of the elementary charge.
  ChargedSystem s = random_ions(box, 40, {0.42, KVectorRange::sphere(box, 3.4), 14.3996}, net);
  s.positions[1] = s.positions[0];
  s.positions[1][0] += 0.9;
  s.positions[3] = s.positions[2];
  s.positions[5] = s.positions[4];
  s.positions[5][2] += 1.3;
  s.excluded = {{0, 1}, {4, 5}, {4, 6}, {7, 20}};
  return s;
}

void check_against_direct_sum(const ChargedSystem& s) {
  const EwaldResult result = compute(s);
  const DirectSum expected = direct_sum(s);
  CHECK(result.fourier == doctest::Approx(double(expected.fourier)).epsilon(1e-13));
  const double excluded_energy = result.energy - result.fourier - result.self - result.background;
  CHECK(excluded_energy == doctest::Approx(double(expected.excluded)).epsilon(1e-12));
  double largest = 0, error = 0;
  for (std::size_t i = 0; i < s.positions.size(); ++i)
    for (std::size_t a = 0; a < 3; ++a) {
      largest = std::max(largest, std::abs(double(expected.forces[i][a])));
      error = std::max(error, std::abs(result.forces[i][a] - double(expected.forces[i][a])));
    }
  CHECK(largest > 1);
  CHECK(error < 1e-12 * largest + 2 * result.quantum);
}

}  // namespace

TEST_CASE("ewald: the k-vectors of a range are complete, with one of each pair n and -n") {
  for (const KVectorRange& range :
       {KVectorRange::ellipsoid({3, 4, 2}), KVectorRange::sphere(tilted, 2.9)}) {
    const KVectorSet set(range);
    std::set<std::array<int, 3>> k_vectors;
    const Box unit({0, 0, 0},
                   {6.28318530717958647693, 6.28318530717958647693, 6.28318530717958647693});
    set.for_each(unit, [&](std::int32_t, int, const Vector3& k) {
      std::array<int, 3> n{}, opposite{};
      for (std::size_t a = 0; a < 3; ++a) {
        n[a] = static_cast<int>(std::lround(k[a]));
        opposite[a] = -n[a];
      }
      CHECK(k_vectors.insert(n).second);
      CHECK(k_vectors.insert(opposite).second);
    });
    CHECK(static_cast<Index>(k_vectors.size()) == 2 * set.size());
    std::size_t expected = 0;
    for (int x = -9; x <= 9; ++x)
      for (int y = -9; y <= 9; ++y)
        for (int z = -9; z <= 9; ++z) {
          const auto& f = range.form;
          const double form = f[0] * x * x + f[1] * y * y + f[2] * z * z +
                              2 * (f[3] * x * y + f[4] * x * z + f[5] * y * z);
          if (form > 1 || (x == 0 && y == 0 && z == 0)) continue;
          ++expected;
          CHECK(k_vectors.count({x, y, z}) == 1);
        }
    CHECK(k_vectors.size() == expected);
  }
}

TEST_CASE("ewald: energies and forces agree with direct sums in long double") {
  SUBCASE("neutral system, orthogonal box") {
    check_against_direct_sum(ions_with_exclusions(orthogonal));
  }
  SUBCASE("charged system, triclinic box") {
    check_against_direct_sum(ions_with_exclusions(tilted, 3));
  }
  SUBCASE("k-vectors within an ellipsoid of n") {
    ChargedSystem s = ions_with_exclusions(orthogonal);
    s.parameters.range = KVectorRange::ellipsoid({5, 0, 7});
    check_against_direct_sum(s);
  }
  SUBCASE("k-vectors with large components along x") {
    ChargedSystem s = ions_with_exclusions(orthogonal);
    s.parameters.range = KVectorRange::ellipsoid({60, 1, 1});
    s.parameters.alpha = 12;
    check_against_direct_sum(s);
  }
}

TEST_CASE("ewald: an excluded pair at the same position has no force") {
  ChargedSystem s{
      orthogonal, {{1, 4, 3}, {1, 4, 3}}, {1, -1}, {0.5, KVectorRange::sphere(orthogonal, 5), 2}};
  s.excluded = {{0, 1}};
  const EwaldResult r = compute(s);
  CHECK(r.quanta == std::vector<std::int64_t>(6, 0));
  // The energy is zero: opposite charges at the same position cancel.
  CHECK(std::abs(r.energy) < 1e-12);
}

TEST_CASE("ewald: forces agree with numerical derivatives of the energy") {
  const ChargedSystem s = ions_with_exclusions(tilted, 3);
  const EwaldResult reference = compute(s);
  const double h = 1e-4;
  for (const std::size_t i : {0u, 1u, 4u, 6u, 20u, 33u})
    for (std::size_t a = 0; a < 3; ++a) {
      double energy[2];
      for (int side = 0; side < 2; ++side) {
        ChargedSystem moved = s;
        moved.positions[i][a] += side == 0 ? -h : h;
        energy[side] = compute(moved).energy;
      }
      const double force = -(energy[1] - energy[0]) / (2 * h);
      CHECK(reference.forces[i][a] == doctest::Approx(force).epsilon(1e-6).scale(1));
    }
}

TEST_CASE(
    "ewald: the virial agrees with numerical derivatives of the energy with respect to strain") {
  const ChargedSystem s = ions_with_exclusions(tilted, 3);
  EwaldRank rank(Communicator::self(), gsim::test::test_executor(), s);
  rank.rebuild();
  const EwaldResult reference = rank.compute();
  const Vector3 l = tilted.lengths(), t = tilted.tilts();
  const double h = 1e-5;
  // The box vectors under a strain r_a += e r_b, in the order of the virial.
  const auto strained = [&](int v, double e) {
    Vector3 lengths = l, tilts = t;
    if (v == 0) lengths[0] *= 1 + e;
    if (v == 0) tilts = {t[0] * (1 + e), t[1] * (1 + e), t[2]};
    if (v == 1) lengths[1] *= 1 + e;
    if (v == 1) tilts[2] *= 1 + e;
    if (v == 2) lengths[2] *= 1 + e;
    if (v == 3) tilts = {t[0] + e * l[1], t[1] + e * t[2], t[2]};
    if (v == 4) tilts[1] += e * l[2];
    if (v == 5) tilts[2] += e * l[2];
    return Box(tilted.origin(), lengths, tilts);
  };
  for (int v = 0; v < 6; ++v) {
    double energy[2];
    for (int side = 0; side < 2; ++side) {
      rank.box = strained(v, side == 0 ? -h : h);
      rank.ewald.box_changed(rank.box);
      energy[side] = rank.compute().energy;
    }
    CAPTURE(v);
    CHECK(reference.virial[v] == doctest::Approx(-(energy[1] - energy[0]) / (2 * h)).epsilon(1e-6));
  }
  rank.box = tilted;
  rank.ewald.box_changed(tilted);
  CHECK(rank.compute().sums == reference.sums);
}

TEST_CASE(
    "ewald: integer forces and energies do not depend on ranks, threads, vector width or order of "
    "atoms") {
  for (const Box& box : {orthogonal, tilted}) {
    ChargedSystem s = ions_with_exclusions(box, 1);
    s.excluded = {{0, 1}, {4, 5}};
    s.halo = 1.6;
    const EwaldResult on_one_rank = compute(s);
    for (const int ranks : {1, 2, 3, 5}) {
      CAPTURE(ranks);
      constexpr std::uint64_t shuffle_seed = 77;  // of the order of atoms
      const EwaldResult result =
          compute(s, ranks, gsim::test::test_executor(ranks == 2 ? 3 : 1), shuffle_seed);
      CHECK(result.quanta == on_one_rank.quanta);
      CHECK(result.sums == on_one_rank.sums);
      CHECK(result.fourier == on_one_rank.fourier);
    }
    for (const Executor& executor : gsim::test::test_executors({2})) {
      CAPTURE(executor.describe());
      const EwaldResult result = compute(s, 1, executor);
      CHECK(result.quanta == on_one_rank.quanta);
      CHECK(result.sums == on_one_rank.sums);
    }
  }
}

TEST_CASE("ewald: more ranks than atoms give the same result as one rank") {
  const ChargedSystem s{
      orthogonal, {{1, 4, 3}, {2, 4, 3}}, {1, -1}, {0.5, KVectorRange::sphere(orthogonal, 5), 2}};
  const EwaldResult on_one_rank = compute(s), on_five_ranks = compute(s, 5);
  CHECK(on_five_ranks.quanta == on_one_rank.quanta);
  CHECK(on_five_ranks.sums == on_one_rank.sums);
}

TEST_CASE("ewald: open boxes, invalid parameters and invalid charges are refused") {
  const EwaldParameters parameters{0.4, KVectorRange::ellipsoid({4, 4, 4}), 1};
  ChargeSums charges = sum_charges(Communicator::self(), std::vector<double>{1.0, -1.0});
  CHECK(charges.is_neutral());
  const Executor executor = Executor::host(1);
  const Box open({0, 0, 0}, {9, 9, 9}, {},
                 {Boundary::periodic, Boundary::periodic, Boundary::open});
  CHECK_THROWS_AS(Ewald(executor, open, parameters, charges), InputError);
  CHECK_THROWS_AS(Ewald(executor, orthogonal, {0, parameters.range, 1}, charges), InputError);
  CHECK_THROWS_AS(Ewald(executor, orthogonal, parameters, ChargeSums{}), InputError);
  CHECK_THROWS_AS(KVectorSet(KVectorRange::ellipsoid({0, 0, 0})), InputError);
  CHECK_THROWS_AS(KVectorSet(KVectorRange::ellipsoid({999, 999, 999})), InputError);
  const std::vector<double> broken{1.0, std::nan("")};
  CHECK_THROWS_AS(sum_charges(Communicator::self(), broken), InputError);
}

TEST_CASE(
    "ewald: an excluded partner that is neither local nor a ghost is an error that names it") {
  ChargedSystem s = ions_with_exclusions(orthogonal);
  EwaldRank rank(Communicator::self(), gsim::test::test_executor(), s);
  rank.rebuild();
  const Executor& executor = rank.particles.store.executor();
  Exclusions exclusions(executor);
  exclude(exclusions, rank.particles.store.to_host<std::int64_t>(rank.particles.store.id()),
          rank.particles.locals(), [](std::int64_t id) {  // atom 100 in messages does not exist
            return id == 0 ? std::vector<std::int64_t>{99} : std::vector<std::int64_t>{};
          });
  ExcludedCorrection correction(executor, 0.4, 1);
  CHECK_THROWS_WITH_AS(correction.rebuild(rank.context(false), exclusions),
                       doctest::Contains("100"), NumericalError);
}
