// Replication of systems along their box vectors.

#include "src/modules/md/setup/replicate.hpp"

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/files/data_file.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

// A data file of a chain of three atoms across a face of the box, and a free atom.
const char* const chain =
    "chain\n\n4 atoms\n2 bonds\n1 angles\n2 atom types\n1 bond types\n1 angle types\n\n"
    "0 4 xlo xhi\n0 6 ylo yhi\n0 8 zlo zhi\n1 0 0 xy xz yz\n\nAtoms # full\n\n"
    "1 1 1 0.5 3.2 1 1\n2 1 1 -0.5 3.9 1 1\n3 1 2 0.25 0.6 1 1\n4 0 2 -0.25 2 3 7\n\n"
    "Bonds\n\n1 1 1 2\n2 1 2 3\n\nAngles\n\n1 1 1 2 3\n";

double distance(const AtomSystem& s, Index i, Index j) {
  const Vector3 d = s.box.difference(s.atoms.position[static_cast<std::size_t>(i)],
                                     s.atoms.position[static_cast<std::size_t>(j)]);
  return std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

}  // namespace

TEST_CASE("replicate: atoms are translated by box vectors, and bonds keep their lengths") {
  const AtomSystem unit_system = read_data_file(chain, "chain.data");
  const AtomSystem replicated = replicate(unit_system, {3, 2, 1});
  CHECK(replicated.atoms.size() == 24);
  CHECK(replicated.box == Box({0, 0, 0}, {12, 12, 8}, {2, 0, 0}));
  for (Index copy = 0; copy < 6; ++copy)
    for (Index i = 0; i < 4; ++i) {
      const auto k = static_cast<std::size_t>(i), n = static_cast<std::size_t>(4 * copy + i);
      const Vector3 p = unit_system.box.to_cartesian(unit_system.atoms.position[k]);
      ImageCount image{};
      const double x = static_cast<double>(copy % 3), y = static_cast<double>(copy / 3);
      const FixedPosition expected =
          replicated.box.to_fixed({p[0] + 4 * x + y, p[1] + 6 * y, p[2]}, image);
      const Vector3 d = replicated.box.difference(replicated.atoms.position[n], expected);
      for (const double component : d) CHECK(std::abs(component) < 1e-14);
      CHECK(replicated.atoms.charge[n] == unit_system.atoms.charge[k]);
      CHECK(replicated.atoms.type[n] == unit_system.atoms.type[k]);
      CHECK(replicated.atoms.molecule[n] == (i < 3 ? copy + 1 : 0));
    }
  REQUIRE(replicated.topology.bonds.size() == 12);
  for (const auto& bond : replicated.topology.bonds)
    CHECK(distance(replicated, bond.atoms[0], bond.atoms[1]) ==
          doctest::Approx(0.7).epsilon(1e-12));
  // The chain of the first copy continues in the second one, and the chain of the third in the
  // first.
  CHECK(replicated.topology.bonds[1].atoms == std::array<Index, 2>{1, 6});
  CHECK(replicated.topology.bonds[5].atoms == std::array<Index, 2>{9, 2});
  CHECK(replicated.topology.angles[0].atoms == std::array<Index, 3>{0, 1, 6});
  CHECK(replicated.topology.bond_types == unit_system.topology.bond_types);
}

TEST_CASE("replicate: zero copies, copies along open axes and too large tilts are refused") {
  const AtomSystem unit_system = read_data_file(chain, "chain.data");
  CHECK_THROWS_AS(replicate(unit_system, {0, 1, 1}), InputError);
  CHECK_THROWS_AS(replicate(unit_system, {1, 4, 1}), InputError);  // tilted by 4 over a length of 4
  AtomSystem open = unit_system;
  open.box =
      Box({0, 0, 0}, {4, 6, 8}, {}, {Boundary::periodic, Boundary::periodic, Boundary::open});
  CHECK_THROWS_AS(replicate(open, {1, 1, 2}), InputError);
  CHECK(replicate(unit_system, {1, 1, 1}).atoms.position == unit_system.atoms.position);
}
