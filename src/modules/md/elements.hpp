#pragma once
// Chemical elements: their symbols and standard atomic weights.

#include <span>
#include <string_view>

#include "gsim/core/types.hpp"

namespace gsim::md {

struct ChemicalElement {
  std::string_view symbol;
  /// In g/mol, conventional values (J. Meija et al., Pure Appl. Chem. 88, 265 (2016), tables 1 and
  /// 3); for elements without stable isotopes the mass number of a long-lived one.
  double mass;
};

/// Hydrogen to oganesson: the element of atomic number Z has index Z - 1.
std::span<const ChemicalElement> chemical_elements();

/// The element of this symbol ("Cu"), or of this atomic number; null: there is none.
const ChemicalElement* element_named(std::string_view symbol);
const ChemicalElement* element_numbered(Index atomic_number);

/// The element whose standard atomic weight is within `tolerance` g/mol of a mass; null where there
/// is none, or more than one.
const ChemicalElement* element_of_mass(double mass, double tolerance);

}  // namespace gsim::md
