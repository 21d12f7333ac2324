#include "src/modules/md/structures/lattice.hpp"

#include <cmath>
#include <map>
#include <set>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "support/messages.hpp"

using namespace gsim;
using namespace gsim::md;
using gsim::test::contains;
using gsim::test::message_of;

namespace {

/// Returns the number of atoms at each distance from `atom`, in units of 1e-6, up to
/// `max_distance`.
std::map<Index, int> shells(const Lattice& lattice, Index atom, double max_distance) {
  const AtomColumns atoms = lattice.atoms_in({0, lattice.atoms()});
  std::map<Index, int> result;
  for (Index j = 0; j < atoms.size(); ++j) {
    if (j == atom) continue;
    const Vector3 d = lattice.box().difference(atoms.position[static_cast<std::size_t>(j)],
                                               atoms.position[static_cast<std::size_t>(atom)]);
    const double r = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (r < max_distance) ++result[std::llround(r * 1e6)];
  }
  return result;
}

}  // namespace

TEST_CASE(
    "lattice: the neighbour shells of every lattice and orientation have their distances and "
    "coordination numbers") {
  // Squared distances in units of the edge, and coordination numbers (Ashcroft and Mermin 1976).
  const struct {
    LatticeKind kind;
    std::vector<std::pair<double, int>> shells;
  } cases[] = {{LatticeKind::sc, {{1, 6}, {2, 12}, {3, 8}}},
               {LatticeKind::bcc, {{0.75, 8}, {1, 6}, {2, 12}}},
               {LatticeKind::fcc, {{0.5, 12}, {1, 6}, {1.5, 24}}},
               {LatticeKind::diamond, {{3.0 / 16, 4}, {0.5, 12}, {11.0 / 16, 12}}}};
  const std::array<std::array<int, 3>, 3> orientations[] = {
      {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
      {{{1, -1, 0}, {1, 1, -2}, {1, 1, 1}}},
      {{{0, 0, 2}, {1, -1, 0}, {1, 1, 0}}},
      {{{2, 1, 0}, {-1, 2, 0}, {0, 0, 1}}},
  };
  for (const auto& c : cases)
    for (const auto& orientation : orientations) {
      LatticeOptions options{.kind = c.kind, .constant = 2.0, .orientation = orientation};
      options.cells = {4, 4, 4};
      const Lattice lattice(options);
      CHECK(static_cast<double>(lattice.atoms()) / lattice.box().volume() ==
            doctest::Approx(static_cast<double>(basis_of(c.kind).size()) / 8).epsilon(1e-12));
      std::map<Index, int> expected;
      for (const auto& [squared, count] : c.shells)
        expected[std::llround(2 * std::sqrt(squared) * 1e6)] = count;
      const double max_distance = 2 * std::sqrt(c.shells.back().first) + 1e-4;
      for (const Index atom : {Index{0}, lattice.atoms() - 1})
        CHECK(shells(lattice, atom, max_distance) == expected);
    }
}

TEST_CASE(
    "lattice: at density 0.8442 the lattice constant is that of LAMMPS's melt and all positions "
    "differ") {
  LatticeOptions options{.density = 0.8442};
  options.cells = {20, 20, 20};
  const Lattice lattice(options);
  CHECK(lattice.atoms() == 32000);
  CHECK(lattice.constant() == doctest::Approx(1.6795961913825074).epsilon(1e-15));
  const AtomColumns atoms = lattice.atoms_in({0, 32000});
  std::set<std::array<std::uint64_t, 3>> positions;
  for (const FixedPosition& p : atoms.position) positions.insert({p.x[0], p.x[1], p.x[2]});
  CHECK(positions.size() == 32000);
}

TEST_CASE("lattice: the unit cell of an orientation is the smallest orthogonal one") {
  LatticeOptions options{.constant = 1.0, .orientation = {{{1, -1, 0}, {1, 1, -2}, {1, 1, 1}}}};
  const Lattice lattice(options);  // fcc: a/sqrt 2, a sqrt(3/2), a sqrt 3
  CHECK(lattice.atoms() == 6);
  CHECK(lattice.box().lengths()[0] == doctest::Approx(std::sqrt(0.5)));
  CHECK(lattice.box().lengths()[1] == doctest::Approx(std::sqrt(1.5)));
  CHECK(lattice.box().lengths()[2] == doctest::Approx(std::sqrt(3.0)));
}

TEST_CASE("lattice: parts that ranks generate are equal to those of the whole lattice") {
  LatticeOptions options{.kind = LatticeKind::diamond, .constant = 5.43};
  options.cells = {3, 2, 4};
  options.basis_types = {0, 0, 0, 0, 1, 1, 1, 1};
  options.boundaries[2] = Boundary::open;
  const Lattice lattice(options);
  const AtomColumns whole = lattice.atoms_in({0, lattice.atoms()});
  for (const Index parts : {1, 2, 3, 5, 7}) {
    AtomColumns concatenated;
    for (Index p = 0; p < parts; ++p) {
      const AtomColumns part = lattice.atoms_in(partition({0, lattice.atoms()}, parts, p));
      concatenated.position.insert(concatenated.position.end(), part.position.begin(),
                                   part.position.end());
      concatenated.type.insert(concatenated.type.end(), part.type.begin(), part.type.end());
    }
    CHECK(concatenated.position == whole.position);
    CHECK(concatenated.type == whole.type);
  }
}

TEST_CASE("lattice: a custom cell of hexagonal close packing has twelve nearest neighbours") {
  LatticeOptions options{.kind = LatticeKind::custom, .constant = 1.0};
  options.basis = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 5.0 / 6, 0.5}, {0, 1.0 / 3, 0.5}};
  options.ratios = {1, std::sqrt(3.0), std::sqrt(8.0 / 3)};
  options.cells = {5, 3, 3};
  const Lattice lattice(options);
  CHECK(shells(lattice, 0, 1.001) == std::map<Index, int>{{1000000, 12}});
  CHECK(shells(lattice, 2, 1.001) == std::map<Index, int>{{1000000, 12}});
}

TEST_CASE("lattice: contradictory options are refused with a suggestion") {
  const auto error_after = [](const std::function<void(LatticeOptions&)>& change) {
    LatticeOptions options{.constant = 1.0};
    change(options);
    return message_of<InputError>([&] { Lattice{options}; });
  };
  CHECK(contains(error_after([](auto& o) { o.density = 1; }), "give one of the two"));
  CHECK(contains(error_after([](auto& o) { o.constant = 0; }), "give one of the two"));
  CHECK(contains(error_after([](auto& o) { o.cells[1] = 0; }), "0 cells"));
  CHECK(contains(error_after([](auto& o) {
                   o.orientation[0] = {1, 1, 0};
                 }),
                 "not at right angles"));
  CHECK(contains(error_after([](auto& o) { o.orientation[0] = {-1, 0, 0}; }), "left-handed"));
  CHECK(contains(error_after([](auto& o) { o.orientation[0] = {0, 0, 0}; }), "[0 0 0]"));
  CHECK(contains(error_after([](auto& o) { o.basis_types = {0, 1}; }), "2 types for the 4 atoms"));
  CHECK(contains(error_after([](auto& o) { o.kind = LatticeKind::custom; }), "has no basis"));
  CHECK(contains(error_after([](auto& o) {
                   o.kind = LatticeKind::custom;
                   o.basis = {{0, 0, 1}};
                 }),
                 "below 1"));
}
