// Checks whether the types of atoms are the elements of a potential.

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/md/elements.hpp"
#include "src/modules/md/many_body/eam_config.hpp"

namespace gsim::md {
namespace {

constexpr double max_deviation = 0.05;   // relative, of a type's mass from that of its element
constexpr double same_mass = 0.01;       // relative, within which a mass identifies an element
constexpr std::size_t max_permuted = 7;  // types whose permutations are tried: 5040 of them

bool is_near(double mass, double reference, double tolerance) {
  return reference > 0 && std::abs(mass - reference) <= tolerance * reference;
}

bool is_number(const std::string& name) {
  return name.find_first_not_of("0123456789") == std::string::npos;
}

/// An order of the elements in which each has the mass of its type; empty: there is none.
std::vector<std::size_t> fitting_order(const EamConfig& c, std::span<const EamType> types) {
  if (types.size() > max_permuted) return {};
  std::vector<std::size_t> order(types.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    bool fits = true;
    for (std::size_t t = 0; t < types.size(); ++t)
      fits = fits && is_near(types[t].mass, c.masses[order[t]], max_deviation);
    if (fits) return order;
  } while (std::next_permutation(order.begin(), order.end()));
  return {};
}

/// The element with the nearest mass; null if the masses differ by more than same_mass.
const ChemicalElement* element_near(double mass) {
  const auto all = chemical_elements();
  const ChemicalElement& nearest =
      *std::min_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
        return std::abs(a.mass - mass) < std::abs(b.mass - mass);
      });
  return is_near(mass, nearest.mass, same_mass) ? &nearest : nullptr;
}

}  // namespace

void refuse_unknown_types(const EamConfig& c, std::span<const EamType> types) {
  for (std::size_t t = 0; t < types.size(); ++t) {
    const EamType& type = types[t];
    if (type.origin.empty() || c.has_elements || is_number(type.name) || type.name == c.symbols[t])
      continue;
    throw InputError(fmt::format(
        "{}: `{}` is not known to be {}; correct the file, or, if it is this element, add a "
        "[[type]] with name = \"{}\" to the configuration",
        type.origin, excerpt(type.name),
        c.symbols[t].empty() ? "the metal of [eam]"
                             : fmt::format("{}, its element in [eam]", c.symbols[t]),
        excerpt(type.name)));
  }
}

std::string mass_warning(const EamConfig& c, std::span<const EamType> types) {
  std::vector<std::string> wrong;
  bool is_known = false;
  for (std::size_t t = 0; t < types.size(); ++t) {
    const EamType& type = types[t];
    if (!(type.mass > 0) || !(c.masses[t] > 0) || is_near(type.mass, c.masses[t], max_deviation))
      continue;
    const ChemicalElement* const nearest = element_near(type.mass);
    is_known = is_known || nearest != nullptr;
    wrong.push_back(fmt::format(
        "type `{}` has the mass {:.6g}{}, and its element in [eam] is {} with the mass {:.6g}",
        excerpt(type.name), type.mass,
        nearest == nullptr ? "" : fmt::format(" (that of {})", nearest->symbol),
        c.symbols[t].empty() ? "an element" : c.symbols[t], c.masses[t]));
  }
  const std::vector<std::size_t> order =
      wrong.empty() ? std::vector<std::size_t>() : fitting_order(c, types);
  if (wrong.empty() || (order.empty() && !is_known)) return {};
  std::vector<std::string> names;
  names.reserve(order.size());
  for (const std::size_t t : order) names.push_back(fmt::format("\"{}\"", c.symbols[t]));
  const std::string remedy =
      order.empty() ? "is that the right element?"
                    : fmt::format("the masses fit the order {}: are the elements exchanged?",
                                  fmt::join(names, ", "));
  return fmt::format("{}; {}", fmt::join(wrong, "; "), remedy);
}

}  // namespace gsim::md
