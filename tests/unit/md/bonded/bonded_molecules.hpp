#pragma once
// Small systems of bonded atoms for tests.

#include <cmath>

#include "gsim/core/angle.hpp"
#include "unit/md/bonded/bonded_fixture.hpp"
#include "unit/md/bonded/bonded_styles.hpp"

namespace gsim::md {

inline constexpr double degree = radians_per_degree;
inline const Box cube({0, 0, 0}, {20, 20, 20});

inline BondParameters harmonic(double k, double r0) { return bond("harmonic", {k, r0}, 3 * r0); }
inline BondParameters fene(double k, double r0, double epsilon, double sigma) {
  return bond("fene", {k, r0, epsilon, sigma}, r0);
}

/// Two atoms `r` apart along x.
inline BondedSystem bonded_pair(const BondParameters& bond, double r, const Box& box = cube,
                                double x = 4) {
  BondedSystem s{box, {{x, 5, 6}, {x + r, 5, 6}}, {}, {}};
  s.topology.bonds = {{0, {0, 1}}};
  s.topology.bond_types = {"b"};
  s.parameters.bonds = {bond};
  s.parameters.special.is_excluded = {true, false, false};
  return s;
}

/// Three atoms with bond lengths 1.1 and 0.9 and a bond angle of `theta` degrees, in the plane z =
/// 6.
inline BondedSystem three_atoms(const AngleParameters& angle, double theta) {
  const double t = theta * degree;
  BondedSystem s{cube,
                 {{5 + 1.1, 5, 6}, {5, 5, 6}, {5 + 0.9 * std::cos(t), 5 + 0.9 * std::sin(t), 6}},
                 {},
                 {}};
  s.topology.angles = {{0, {0, 1, 2}}};
  s.topology.angle_types = {"a"};
  s.parameters.angles = {angle};
  s.parameters.max_arm = 2;
  return s;
}

/// Four atoms i, j, k, l with a dihedral of `phi` degrees: j at (5, 5, 5), k above it along z, and
/// i displaced from the z axis through j along +x. Seen from j to k, a clockwise rotation leads
/// from +x to +y.
inline BondedSystem four_atoms(const DihedralSeries& dihedral, double phi) {
  const double p = phi * degree;
  BondedSystem s{cube,
                 {{5 + 1.0, 5, 5 - 0.3},
                  {5, 5, 5},
                  {5, 5, 5 + 1.2},
                  {5 + 0.9 * std::cos(p), 5 + 0.9 * std::sin(p), 5 + 1.2 + 0.4}},
                 {},
                 {}};
  s.topology.dihedrals = {{0, {0, 1, 2, 3}}};
  s.topology.dihedral_types = {"d"};
  s.parameters.dihedrals = {dihedral};
  s.parameters.max_arm = 2;
  return s;
}

/// Six atoms in a chain that crosses all faces of a triclinic box, with one interaction of each
/// style.
inline BondedSystem molecule() {
  BondedSystem s{Box({-1, 2, 0.5}, {20, 21, 22}, {5, -4, 3.5}),
                 {{-0.7, 2.2, 0.7},
                  {-1.6, 1.6, 0.3},
                  {-1.9, 1.1, 1.2},
                  {-1.2, 1.9, 1.9},
                  {-0.4, 1.2, 1.6},
                  {-0.1, 1.8, 2.5}},
                 {},
                 {}};
  Topology& t = s.topology;
  t.bonds = {{0, {0, 1}}, {1, {1, 2}}, {2, {2, 3}}, {1, {3, 4}}, {0, {4, 5}}};
  t.angles = {{0, {0, 1, 2}}, {1, {1, 2, 3}}, {2, {2, 3, 4}}, {0, {3, 4, 5}}};
  t.dihedrals = {{0, {0, 1, 2, 3}}, {1, {1, 2, 3, 4}}, {2, {2, 3, 4, 5}}, {1, {5, 4, 3, 2}}};
  // The labels are the initials of the styles; g: FENE without core, q: two periodic terms.
  t.bond_types = {"h", "f", "g"};
  t.angle_types = {"h", "c", "s"};
  t.dihedral_types = {"o", "p", "q"};
  BondedParameters& p = s.parameters;
  p.bonds = {harmonic(120, 1.05), fene(30, 1.5, 1, 1), fene(25, 1.8, 0, 1)};
  p.angles = {angle("harmonic", {40, 109.5}), angle("cosine", {3}),
              angle("cosine_squared", {25, 120})};
  p.dihedrals = {opls_dihedral({1.3, -0.05, 0.2, 0.7}), periodic(2.5, 3, 35),
                 periodic(1.1, 2, 180)};
  add_periodic_term(p.dihedrals[2], 0.6, 5, -70);
  return s;
}

}  // namespace gsim::md
