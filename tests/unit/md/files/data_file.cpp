#include "src/modules/md/files/data_file.hpp"

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "support/messages.hpp"

using namespace gsim;
using namespace gsim::md;
using gsim::test::contains;
using gsim::test::message_of;

namespace {

const std::string full_style_file =
    "a made-up molecule # title\n\n"
    "3 atoms  # comment\n2 bonds\n1 angles\n2 atom types\n1 bond types\n1 angle types\n"
    "2 extra bond per atom\n"
    "-1 9 xlo xhi\n0.0 10.0 ylo yhi\n0 1.0e1 zlo zhi\n1.0 0.0 -2 xy xz yz\n\n"
    "Bonds\n\n1 OH 10 7\n2 1 10 12\n\n"
    "Atom Type Labels\n\n1 H\n2 O\n\n"
    "Bond Type Labels\n\n1 OH\n\n"
    "Atoms # full\n\n"
    "10 1 O -0.8 0 1 2 0 0 -1\n"
    "7 1 1 +0.4 9.5 1 2\n"
    "12 1 H 0.4 0 3 2.0D0 1 2 3\r\n\n"
    "Velocities\n\n12 1 2 3\n7 4 5 6\n10 7 8 9\n\n"
    "Masses\n\nO 16\n1 1.008 # H\n\n"
    "Angles\n\n1 1 7 10 12\n\n"
    "Pair Coeffs # lj/cut\n\n1 0.0 1.0\n2 0.15 3.16 10\n\n"
    "PairIJ Coeffs\n\n1 2 0.1 2.0\n\n"
    "Bond Coeffs # harmonic\n\n1 450 0.9572\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::string one_atom_file(const std::string& style, const std::string& row) {
  return "title\n\n1 atoms\n1 atom types\n0 5 xlo xhi\n0 5 ylo yhi\n0 5 zlo zhi\n\nAtoms" + style +
         "\n\n" + row + "\n";
}

}  // namespace

TEST_CASE(
    "data file: atom style full with any order of sections, type labels, image flags, tilts and "
    "coefficients") {
  const AtomSystem s = read_data_file(full_style_file, "w.data");
  CHECK(s.given_ids == std::vector<Index>{7, 10, 12});
  CHECK(s.id_of(1) == 10);
  CHECK(s.box.tilts() == Vector3{1, 0, -2});
  CHECK(s.types.at(0).label == "H");
  CHECK(s.types.at(1).mass == 16);
  CHECK(s.atoms.type == std::vector<std::int32_t>{0, 1, 0});
  CHECK(s.atoms.charge == std::vector<double>{0.4, -0.8, 0.4});
  CHECK(s.atoms.molecule == std::vector<std::int64_t>{1, 1, 1});
  CHECK(s.atoms.velocity.at(0) == Vector3{4, 5, 6});
  const Vector3 points[] = {{9.5, 1, 2}, {0, 1, 2}, {0, 3, 2}};
  const ImageCount flags[] = {{0, 0, 0}, {0, 0, -1}, {1, 2, 3}};
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3 unwrapped = s.box.to_cartesian(s.atoms.position[i], s.atoms.image[i]);
    const auto [ix, iy, iz] = flags[i];
    CHECK(unwrapped[0] == doctest::Approx(points[i][0] + 10 * ix + 1 * iy));
    CHECK(unwrapped[1] == doctest::Approx(points[i][1] + 10 * iy - 2 * iz));
    CHECK(unwrapped[2] == doctest::Approx(points[i][2] + 10 * iz));
  }
  CHECK(s.topology.bonds == std::vector<BondedTuple<2>>{{0, {1, 0}}, {0, {1, 2}}});
  CHECK(s.topology.angles == std::vector<BondedTuple<3>>{{0, {0, 1, 2}}});
  REQUIRE(s.coefficients.size() == 3);
  CHECK(s.coefficients[0].style == "lj/cut");
  CHECK(s.coefficients[0].lines.at(1).words == std::vector<std::string>{"0.15", "3.16", "10"});
  CHECK(s.coefficients[1].lines.at(0).types == std::vector<std::int32_t>{0, 1});
}

TEST_CASE(
    "data file: the atom style is named in the section header or follows from the number of "
    "columns") {
  const auto read = [](const std::string& style, const std::string& row) {
    return read_data_file(one_atom_file(style, row), "a.data");
  };
  for (const char* style : {"", " # atomic"}) {
    const AtomSystem s = read(style, "1 1 1 2 3");
    CHECK(s.given_ids.empty());
    CHECK(s.box.to_cartesian(s.atoms.position.at(0))[1] == doctest::Approx(2));
    CHECK(s.atoms.charge.empty());
  }
  CHECK(read(" # charge", "1 1 -2 1 2 3 0 0 1").atoms.charge.at(0) == -2);
  for (const char* style : {" # bond", " # angle", " # molecular"})
    CHECK(read(style, "1 5 1 1 2 3").atoms.molecule.at(0) == 5);
  for (const DataStyle style : {DataStyle::bond, DataStyle::angle, DataStyle::molecular}) {
    const auto file = one_atom_file("", "1 5 1 1 2 3");
    CHECK(read_data_file(file, "a.data", {.style = style}).atoms.molecule.at(0) == 5);
  }
  CHECK(read("", "1 5 1 0.5 1 2 3").atoms.charge.at(0) == 0.5);
}

TEST_CASE("data file: errors name the file, the line and the field") {
  const auto error_after_replacing = [](const std::string& from, const std::string& to) {
    return message_of<InputError>(
        [&] { read_data_file(replaced(full_style_file, from, to), "w.data"); });
  };
  CHECK(contains(error_after_replacing("10 1 O -0.8", "10 1 O x"),
                 "w.data:31: the charge is \"x\", not a number"));
  CHECK(contains(error_after_replacing("9.5 1 2", "9.5 nan 2"), "w.data:32: y is \"nan\""));
  CHECK(contains(error_after_replacing("7 1 1 +0.4", "7 1 3 +0.4"),
                 "w.data:32: the type is 3; it must be 1 to 2"));
  CHECK(contains(error_after_replacing("10 1 O", "10 1 X"), "there is no type \"X\""));
  CHECK(contains(error_after_replacing("7 1 1 +0.4", "10 1 1 +0.4"),
                 "w.data:32: id 10 is given twice in section Atoms, first in line 31"));
  CHECK(
      contains(error_after_replacing("2 1 10 12", "2 1 10 13"), "w.data:18: there is no atom 13"));
  CHECK(contains(error_after_replacing("2 1 10 12", "2 1 10 10"), "a bond has atom 10 twice"));
  CHECK(contains(error_after_replacing("3 atoms", "4 atoms"),
                 "w.data:29: section Atoms has 3 rows, but the header announces 4"));
  CHECK(contains(error_after_replacing("Masses\n", "Impropers\n\n1 1 10 7 12 10\n\nMasses\n"),
                 "improper"));
  CHECK(contains(error_after_replacing("0.0 10.0 ylo yhi\n", ""), "no line \"ylo yhi\""));
  CHECK(contains(error_after_replacing("-1 9 xlo", "9 9 xlo"),
                 "w.data:10: the box goes from 9 to 9"));
  CHECK(
      contains(error_after_replacing("2 bonds", "2 bounds"), "w.data:4: \"2 bounds\" is neither"));
  CHECK(contains(error_after_replacing("Atoms # full", "Atoms # sphere"), "the style \"sphere\""));
  CHECK(contains(error_after_replacing("Atoms # full", "Atomz # full"), "\"Atomz\" is neither"));
  CHECK(contains(error_after_replacing("9.5 1 2\n", "9.5 1 2 0\n"),
                 "has 8 columns; its style has 7, or 10"));
  CHECK(contains(error_after_replacing("2 bonds", "1 impropers\n2 bonds"), "improper"));
  CHECK(contains(error_after_replacing("O 16", "O 0"), "the mass is 0"));
  CHECK(contains(error_after_replacing("12 1 2 3\n7", "7 1 2 3\n7"), "atom 7 has two velocities"));
  CHECK(contains(
      message_of<InputError>([] { read_data_file(one_atom_file("", "1 1 1 1 2 3"), "a"); }),
      "the style of Atoms is ambiguous"));
  CHECK(contains(message_of<InputError>([] { read_data_file("", "a"); }), "a: the file is empty"));
  CHECK(contains(message_of<InputError>([] { read_data_file("title\n", "a"); }), "xlo xhi"));
}
