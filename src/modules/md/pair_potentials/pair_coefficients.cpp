#include "src/modules/md/pair_potentials/pair_coefficients.hpp"

#include <string_view>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/files/tokens.hpp"

namespace gsim::md {
namespace {

/// Styles whose first two numbers are epsilon and sigma, and whose third may be a cutoff.
bool is_lennard_jones(std::string_view style) {
  return style == "lj/cut" || style.starts_with("lj/cut/coul/");
}

void add_line(const CoefficientSection& section, const CoefficientLine& line, double cutoff,
              PairTable& table) {
  LineReader reader("", section.name);
  reader.set_line_number(line.line);
  if (line.words.size() < 2)
    reader.fail(
        fmt::format("a line of Lennard-Jones coefficients has {} numbers", line.words.size()),
        "give epsilon, sigma and, optionally, a cutoff");
  const double epsilon = reader.real(line.words[0], "epsilon"),
               sigma = reader.real(line.words[1], "sigma");
  if (!(epsilon >= 0) || !(sigma >= 0))
    reader.fail("epsilon or sigma is negative", "correct the line");
  if (line.words.size() > 2) cutoff = reader.real(line.words[2], "the cutoff");
  if (!(cutoff > 0)) reader.fail("the potential has no cutoff", "set cutoff = … in [pair]");
  // In data files, atoms that have only a charge have sigma = 0.
  const PairPotential p =
      sigma > 0 ? lennard_jones(epsilon, sigma, cutoff) : lennard_jones(0, 1, cutoff);
  const int a = line.types[0], b = line.types.size() > 1 ? line.types[1] : a;
  table.add(a, b, p);
}

}  // namespace

bool add_pair_coefficients(const std::vector<CoefficientSection>& sections, double cutoff,
                           PairTable& table) {
  bool found = false;
  for (const CoefficientSection& section : sections) {
    if (section.name != "Pair Coeffs" && section.name != "PairIJ Coeffs") continue;
    if (section.style.empty())
      throw InputError(fmt::format(
          "the data file's {} have no style; write it behind the section's name (\"{} # "
          "lj/cut\"), or give the potentials in [[pair.potential]]",
          section.name, section.name));
    if (!is_lennard_jones(section.style))
      throw InputError(
          fmt::format("the data file's {} are of style {}, which is not supported in data files; "
                      "give the potentials in [[pair.potential]]",
                      section.name, section.style));
    for (const CoefficientLine& line : section.lines) add_line(section, line, cutoff, table);
    found = true;
  }
  return found;
}

}  // namespace gsim::md
