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
  LineReader at("", section.name);
  at.set_line_number(line.line);
  if (line.words.size() < 2)
    at.fail(fmt::format("{} numbers", line.words.size()),
            "Lennard-Jones takes epsilon and sigma, and maybe a cutoff");
  const double epsilon = at.real(line.words[0], "epsilon"), sigma = at.real(line.words[1], "sigma");
  if (!(epsilon >= 0) || !(sigma >= 0)) at.fail("epsilon or sigma is negative", "correct the line");
  if (line.words.size() > 2) cutoff = at.real(line.words[2], "the cutoff");
  if (!(cutoff > 0)) at.fail("the potential has no cutoff", "set cutoff = … in [pair]");
  // Files write sigma = 0 for atoms that are only charges.
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
