#include "src/modules/md/files/eam_file.hpp"

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "support/messages.hpp"

using namespace gsim;
using namespace gsim::md;
using gsim::test::contains;
using gsim::test::message_of;

namespace {

const std::string funcfl_file =
    "a made-up element\n"
    "29 63.55 3.615 FCC\n"
    "5 0.5 6 1.0 5.5\n"
    "0 -1.0D+00 -2.\n -3 -4\n"
    "6 5 4 3 2\n0.0\n"
    "1.5 1 .5 0.25 +1.25e-1 0\r\n\n";

/// A table of the five numbers base, base + 1, …, base + 4.
std::string table(int base) {
  std::string text;
  for (int i = 0; i < 5; ++i) text += std::to_string(base + i) + (i % 2 ? "\n" : " ");
  return text + "\n";
}

std::string setfl(bool finnis_sinclair) {
  std::string text = "one\ntwo\n\n2 Ni Al\n5 0.1 5 0.2 1.0\n";
  text += "28 58.7 3.52 fcc\n" + table(10) + table(20) + (finnis_sinclair ? table(30) : "");
  text += "13 26.98 4.05 fcc\n" + table(40) + table(50) + (finnis_sinclair ? table(60) : "");
  return text + table(100) + table(200) + table(300);
}

}  // namespace

TEST_CASE(
    "EAM file: a funcfl file's effective charges give r phi with the factor 27.2 x 0.529 of the "
    "format") {
  const EamFile file = read_eam(EamFormat::funcfl, funcfl_file, "X.eam");
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

TEST_CASE(
    "EAM file: densities are per element in setfl and per pair in eam.fs, pair tables a lower "
    "triangle") {
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
  const EamFile finnis_sinclair = read_eam(EamFormat::fs, setfl(true), "NiAl.eam.fs");
  CHECK(finnis_sinclair.density(0, 1).at(0) == 30);
  CHECK(finnis_sinclair.density(1, 0).at(0) == 50);
  CHECK(finnis_sinclair.density(1, 1).at(0) == 60);
}

TEST_CASE("EAM file: errors name the file and the line") {
  const auto message = [](EamFormat format, const std::string& text) {
    return message_of<InputError>([&] { read_eam(format, text, "X.eam"); });
  };
  const auto replaced = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  const auto error_after_replacing = [&](const std::string& from, const std::string& to) {
    return message(EamFormat::funcfl, replaced(funcfl_file, from, to));
  };
  CHECK(contains(error_after_replacing("-2.", "minus"),
                 "X.eam:4: the embedding energy is \"minus\", not a number"));
  CHECK(contains(error_after_replacing("-2.", "nan"), "not a number"));
  CHECK(contains(error_after_replacing("-2.", "1e999"), "out of the range"));
  CHECK(contains(error_after_replacing("3 2\n0.0", "3 2\n0.0 7"),
                 "X.eam:7: the effective charge has more than 6"));
  CHECK(contains(error_after_replacing("1.0 5.5", "1.0 6.5"),
                 "X.eam:3: the cutoff 6.5 is beyond the end of the tables"));
  CHECK(contains(error_after_replacing("29 63.55 3.615 FCC", "29 63.55"),
                 "X.eam:2: the line of an element has 2"));
  CHECK(contains(error_after_replacing("29 ", "29.5 "), "not a whole number"));
  CHECK(contains(error_after_replacing("0.25 +1.25e-1 0", "0.25"),
                 "the file ends before number 5 of the density"));
  CHECK(contains(message(EamFormat::alloy, setfl(true)), "is its format that of"));
  CHECK(contains(message(EamFormat::fs, setfl(false)), "\"fcc\", not a number"));
  CHECK(contains(message(EamFormat::alloy, ""), "the file ends"));
}
