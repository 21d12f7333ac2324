#include "src/modules/md/many_body/eam_config.hpp"

#include <doctest/doctest.h>

#include "support/messages.hpp"

using namespace gsim;
using namespace gsim::md;
using gsim::test::contains;
using gsim::test::message_of;

namespace {

/// A table of the six numbers base, base + 1, …, base + 5.
std::string table(int base) {
  std::string text;
  for (int i = 0; i < 6; ++i) text += std::to_string(base + i) + " ";
  return text + "\n";
}
/// A setfl file of nickel and aluminium: F and rho of each, then r phi of the three pairs.
std::string setfl() {
  std::string text = "one\ntwo\nthree\n2 Ni Al\n6 0.1 6 0.2 1.0\n";
  text += "28 58.7 3.52 fcc\n" + table(10) + table(20);
  text += "13 26.98 4.05 fcc\n" + table(40) + table(50);
  return text + table(100) + table(200) + table(300);
}
/// A funcfl file of copper with this mass: F, Z and rho.
std::string funcfl(double mass) {
  return "made up\n29 " + std::to_string(mass) + " 3.6 FCC\n6 0.5 6 0.2 1.0\n" + table(0) +
         table(1) + table(7);
}

EamConfig read(const std::string& text, const std::vector<std::string>& types,
               UnitSystem units = UnitSystem::metal) {
  EamConfig config;
  auto file = ConfigFile::parse("[eam]\n" + text, "run.toml");
  file.read_files_with([](const std::string& path) {
    if (contains(path, "NiAl.eam.alloy")) return InputFile{path, setfl(), {}};
    if (contains(path, "Cu.eam")) return InputFile{path, funcfl(63.5), {}};
    if (contains(path, "Ni.eam")) return InputFile{path, funcfl(58.7), {}};
    return InputFile{path, {}, "no such file"};
  });
  file.read([&](Section& top) {
    top.required_table("eam",
                       validated([&](Section& s) { describe_eam(s, config); },
                                 [&](const Section& s) { validate_eam(s, types, units, config); }),
                       "");
  });
  return config;
}
std::string error_message(const std::string& text, const std::vector<std::string>& types,
                          UnitSystem units = UnitSystem::metal) {
  return message_of<ConfigError>([&] { read(text, types, units); });
}

}  // namespace

TEST_CASE(
    "eam config: atom types are assigned to the elements of a setfl file by name or by "
    "`elements`") {
  const std::string alloy_keys = "format = \"eam.alloy\"\nfile = \"NiAl.eam.alloy\"\n";
  const EamConfig named = read(alloy_keys, {"Al", "Ni"});
  CHECK(named.elements == std::vector<std::size_t>{1, 0});
  CHECK(named.masses == std::vector<double>{26.98, 58.7});
  CHECK(named.summary == "eam.alloy NiAl.eam.alloy: Al, Ni; cutoff 1 angstrom");
  const EamTables tables = named.tables();
  CHECK(tables.types() == 2);
  CHECK(tables.density_of(0, 1).at(0).value == 50);
  CHECK(tables.r_phi_of(0, 0).at(0).value == 300);
  const EamConfig mapped = read(alloy_keys + "elements = [\"Ni\", \"Ni\"]\n", {"core", "shell"});
  CHECK(mapped.elements == std::vector<std::size_t>{0, 0});
  CHECK(mapped.tables().types() == 1);
  CHECK(contains(error_message(alloy_keys, {"Ni", "Cu"}),
                 "NiAl.eam.alloy has no element `Cu` for type `Cu`"));
  CHECK(contains(error_message(alloy_keys, {"Ni", "Cu"}), "it has Ni, Al"));
  CHECK(contains(error_message(alloy_keys + "elements = [\"Ni\"]\n", {"Ni", "Al"}),
                 "1 elements for 2 types"));
  CHECK(contains(error_message("format = \"eam.fs\"\nfile = \"NiAl.eam.alloy\"\n", {"Ni"}),
                 "not a number"));
  CHECK(contains(error_message("format = \"eam.alloy\"\nfile = \"X\"\n", {"Ni"}), "no such file"));
}

TEST_CASE("eam config: one funcfl file serves all types, or one file is given for each type") {
  const EamConfig single_file = read("format = \"funcfl\"\nfiles = [\"Cu.eam\"]\n", {"a", "b"});
  CHECK(single_file.elements == std::vector<std::size_t>{0, 0});
  const EamConfig three_files =
      read("format = \"funcfl\"\nfiles = [\"Cu.eam\", \"Ni.eam\", \"Cu.eam\"]\n", {"a", "b", "c"});
  CHECK(three_files.elements == std::vector<std::size_t>{0, 1, 0});
  CHECK(three_files.masses == std::vector<double>{63.5, 58.7, 63.5});
  CHECK(three_files.tables().types() == 3);
  CHECK(contains(error_message("format = \"funcfl\"\nfiles = [\"Cu.eam\", \"Ni.eam\"]\n", {"a"}),
                 "2 files for 1 types"));
}

TEST_CASE("eam config: Sutton-Chen copper needs no file, but metal units") {
  const EamConfig copper = read("format = \"sutton_chen\"\n", {"Cu"});
  CHECK(copper.potential.cutoff == 7.22);
  CHECK(copper.masses == std::vector<double>{63.546});
  CHECK(read("format = \"sutton_chen\"\ncutoff = 5.5\n", {"Cu"}).potential.cutoff == 5.5);
  CHECK(contains(error_message("format = \"sutton_chen\"\nn = 5\n", {"Cu"}), "n must be above m"));
  CHECK(
      contains(error_message("format = \"sutton_chen\"\ncutoff = 3\n", {"Cu"}), "must be above a"));
  CHECK(contains(error_message("format = \"sutton_chen\"\n", {"Cu"}, UnitSystem::lj),
                 "set units = \"metal\""));
  CHECK(contains(error_message("", {"Cu"}), "format"));
  // The schema describes all formats.
  const std::string schema = schema_text([](Section& top) {
    EamConfig config;
    top.required_table(
        "eam", [&](Section& s) { describe_eam(s, config); }, "");
  });
  for (const char* word : {"funcfl", "eam.alloy", "eam.fs", "sutton_chen", "files", "elements"})
    CHECK(contains(schema, word));
}

TEST_CASE("eam config: types of a structure file must be elements of the potential") {
  const EamConfig copper = read("format = \"sutton_chen\"\n", {"Cu"});
  const auto type_error = [](const EamConfig& c, const std::vector<EamType>& types) {
    return message_of<InputError>([&] { refuse_unknown_types(c, types); });
  };
  CHECK(type_error(copper, {{"Cu", 0, "a.xyz:3"}}) == "no error");
  CHECK(type_error(copper, {{"Foo", 0, ""}}) == "no error");  // a [[type]] is configured
  CHECK(type_error(copper, {{"1", 63.5, "a.data"}}) == "no error");
  const std::string message = type_error(copper, {{"Foo", 0, "a.xyz:3"}});
  CAPTURE(message);
  CHECK(contains(message, "a.xyz:3: `Foo` is not known to be Cu, its element in [eam]"));
  CHECK(contains(message, "add a [[type]] with name = \"Foo\""));
  const EamConfig gold = read("format = \"sutton_chen\"\nepsilon = 0.02\n", {"Au"});
  CHECK(contains(type_error(gold, {{"Au", 0, "a.xyz:3"}}),
                 "`Au` is not known to be the metal of [eam]"));
  CHECK(gold.masses == std::vector<double>{0});
  const EamConfig single_file = read("format = \"funcfl\"\nfiles = [\"Cu.eam\"]\n", {"Cu"});
  CHECK(single_file.symbols == std::vector<std::string>{"Cu"});  // by the atomic number in the file
  CHECK(type_error(single_file, {{"Cu", 0, "a.xyz:3"}}) == "no error");
  CHECK(contains(type_error(single_file, {{"Zr", 0, "a.xyz:7"}}),
                 "a.xyz:7: `Zr` is not known to be Cu"));
  const EamConfig mapped =
      read("format = \"eam.alloy\"\nfile = \"NiAl.eam.alloy\"\nelements = [\"Al\"]\n", {"Foo"});
  CHECK(type_error(mapped, {{"Foo", 0, "a.xyz:3"}}) == "no error");
}

TEST_CASE("eam config: a mass that is that of another element gives a warning") {
  const std::string alloy_keys = "format = \"eam.alloy\"\nfile = \"NiAl.eam.alloy\"\n";
  const EamConfig c = read(alloy_keys + "elements = [\"Ni\", \"Al\"]\n", {"1", "2"});
  CHECK(mass_warning(c, std::vector<EamType>{{"1", 58.6934, ""}, {"2", 26.98, ""}}) == "");
  CHECK(mass_warning(c, std::vector<EamType>{{"1", 60, ""}, {"2", 0, ""}}) == "");
  const std::string swapped =
      mass_warning(c, std::vector<EamType>{{"1", 26.9815, ""}, {"2", 58.69, ""}});
  CAPTURE(swapped);
  CHECK(contains(swapped,
                 "type `1` has the mass 26.9815 (that of Al), and its element in [eam] is Ni "
                 "with the mass 58.7"));
  CHECK(contains(swapped, "the masses fit the order \"Al\", \"Ni\": are the elements exchanged?"));
  const EamConfig copper = read("format = \"sutton_chen\"\n", {"1"});
  CHECK(contains(mass_warning(copper, std::vector<EamType>{{"1", 196.97, ""}}),
                 "type `1` has the mass 196.97 (that of Au), and its element in [eam] is Cu "
                 "with the mass 63.546; is that the right element?"));
  // A mass that no element has, as chosen for longer time steps, gives no warning.
  CHECK(mass_warning(copper, std::vector<EamType>{{"1", 600, ""}}) == "");
}
