#include "src/modules/md/bonded/data_coefficients.hpp"

#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/files/tokens.hpp"

namespace gsim::md {
namespace {

/// The style of a line and its numbers. In a section of style hybrid, or without a style, each line
/// begins with its style.
class Coefficients {
 public:
  Coefficients(const CoefficientSection& section, const CoefficientLine& line,
               const std::string& file)
      : line_(line), reader_("", file), style_(section.style) {
    reader_.set_line_number(line.line);
    const bool begins_with_style = !line.words.empty() &&
                                   line.words[0].find_first_of("0123456789") != 0 &&
                                   line.words[0].find_first_of("+-.") != 0;
    if (begins_with_style) {
      style_ = line.words[0];
      first_ = 1;
    }
    if (style_.empty() || style_ == "hybrid")
      reader_.fail(fmt::format("the style of {} is not given", section.name),
                   fmt::format("write it behind the section's name, as in \"{} # harmonic\", or "
                               "give these types in [bonded]",
                               section.name));
  }

  const std::string& style() const { return style_; }
  std::size_t size() const { return line_.words.size() - first_; }
  double real(std::size_t k, const char* field) const {
    return reader_.real(line_.words[first_ + k], field);
  }
  Index integer(std::size_t k, const char* field, Index minimum, Index maximum) const {
    return reader_.integer(line_.words[first_ + k], field, minimum, maximum);
  }
  void expect(std::size_t count, const std::string& what) const {
    if (size() != count)
      reader_.fail(fmt::format("style {} has {} coefficients here, not {}", style_, size(), count),
                   fmt::format("write {}", what));
  }
  [[noreturn]] void fail(const std::string& problem, const std::string& suggestion) const {
    reader_.fail(problem, suggestion);
  }
  [[noreturn]] void fail_unknown_style(const char* kind, const std::string& known) const {
    reader_.fail(fmt::format("{} of style {} are not known", kind, style_),
                 fmt::format("use one of {}", known));
  }

 private:
  const CoefficientLine& line_;
  LineReader reader_;
  std::string style_;
  std::size_t first_ = 0;  ///< index of the first number in the words of the line
};

}  // namespace

namespace {

/// Reads the parameters of the kind whose style in LAMMPS is that of the line.
template <class Parameters, class Kind>
Parameters parameters_of(const std::vector<const Kind*>& kinds, const char* what,
                         const Coefficients& c) {
  std::vector<std::string_view> known;
  for (const Kind* kind : kinds) {
    if (kind->lammps_style.empty()) continue;
    known.push_back(kind->lammps_style);
    if (kind->lammps_style != c.style()) continue;
    std::vector<std::string_view> names;
    for (const PotentialParameter& p : kind->parameters) names.emplace_back(p.name);
    c.expect(names.size(), fmt::format("{}", fmt::join(names, " ")));
    Parameters result;
    result.kind = kind;
    for (std::size_t k = 0; k < names.size(); ++k)
      result.values.push_back(c.real(k, kind->parameters[k].name));
    return result;
  }
  c.fail_unknown_style(what, fmt::format("{}", fmt::join(known, ", ")));
}

}  // namespace

BondParameters bond_of(const std::vector<const BondKind*>& kinds, const CoefficientSection& section,
                       const CoefficientLine& line, const std::string& file) {
  auto bond = parameters_of<BondParameters>(kinds, "bonds", Coefficients(section, line, file));
  bond.max_length = bond.kind->longest(bond.values.data());
  return bond;
}

AngleParameters angle_of(const std::vector<const AngleKind*>& kinds,
                         const CoefficientSection& section, const CoefficientLine& line,
                         const std::string& file) {
  return parameters_of<AngleParameters>(kinds, "angles", Coefficients(section, line, file));
}

DihedralSeries dihedral_of(const CoefficientSection& section, const CoefficientLine& line,
                           const std::string& file) {
  const Coefficients c(section, line, file);
  DihedralSeries series;
  if (c.style() == "opls") {
    c.expect(4, "K1 K2 K3 K4");
    return opls_dihedral({c.real(0, "K1"), c.real(1, "K2"), c.real(2, "K3"), c.real(3, "K4")});
  }
  if (c.style() == "harmonic") {  // K (1 + d cos(n phi))
    c.expect(3, "K d n");
    const Index d = c.integer(1, "d", -1, 1);
    if (d == 0) c.fail("the sign d of a harmonic dihedral is 0", "write 1 or -1");
    add_periodic_term(series, c.real(0, "K"), c.integer(2, "n", 0, max_dihedral_order),
                      d > 0 ? 0 : 180);
    return series;
  }
  if (c.style() == "charmm") {  // K (1 + cos(n phi - d)), and a weight for 1-4 pairs
    c.expect(4, "K n d weight");
    if (c.real(3, "weight") != 0)
      c.fail("a charmm dihedral carries a weight for 1-4 pairs",
             "write 0, and give the factors of 1-4 pairs in [bonded] scale_14");
    add_periodic_term(series, c.real(0, "K"), c.integer(1, "n", 0, max_dihedral_order),
                      c.real(2, "d"));
    return series;
  }
  if (c.style() != "fourier") c.fail_unknown_style("dihedrals", "opls, harmonic, charmm, fourier");
  if (c.size() == 0) c.expect(4, "m K1 n1 d1 …");
  const Index terms = c.integer(0, "m", 1, 100);
  c.expect(static_cast<std::size_t>(3 * terms + 1), "m K1 n1 d1 … Km nm dm");
  for (std::size_t k = 0; k < static_cast<std::size_t>(terms); ++k)
    add_periodic_term(series, c.real(3 * k + 1, "K"),
                      c.integer(3 * k + 2, "n", 0, max_dihedral_order), c.real(3 * k + 3, "d"));
  return series;
}

}  // namespace gsim::md
