// Exclusions along bonds, refused parameters, and interactions beyond their maximum length.

#include <functional>
#include <string>

#include "src/modules/md/bonded/scaled_pairs.hpp"
#include "support/test_executor.hpp"
#include "unit/md/bonded/bonded_molecules.hpp"

using namespace gsim;
using namespace gsim::md;

TEST_CASE("bonded: exclusions follow from the shortest path along bonds") {
  // A ring of six atoms with a side chain of two. Atoms 0 and 3 are three bonds apart along both
  // paths of the ring.
  BondedSystem s{cube, {}, {}, {}};
  for (int i = 0; i < 8; ++i)
    s.positions.push_back(
        {5 + std::cos(60 * i * degree), 5 + std::sin(60 * i * degree), 5.0 + i / 6});
  for (Index i = 0; i < 6; ++i) s.topology.bonds.push_back({0, {i, (i + 1) % 6}});
  s.topology.bonds.push_back({0, {0, 6}});
  s.topology.bonds.push_back({0, {6, 7}});
  s.topology.bond_types = {"r"};
  s.parameters.bonds = {harmonic(1, 1)};
  s.parameters.bonds[0].max_length = 3;
  // The partners of `atom` in excluded and scaled pairs. `special`: whether 1-2, 1-3 and 1-4 pairs
  // are excluded, and the scale factors of 1-4 pairs that are not.
  Index interactions = 0;
  const auto partners = [&](const SpecialPairs& special, Index atom) {
    s.parameters.special = special;
    s.parameters.pairs = {1, {1}, {1}, 0};
    BondedRank rank(Communicator::self(), gsim::test::test_executor(), s);
    rank.rebuild();
    const Exclusions& e = rank.forces.exclusions();
    const auto first = e.first.to_host();
    const auto codes = e.codes.to_host();
    std::vector<std::int64_t> list;
    interactions = rank.forces.interactions();
    if (first.empty()) return list;
    const auto i = static_cast<std::size_t>(atom);  // rows are ids on a single rank
    list.assign(codes.begin() + first[i], codes.begin() + first[i + 1]);
    std::sort(list.begin(), list.end());
    return list;
  };
  using List = std::vector<std::int64_t>;
  const auto code = partner_code;
  CHECK(partners({{true, false, false}, 1, 1}, 0) == List{code(1, 1), code(5, 1), code(6, 1)});
  CHECK(partners({{false, true, false}, 1, 1}, 0) == List{code(2, 2), code(4, 2), code(7, 2)});
  CHECK(partners({{false, false, true}, 1, 1}, 0) == List{code(3, 3)});
  CHECK(interactions == 8);  // bonds
  CHECK(partners({{true, true, false}, 0.5, 0.25}, 7) ==
        List{code(0, 2), code(1, 3), code(5, 3), code(6, 1)});
  // Scaled pairs: three across the ring, two of atom 6 with atoms 2 and 4, two of atom 7.
  CHECK(interactions == 8 + 7);
  CHECK(partners({{false, false, false}, 1, 1}, 0).empty());
}

TEST_CASE("bonded: invalid parameters are refused") {
  const auto check_refused = [](const std::function<void(BondedSystem&)>& change) {
    BondedSystem s = molecule();
    change(s);
    CHECK_THROWS_AS(compute(s), InputError);
  };
  check_refused([](BondedSystem& s) { s.parameters.bonds.pop_back(); });
  check_refused([](BondedSystem& s) { s.parameters.bonds[0].values[0] = 0; });
  check_refused([](BondedSystem& s) { s.parameters.bonds[0].values[1] = -1; });
  check_refused([](BondedSystem& s) { s.parameters.bonds[0].max_length = 1; });
  check_refused([](BondedSystem& s) { s.parameters.bonds[1].max_length = 1.6; });
  check_refused([](BondedSystem& s) { s.parameters.bonds[1].values[3] = 0; });
  check_refused([](BondedSystem& s) { s.parameters.angles[0].values[1] = 181; });
  check_refused([](BondedSystem& s) { s.parameters.angles[0].values[0] = std::nan(""); });
  check_refused([](BondedSystem& s) { s.parameters.dihedrals[0].cosine[1] = std::nan(""); });
  check_refused([](BondedSystem& s) { s.topology.bonds[0].atoms[1] = 6; });
  check_refused([](BondedSystem& s) { s.topology.bonds[0].type = 3; });
  check_refused([](BondedSystem& s) { s.topology.angles[0].atoms[1] = 0; });
  check_refused(
      [](BondedSystem& s) { s.parameters.special.scale_14 = 0.5; });  // without 1-4 parameters
  check_refused([](BondedSystem& s) {
    s.topology.bonds.clear();
  });  // without bonds nothing limits the distances between atoms of an angle
  DihedralSeries d;
  CHECK_THROWS_AS(add_periodic_term(d, 1, 13, 0), InputError);
  CHECK_THROWS_AS(add_periodic_term(d, 1, -1, 0), InputError);
}

TEST_CASE("bonded: an interaction out of range is an error that names its atoms") {
  const auto error_message = [](const BondedSystem& s) -> std::string {
    try {
      compute(s);
    } catch (const NumericalError& error) {
      return error.what();
    }
    return {};
  };
  const auto check_contains = [](const std::string& text, const char* part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  check_contains(error_message(bonded_pair(fene(30, 1.5, 1, 1), 1.51)),
                 "bond 1-2 of type `b` is out of range");
  check_contains(error_message(bonded_pair(fene(30, 1.5, 1, 1), 1.51)), "1.51 long");
  check_contains(error_message(bonded_pair(fene(30, 1.5, 1, 1), 1.4999)), "bond 1-2");
  check_contains(error_message(bonded_pair(fene(30, 1.5, 1, 1), 0.0)), "bond 1-2");
  check_contains(error_message(bonded_pair(harmonic(30, 1), 3.01)), "max_length 3");
  check_contains(error_message(bonded_pair(harmonic(30, 1), 0.0)), "bond 1-2");
  CHECK(error_message(bonded_pair(fene(30, 1.5, 1, 1), 1.45)).empty());
  CHECK(error_message(bonded_pair(harmonic(30, 1), 2.99)).empty());

  BondedSystem bent = three_atoms(angle("harmonic", {10, 90}), 100);
  bent.positions[2] = bent.positions[1];
  check_contains(error_message(bent), "angle 1-2-3 of type `a`");
  bent.positions[2] = {5, 7.5, 6};
  check_contains(error_message(bent), "angle 1-2-3 of type `a`");
  BondedSystem dihedral = four_atoms(periodic(1, 3, 0), 100);
  dihedral.positions[3] = {5, 5, 7};
  check_contains(error_message(dihedral), "dihedral 1-2-3-4 of type `d`");
  dihedral.parameters.id_of = [](Index atom) { return 100 * (atom + 1); };
  check_contains(error_message(dihedral), "dihedral 100-200-300-400");
}

TEST_CASE("bonded: the parameters of 1-4 pairs are those of plain Lennard-Jones potentials") {
  PairTable table({"A", "B"});
  table.add(0, 0, lennard_jones(1, 2, 5));
  table.add(1, 1, lennard_jones(0.25, 4, 5));
  ScaledPairParameters p = scaled_pairs(table, 332.0);
  CHECK(p.types == 2);
  CHECK(p.epsilon == std::vector<double>{1, 0, 0, 0.25});
  CHECK(p.sigma == std::vector<double>{2, 1, 1, 4});
  CHECK(p.coulomb == 332.0);
  table.mix(MixingRule::lorentz_berthelot);
  p = scaled_pairs(table, 0);
  CHECK(p.epsilon == std::vector<double>{1, 0.5, 0.5, 0.25});
  CHECK(p.sigma == std::vector<double>{2, 3, 3, 4});
  table.add(0, 1, lennard_jones(1, 2, 5));
  CHECK_THROWS_AS(scaled_pairs(table, 0), InputError);
}
