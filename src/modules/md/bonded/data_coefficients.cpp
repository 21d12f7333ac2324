#include "src/modules/md/bonded/data_coefficients.hpp"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/files/tokens.hpp"

namespace gsim::md {
namespace {

/// The style of a line and the numbers behind it. In a section of style hybrid, or none, each line
/// begins with its style.
class Coefficients {
 public:
  Coefficients(const CoefficientSection& section, const CoefficientLine& line,
               const std::string& file)
      : line_(line), reader_("", file), style_(section.style) {
    reader_.stand_at(line.line);
    const bool has_word = !line.words.empty() && line.words[0].find_first_of("0123456789") != 0 &&
                          line.words[0].find_first_of("+-.") != 0;
    if (has_word) {
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
  Index whole(std::size_t k, const char* field, Index least, Index most) const {
    return reader_.whole(line_.words[first_ + k], field, least, most);
  }
  void expect(std::size_t count, const char* what) const {
    if (size() != count)
      reader_.fail(fmt::format("style {} has {} coefficients here, not {}", style_, size(), count),
                   fmt::format("write {}", what));
  }
  [[noreturn]] void fail(const std::string& problem, const std::string& suggestion) const {
    reader_.fail(problem, suggestion);
  }
  [[noreturn]] void unknown(const char* kind, const char* known) const {
    reader_.fail(fmt::format("{} of style {} are not known", kind, style_),
                 fmt::format("use one of {}", known));
  }

 private:
  const CoefficientLine& line_;
  LineReader reader_;
  std::string style_;
  std::size_t first_ = 0;
};

}  // namespace

BondParameters bond_of(const CoefficientSection& section, const CoefficientLine& line,
                       const std::string& file) {
  const Coefficients c(section, line, file);
  BondParameters bond;
  if (c.style() == "harmonic") {
    c.expect(2, "K r0");
    bond = {BondLaw::harmonic, c.real(0, "K"), c.real(1, "r0"), 0, 1, 0};
    bond.max_length = default_stretch * bond.r0;
  } else if (c.style() == "fene") {
    c.expect(4, "K R0 epsilon sigma");
    bond = {BondLaw::fene,        c.real(0, "K"),     c.real(1, "R0"),
            c.real(2, "epsilon"), c.real(3, "sigma"), 0};
    bond.max_length = bond.r0;
  } else {
    c.unknown("bonds", "harmonic, fene");
  }
  return bond;
}

AngleParameters angle_of(const CoefficientSection& section, const CoefficientLine& line,
                         const std::string& file) {
  const Coefficients c(section, line, file);
  if (c.style() == "cosine") {
    c.expect(1, "K");
    return {AngleLaw::cosine, c.real(0, "K"), 0};
  }
  if (c.style() != "harmonic" && c.style() != "cosine/squared")
    c.unknown("angles", "harmonic, cosine, cosine/squared");
  c.expect(2, "K theta0");
  const AngleLaw law = c.style() == "harmonic" ? AngleLaw::harmonic : AngleLaw::cosine_squared;
  return {law, c.real(0, "K"), c.real(1, "theta0")};
}

DihedralParameters dihedral_of(const CoefficientSection& section, const CoefficientLine& line,
                               const std::string& file) {
  const Coefficients c(section, line, file);
  DihedralParameters series;
  if (c.style() == "opls") {
    c.expect(4, "K1 K2 K3 K4");
    return opls_dihedral({c.real(0, "K1"), c.real(1, "K2"), c.real(2, "K3"), c.real(3, "K4")});
  }
  if (c.style() == "harmonic") {  // K (1 + d cos(n phi))
    c.expect(3, "K d n");
    const Index d = c.whole(1, "d", -1, 1);
    if (d == 0) c.fail("the sign d of a harmonic dihedral is 0", "write 1 or -1");
    add_periodic_term(series, c.real(0, "K"), c.whole(2, "n", 0, most_dihedral_order),
                      d > 0 ? 0 : 180);
    return series;
  }
  if (c.style() == "charmm") {  // K (1 + cos(n phi - d)), and a weight for 1-4 pairs
    c.expect(4, "K n d weight");
    if (c.real(3, "weight") != 0)
      c.fail("a charmm dihedral carries a weight for 1-4 pairs",
             "write 0, and say in [bonded] scale_14 how 1-4 pairs interact");
    add_periodic_term(series, c.real(0, "K"), c.whole(1, "n", 0, most_dihedral_order),
                      c.real(2, "d"));
    return series;
  }
  if (c.style() != "fourier") c.unknown("dihedrals", "opls, harmonic, charmm, fourier");
  if (c.size() == 0) c.expect(4, "m K1 n1 d1 …");
  const Index terms = c.whole(0, "m", 1, 100);
  c.expect(static_cast<std::size_t>(3 * terms + 1), "m K1 n1 d1 … Km nm dm");
  for (std::size_t k = 0; k < static_cast<std::size_t>(terms); ++k)
    add_periodic_term(series, c.real(3 * k + 1, "K"),
                      c.whole(3 * k + 2, "n", 0, most_dihedral_order), c.real(3 * k + 3, "d"));
  return series;
}

}  // namespace gsim::md
