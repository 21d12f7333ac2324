#include "src/modules/md/files/extended_xyz.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "support/messages.hpp"

using namespace gsim;
using namespace gsim::md;
using gsim::test::contains;
using gsim::test::message_of;

namespace {

const std::string lattice = "Lattice=\"4 0 0 1 5 0 0 0.5 6\"";

std::string error_message(const std::string& text, Index frame = -1) {
  return message_of<InputError>([&] { read_extended_xyz(text, "a.xyz", {frame}); });
}

bool are_close(const Vector3& a, const Vector3& b) {
  for (std::size_t i = 0; i < 3; ++i)
    if (!(a[i] - b[i] < 1e-12 && b[i] - a[i] < 1e-12)) return false;
  return true;
}

}  // namespace

TEST_CASE(
    "extended XYZ: columns in any order, atom ids, image counts, and types in the order of atoms") {
  const AtomSystem system = read_extended_xyz(
      "3\r\n" + lattice +
          " Origin=\"-1 0 2\" pbc=\"T True 1\" comment='two words' flag Time=1.5 "
          "Properties=velo:R:3:ignored:R:2:pos:R:3:species:S:1:id:I:1:charge:R:1:map_shift:I:3:"
          "mass:R:1\r\n"
          "1 2 3 9 9 0.5 1 3 Cl 9 -1 0 0 2 35.45\r\n"
          "4 5 6 9 9 -0.5 1 3 Na 7 1 1 0 0 22.99\n"
          "7 8 9 9 9 4.25 1 3 Cl 8 -1.5d0 0 0 0 35.45\n\n",
      "a.xyz");
  CHECK(system.box == Box({-1, 0, 2}, {4, 5, 6}, {1, 0, 0.5},
                          {Boundary::periodic, Boundary::periodic, Boundary::periodic}));
  CHECK(system.given_ids == std::vector<Index>{7, 8, 9});
  REQUIRE(system.types.size() == 2);
  CHECK(system.types[0].label == "Na");
  CHECK(system.types[1].mass == 35.45);
  CHECK(system.atoms.type == std::vector<std::int32_t>{0, 1, 1});
  CHECK(system.atoms.charge == std::vector<double>{1, -1.5, -1});
  CHECK(system.atoms.velocity[1] == Vector3{7, 8, 9});
  CHECK(system.atoms.image == std::vector<ImageCount>{{1, 0, 0}, {1, 0, 0}, {0, 0, 2}});
  CHECK(are_close(system.box.to_cartesian(system.atoms.position[1]), {0.25, 1, 3}));
  CHECK(system.atoms.molecule.empty());
  CHECK(system.file == "a.xyz");
}

TEST_CASE("extended XYZ: the last frame is read by default, or the one with a given number") {
  std::string text;
  for (int frame = 0; frame < 3; ++frame)
    text += fmt::format("{}\n{}\n", frame + 1, lattice) +
            (frame > 0 ? fmt::format("Ar 1 2 {}\n", frame) : "") + (frame > 1 ? "Ar 1 2 4\n" : "") +
            "Ar 1 2 3\n";
  CHECK(read_extended_xyz(text, "a.xyz").atoms.size() == 3);
  CHECK(read_extended_xyz(text, "a.xyz", {0}).atoms.size() == 1);
  const AtomSystem second = read_extended_xyz(text, "a.xyz", {1});
  CHECK(are_close(second.box.to_cartesian(second.atoms.position[0]), {1, 2, 1}));
  CHECK(second.given_ids.empty());
  CHECK(second.types[0].mass == 0);
  CHECK(contains(error_message(text, 3), "a.xyz: it has 3 frames, but frame 3 is requested"));
}

TEST_CASE("extended XYZ: errors name the file and the line") {
  CHECK(contains(error_message("1\nplain\nAr 0 0 0\n"),
                 "a.xyz:2: there is no Lattice: this is plain XYZ, which has no box; use "
                 "extended XYZ"));
  CHECK(contains(error_message(""), "a.xyz: it has no frame"));
  CHECK(contains(error_message("two\n"), "a.xyz:1: the number of atoms is \"two\""));
  CHECK(contains(error_message("2\n" + lattice + "\nAr 0 0 0\n"),
                 "a.xyz:3: the file ends in the frame of 2 atoms that begins at line 1"));
  CHECK(contains(error_message("1\n" + lattice + "\nAr 0 0 0\nAr 0 0 0\n"),
                 "a.xyz:4: a frame must begin with a line that contains only the number of "
                 "atoms"));
  const auto frame = [](const std::string& keys, const std::string& line) {
    return "1\n" + keys + "\n" + line + "\n";
  };
  CHECK(contains(error_message(frame(lattice, "Ar 0 zero 0")), "a.xyz:3: pos is \"zero\""));
  CHECK(contains(error_message(frame(lattice, "Ar 0 0")), "a.xyz:3: an atom has 3 columns"));
  CHECK(contains(error_message(frame("Lattice=\"1 2 3\"", "Ar 0 0 0")), "Lattice has 3 numbers"));
  CHECK(contains(error_message(frame("Lattice=\"1 1 0 0 1 0 0 0 1\"", "Ar 0 0 0")), "rotate box"));
  CHECK(contains(error_message(frame("Lattice=\"1 0 0 0 1 0 0 0 0\"", "Ar 0 0 0")), "a.xyz:2: "));
  CHECK(contains(error_message(frame("Lattice=\"1 0 0", "Ar 0 0 0")), "has no closing quote"));
  CHECK(contains(error_message(frame(lattice + " pbc=\"T T\"", "Ar 0 0 0")), "pbc is \"T T\""));
  CHECK(contains(error_message(frame(lattice + " " + lattice, "Ar 0 0 0")),
                 "Lattice is given twice"));
  CHECK(contains(error_message(frame(lattice + " Properties=species:S:1", "Ar")), "has no pos"));
  CHECK(contains(error_message(frame(lattice + " Properties=pos:R:2", "0 0")), "it must be R:3"));
  CHECK(contains(error_message(frame(lattice + " Properties=pos:R", "0 0")), "NAME:KIND:COLUMNS"));
  CHECK(contains(error_message(frame(lattice + " Properties=pos:R:3:vel:R:3:velo:R:3", "0")),
                 "property velo is given twice"));
  CHECK(contains(error_message("2\n" + lattice + " Properties=id:I:1:pos:R:3\n4 0 0 0\n4 1 1 1\n"),
                 "a.xyz:4: two atoms have the id 4"));
  CHECK(contains(error_message("2\n" + lattice +
                               " Properties=species:S:1:pos:R:3:mass:R:1\nA 0 0 0 1\nA 1 1 1 2\n"),
                 "atom 2 of type A has the mass 2, an earlier one 1"));
  const std::string open_box = "Lattice=\"4 0 0 0 5 0 0 0 6\" pbc=\"T F 0\"";
  CHECK(read_extended_xyz(frame(open_box, "Ar 0 0 0"), "a.xyz").box.boundary(1) == Boundary::open);
  CHECK(contains(error_message(frame(open_box, "Ar 0 0 99")), "a.xyz:3: "));
}

TEST_CASE(
    "extended XYZ: velocities follow from momenta with masses of the file or of chemical "
    "elements") {
  const auto read = [&](const std::string& properties, const std::string& line) {
    return read_extended_xyz("1\n" + lattice + " Properties=" + properties + "\n" + line + "\n",
                             "a.xyz", {-1, &units_of(UnitSystem::lj)});
  };
  const std::string with_masses = "species:S:1:pos:R:3:masses:R:1:momenta:R:3";
  CHECK(read(with_masses, "Q 0 0 0 2 3 4 5").atoms.velocity[0] == Vector3{1.5, 2, 2.5});
  CHECK(read("species:S:1:pos:R:3:momenta:R:3", "H 0 0 0 1.008 0 0").atoms.velocity[0] ==
        Vector3{1, 0, 0});
  CHECK(read(with_masses + ":velo:R:3", "Q 0 0 0 2 3 4 5 7 8 9").atoms.velocity[0] ==
        Vector3{7, 8, 9});
  CHECK(contains(
      message_of<InputError>([&] { read("species:S:1:pos:R:3:momenta:R:3", "Q 0 0 0 1 0 0"); }),
      "a.xyz:3: the mass of `Q`, which is needed"));
}
