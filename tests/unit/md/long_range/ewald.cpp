// The long-range part of Coulomb's law compared with direct sums in long double and with
// derivatives; identical results for any number of ranks and threads and on any processor.

#include "src/modules/md/long_range/ewald.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "unit/md/long_range/ewald_fixture.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

const Box oblong({-1, 2, 0.5}, {9, 12, 10.5});
const Box tilted({0.5, -3, 1}, {10, 11, 12}, {3.5, -2.5, 4});

/// A system with exclusions, one of them of distant atoms and one of atoms at the same position.
ChargedSystem with_exclusions(const Box& box, double net = 0) {
  ChargedSystem s = random_ions(box, 40, {0.42, KVectorRange::sphere(box, 3.4), 14.3996}, net);
  s.points[1] = s.points[0];
  s.points[1][0] += 0.9;
  s.points[3] = s.points[2];
  s.points[5] = s.points[4];
  s.points[5][2] += 1.3;
  s.excluded = {{0, 1}, {4, 5}, {4, 6}, {7, 20}};
  return s;
}

void check_against_direct_sum(const ChargedSystem& s) {
  const EwaldResult got = compute(s);
  const LongResult expected = direct_sum(s);
  CHECK(got.fourier == doctest::Approx(double(expected.fourier)).epsilon(1e-13));
  const double rest = got.energy - got.fourier - got.self - got.background;
  CHECK(rest == doctest::Approx(double(expected.excluded)).epsilon(1e-12));
  double largest = 0, error = 0;
  for (std::size_t i = 0; i < s.points.size(); ++i)
    for (std::size_t a = 0; a < 3; ++a) {
      largest = std::max(largest, std::abs(double(expected.forces[i][a])));
      error = std::max(error, std::abs(got.forces[i][a] - double(expected.forces[i][a])));
    }
  CHECK(largest > 1);
  CHECK(error < 1e-12 * largest + 2 * got.quantum);
}

}  // namespace

TEST_CASE("ewald: the k-vectors are every n of a range, once for n and -n") {
  for (const KVectorRange& range :
       {KVectorRange::ellipsoid({3, 4, 2}), KVectorRange::sphere(tilted, 2.9)}) {
    const KVectorSet set(range);
    std::set<std::array<int, 3>> k_vectors;
    const Box unit({0, 0, 0},
                   {6.28318530717958647693, 6.28318530717958647693, 6.28318530717958647693});
    set.for_each(unit, [&](std::int32_t, int, const Vector3& k) {
      std::array<int, 3> n{}, mirrored{};
      for (std::size_t a = 0; a < 3; ++a) {
        n[a] = static_cast<int>(std::lround(k[a]));
        mirrored[a] = -n[a];
      }
      CHECK(k_vectors.insert(n).second);
      CHECK(k_vectors.insert(mirrored).second);
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

TEST_CASE("ewald: energies and forces are those of direct sums") {
  SUBCASE("neutral, right-angled") { check_against_direct_sum(with_exclusions(oblong)); }
  SUBCASE("charged, triclinic") { check_against_direct_sum(with_exclusions(tilted, 3)); }
  SUBCASE("largest components of n by axis") {
    ChargedSystem s = with_exclusions(oblong);
    s.parameters.range = KVectorRange::ellipsoid({5, 0, 7});
    check_against_direct_sum(s);
  }
  SUBCASE("many turns of phase") {
    ChargedSystem s = with_exclusions(oblong);
    s.parameters.range = KVectorRange::ellipsoid({60, 1, 1});
    s.parameters.alpha = 12;
    check_against_direct_sum(s);
  }
}

TEST_CASE("ewald: an excluded pair at the same position has no force") {
  ChargedSystem s{
      oblong, {{1, 4, 3}, {1, 4, 3}}, {1, -1}, {0.5, KVectorRange::sphere(oblong, 5), 2}};
  s.excluded = {{0, 1}};
  const EwaldResult r = compute(s);
  CHECK(r.quanta == std::vector<std::int64_t>(6, 0));
  // The energy is zero: opposite charges at the same position cancel.
  CHECK(std::abs(r.energy) < 1e-12);
}

TEST_CASE("ewald: forces are the energy's derivatives") {
  const ChargedSystem s = with_exclusions(tilted, 3);
  const EwaldResult at = compute(s);
  const double h = 1e-4;
  for (const std::size_t i : {0u, 1u, 4u, 6u, 20u, 33u})
    for (std::size_t a = 0; a < 3; ++a) {
      double energy[2];
      for (int side = 0; side < 2; ++side) {
        ChargedSystem moved = s;
        moved.points[i][a] += side == 0 ? -h : h;
        energy[side] = compute(moved).energy;
      }
      const double force = -(energy[1] - energy[0]) / (2 * h);
      CHECK(at.forces[i][a] == doctest::Approx(force).epsilon(1e-6).scale(1));
    }
}

TEST_CASE(
    "ewald: the virial is the energy's derivative by strain, also after a change of the box") {
  const ChargedSystem s = with_exclusions(tilted, 3);
  EwaldRank rank(Communicator::self(), Executor::host(1), s);
  rank.rebuild();
  const EwaldResult at = rank.compute();
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
    CHECK(at.virial[v] == doctest::Approx(-(energy[1] - energy[0]) / (2 * h)).epsilon(1e-6));
  }
  rank.box = tilted;
  rank.ewald.box_changed(tilted);
  CHECK(rank.compute().sums == at.sums);
}

TEST_CASE("ewald: any ranks, threads, rows and registers give the same integers") {
  for (const Box& box : {oblong, tilted}) {
    ChargedSystem s = with_exclusions(box, 1);
    s.excluded = {{0, 1}, {4, 5}};
    s.halo = 1.6;
    const EwaldResult one = compute(s);
    for (const int ranks : {1, 2, 3, 5}) {
      CAPTURE(ranks);
      const EwaldResult other = compute(s, ranks, Executor::host(ranks == 2 ? 3 : 1), 77);
      CHECK(other.quanta == one.quanta);
      CHECK(other.sums == one.sums);
      CHECK(other.fourier == one.fourier);
    }
    for (const Target target : available_cpu_targets()) {
      CAPTURE(to_string(target));
      const EwaldResult other = compute(s, 1, Executor::host(2, target));
      CHECK(other.quanta == one.quanta);
      CHECK(other.sums == one.sums);
    }
  }
}

TEST_CASE("ewald: ranks without atoms take part") {
  const ChargedSystem s{
      oblong, {{1, 4, 3}, {2, 4, 3}}, {1, -1}, {0.5, KVectorRange::sphere(oblong, 5), 2}};
  const EwaldResult one = compute(s), many = compute(s, 5);
  CHECK(many.quanta == one.quanta);
  CHECK(many.sums == one.sums);
}

TEST_CASE("ewald: invalid input is refused") {
  const EwaldParameters parameters{0.4, KVectorRange::ellipsoid({4, 4, 4}), 1};
  ChargeSums charges = sum_charges(Communicator::self(), std::vector<double>{1.0, -1.0});
  CHECK(charges.is_neutral());
  const Executor executor = Executor::host(1);
  const Box open({0, 0, 0}, {9, 9, 9}, {},
                 {Boundary::periodic, Boundary::periodic, Boundary::open});
  CHECK_THROWS_AS(Ewald(executor, open, parameters, charges), InputError);
  CHECK_THROWS_AS(Ewald(executor, oblong, {0, parameters.range, 1}, charges), InputError);
  CHECK_THROWS_AS(Ewald(executor, oblong, parameters, ChargeSums{}), InputError);
  CHECK_THROWS_AS(KVectorSet(KVectorRange::ellipsoid({0, 0, 0})), InputError);
  CHECK_THROWS_AS(KVectorSet(KVectorRange::ellipsoid({999, 999, 999})), InputError);
  const std::vector<double> broken{1.0, std::nan("")};
  CHECK_THROWS_AS(sum_charges(Communicator::self(), broken), InputError);
}

TEST_CASE("ewald: a missing excluded partner is an error with ids") {
  ChargedSystem s = with_exclusions(oblong);
  EwaldRank rank(Communicator::self(), Executor::host(1), s);
  rank.rebuild();
  Exclusions wrong;
  for (Index i = 0; i <= rank.particles.locals(); ++i) wrong.first.push_back(i > 0 ? 1 : 0);
  wrong.partners = {{99, 0, 0}};
  ExcludedCorrection correction(Executor::host(1), 0.4, 1);
  CHECK_THROWS_WITH_AS(correction.rebuild(rank.context(false), wrong), doctest::Contains("100"),
                       NumericalError);
}
