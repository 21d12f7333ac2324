// Generated polymer chains: bond lengths, smallest 1-3 distance, statistics of directions, and
// generation in parts.

#include "src/modules/md/structures/chains.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

ChainOptions chain_options() {
  ChainOptions o;
  o.chains = 60;
  o.length = 50;
  o.with_angles = o.with_dihedrals = true;
  o.seed = 11;
  return o;
}

double length(const Vector3& d) { return std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]); }

}  // namespace

TEST_CASE("chains: density, bond lengths and smallest 1-3 distance are as configured") {
  const Chains chains(chain_options());
  CHECK(chains.atoms() == 3000);
  CHECK(static_cast<double>(chains.atoms()) / chains.box().volume() ==
        doctest::Approx(0.85).epsilon(1e-14));
  const AtomColumns atoms = chains.atoms_in({0, chains.atoms()});
  REQUIRE(atoms.size() == chains.atoms());
  const auto point = [&](Index i) {
    const auto k = static_cast<std::size_t>(i);
    return chains.box().to_cartesian(atoms.position[k], atoms.image[k]);
  };
  const auto distance = [&](Index i, Index j) {
    const Vector3 a = point(i), b = point(j);
    return length({a[0] - b[0], a[1] - b[1], a[2] - b[2]});
  };
  double nearest = 10;
  const Topology t = chains.topology();
  CHECK(t.bonds.size() == 60 * 49);
  CHECK(t.angles.size() == 60 * 48);
  CHECK(t.dihedrals.size() == 60 * 47);
  for (const auto& bond : t.bonds) {
    // With images chains are continuous; the nearest image is the bonded one.
    CHECK(distance(bond.atoms[0], bond.atoms[1]) == doctest::Approx(0.97).epsilon(1e-12));
    CHECK(atoms.molecule[static_cast<std::size_t>(bond.atoms[0])] == bond.atoms[0] / 50 + 1);
  }
  for (const auto& angle : t.angles)
    nearest = std::min(nearest, distance(angle.atoms[0], angle.atoms[2]));
  CHECK(nearest >= 1.02 * (1 - 1e-12));
  CHECK(nearest < 1.03);
}

TEST_CASE("chains: bonds of a walk without excluded 1-3 distances are isotropic and independent") {
  ChainOptions o = chain_options();
  o.min_1_3_distance = 0;
  o.chains = 20000;
  o.length = 3;
  const Chains chains(o);
  const AtomColumns atoms = chains.atoms_in({0, chains.atoms()});
  double sum[3] = {}, square[3] = {}, cosine_sum = 0;
  for (Index c = 0; c < o.chains; ++c) {
    const auto k = static_cast<std::size_t>(3 * c);
    const Vector3 a = chains.box().difference(atoms.position[k + 1], atoms.position[k]);
    const Vector3 b = chains.box().difference(atoms.position[k + 2], atoms.position[k + 1]);
    for (std::size_t x = 0; x < 3; ++x) {
      sum[x] += a[x] / 0.97;
      square[x] += a[x] * a[x] / (0.97 * 0.97);
      cosine_sum += a[x] * b[x] / (0.97 * 0.97);
    }
  }
  const auto n = static_cast<double>(o.chains);
  // A component of a uniform direction has variance 1/3, its square variance 4/45, the cosine
  // between two of them variance 1/3.
  for (int x = 0; x < 3; ++x) {
    CHECK(std::abs(sum[x] / n) < 4 * std::sqrt(1.0 / 3 / n));
    CHECK(std::abs(square[x] / n - 1.0 / 3) < 4 * std::sqrt(4.0 / 45 / n));
  }
  CHECK(std::abs(cosine_sum / n) < 4 * std::sqrt(1.0 / 3 / n));
}

TEST_CASE("chains: parts that ranks generate are equal to those of the whole system") {
  const Chains chains(chain_options());
  const AtomColumns all = chains.atoms_in({0, chains.atoms()});
  for (const Index parts : {2, 3, 7, 61}) {
    AtomColumns concatenated;
    for (Index p = 0; p < parts; ++p) {
      const AtomColumns part = chains.atoms_in(partition({0, chains.atoms()}, parts, p));
      concatenated.position.insert(concatenated.position.end(), part.position.begin(),
                                   part.position.end());
      concatenated.image.insert(concatenated.image.end(), part.image.begin(), part.image.end());
      concatenated.molecule.insert(concatenated.molecule.end(), part.molecule.begin(),
                                   part.molecule.end());
    }
    CHECK(concatenated.position == all.position);
    CHECK(concatenated.image == all.image);
    CHECK(concatenated.molecule == all.molecule);
  }
  CHECK(chains.atoms_in({100, 100}).size() == 0);
  ChainOptions other = chain_options();
  other.seed = 12;
  CHECK(Chains(other).atoms_in({0, chains.atoms()}).position != all.position);
}

TEST_CASE("chains: invalid options are refused") {
  const auto check_refused = [](auto change) {
    ChainOptions o = chain_options();
    change(o);
    CHECK_THROWS_AS(Chains{o}, InputError);
  };
  check_refused([](ChainOptions& o) { o.chains = 0; });
  check_refused([](ChainOptions& o) { o.length = 0; });
  check_refused([](ChainOptions& o) { o.length = Index{1} << 50; });
  check_refused([](ChainOptions& o) { o.density = 0; });
  check_refused([](ChainOptions& o) { o.bond_length = -1; });
  check_refused([](ChainOptions& o) { o.min_1_3_distance = 1.9; });
  ChainOptions single = chain_options();
  single.length = 1;
  CHECK(Chains(single).topology().bonds.empty());
}

TEST_CASE(
    "chains: the layout on a lattice has bonds of one lattice spacing, and no two atoms are "
    "nearer") {
  for (const Index count : {50, 53}) {
    ChainOptions o = chain_options();
    o.layout = ChainLayout::lattice;
    o.chains = count;
    o.length = 20;
    const Chains chains(o);
    const Box& box = chains.box();
    const AtomColumns atoms = chains.atoms_in({0, chains.atoms()});
    double shortest = 1e9, longest = 0, nearest = 1e9;
    for (Index i = 0; i < chains.atoms(); ++i)
      for (Index j = 0; j < i; ++j) {
        const double r = length(box.difference(atoms.position[static_cast<std::size_t>(i)],
                                               atoms.position[static_cast<std::size_t>(j)]));
        nearest = std::min(nearest, r);
        if (j + 1 != i) continue;
        shortest = std::min(shortest, r);
        longest = std::max(longest, r);
      }
    const double edge = std::cbrt(1 / 0.85);
    CHECK(nearest == doctest::Approx(shortest).epsilon(1e-12));
    CHECK(shortest > 0.9 * edge);
    CHECK(longest < 1.1 * edge);
    const AtomColumns part = chains.atoms_in({123, 456});
    CHECK(std::equal(part.position.begin(), part.position.end(), atoms.position.begin() + 123));
  }
}
