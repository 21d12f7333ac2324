#include "src/modules/md/files/eam_file.hpp"

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "support/messages.hpp"

using namespace gsim;
using namespace gsim::md;
using gsim::test::contains;
using gsim::test::message_of;

namespace {

const std::string funcfl =
    "a made-up element\n"
    "29 63.55 3.615 FCC\n"
    "5 0.5 6 1.0 5.5\n"
    "0 -1.0D+00 -2.\n -3 -4\n"
    "6 5 4 3 2\n0.0\n"
    "1.5 1 .5 0.25 +1.25e-1 0\r\n\n";

/// Tables of five numbers base, base + 1, …
std::string table(int base) {
  std::string text;
  for (int i = 0; i < 5; ++i) text += std::to_string(base + i) + (i % 2 ? "\n" : " ");
  return text + "\n";
}

std::string setfl(bool fs) {
  std::string text = "one\ntwo\n\n2 Ni Al\n5 0.1 5 0.2 1.0\n";
  text += "28 58.7 3.52 fcc\n" + table(10) + table(20) + (fs ? table(30) : "");
  text += "13 26.98 4.05 fcc\n" + table(40) + table(50) + (fs ? table(60) : "");
  return text + table(100) + table(200) + table(300);
}

}  // namespace

TEST_CASE("funcfl: one element, charges made into r phi with the files' own constants") {
  const EamFile file = read_eam(EamFormat::funcfl, funcfl, "X.eam");
  REQUIRE(file.elements.size() == 1);
  const EamElement& x = file.elements[0];
  CHECK(x.atomic_number == 29);
  CHECK(x.mass == 63.55);
  CHECK(x.lattice == "FCC");
  CHECK(x.embedding == std::vector<double>{0, -1, -2, -3, -4});
  CHECK(file.density(0, 0) == std::vector<double>{1.5, 1, 0.5, 0.25, 0.125, 0});
  CHECK(file.pair(0, 0).at(1) == doctest::Approx(27.2 * 0.529 * 25).epsilon(1e-15));
  CHECK(file.cutoff == 5.5);
}

TEST_CASE("setfl and eam.fs: densities by element and by pair, tables by lower triangle") {
  const EamFile alloy = read_eam(EamFormat::alloy, setfl(false), "NiAl.eam.alloy");
  CHECK(alloy.elements[1].name == "Al");
  CHECK(alloy.elements[1].embedding.at(4) == 44);
  CHECK(alloy.density(0, 0).at(0) == 20);
  CHECK(alloy.density(0, 1).at(0) == 20);
  CHECK(alloy.density(1, 0).at(0) == 50);
  CHECK(alloy.pair(0, 0).at(0) == 100);
  CHECK(alloy.pair(0, 1).at(2) == 202);
  CHECK(alloy.pair(1, 0).at(2) == 202);
  CHECK(alloy.pair(1, 1).at(4) == 304);
  const EamFile fs = read_eam(EamFormat::fs, setfl(true), "NiAl.eam.fs");
  CHECK(fs.density(0, 1).at(0) == 30);
  CHECK(fs.density(1, 0).at(0) == 50);
  CHECK(fs.density(1, 1).at(0) == 60);
}

TEST_CASE("malformed tables are refused with file and line") {
  const auto message = [](EamFormat format, const std::string& text) {
    return message_of<InputError>([&] { read_eam(format, text, "X.eam"); });
  };
  const auto replaced = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  const auto bad = [&](const std::string& from, const std::string& to) {
    return message(EamFormat::funcfl, replaced(funcfl, from, to));
  };
  CHECK(contains(bad("-2.", "minus"), "X.eam:4: the embedding energy is \"minus\", not a number"));
  CHECK(contains(bad("-2.", "nan"), "not a number"));
  CHECK(contains(bad("-2.", "1e999"), "out of the range"));
  CHECK(contains(bad("3 2\n0.0", "3 2\n0.0 7"), "X.eam:7: the effective charge has more than 6"));
  CHECK(contains(bad("1.0 5.5", "1.0 6.5"),
                 "X.eam:3: the cutoff 6.5 is beyond the end of the tables"));
  CHECK(contains(bad("29 63.55 3.615 FCC", "29 63.55"), "X.eam:2: the line of an element has 2"));
  CHECK(contains(bad("29 ", "29.5 "), "not a whole number"));
  CHECK(contains(bad("0.25 +1.25e-1 0", "0.25"), "the file ends before number 5 of the density"));
  CHECK(contains(message(EamFormat::alloy, setfl(true)), "is its format that of"));
  CHECK(contains(message(EamFormat::fs, setfl(false)), "\"fcc\", not a number"));
  CHECK(contains(message(EamFormat::alloy, ""), "the file ends"));
}
