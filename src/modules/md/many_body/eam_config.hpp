#pragma once
// [eam]: embedded-atom potentials, from tables in a file or in closed form.

#include <span>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/md/units.hpp"
#include "src/modules/md/many_body/eam_kinds.hpp"
#include "src/modules/md/many_body/eam_tables.hpp"

namespace gsim::md {

struct EamConfig : EamChoice {
  /// Mass of each type's element in g/mol, for types to which no mass is given; 0: unknown.
  std::vector<double> masses;
  /// The symbol of each type's element; empty where the potential does not give it.
  std::vector<std::string> symbols;
  SourceLocation where = {};  ///< location of the keys that define the potential
  MakeEam make = {};          ///< makes the potential from the keys of the chosen format

  EamTables tables() const { return make_eam_tables(potential, elements); }
};

/// A type of atoms, for checks of elements and masses.
struct EamType {
  std::string name;
  double mass = 0;     ///< g/mol; 0: none was given
  std::string origin;  ///< first place in a file of a type without [[type]], as "a.xyz:3"
};

/// InputError if a type that occurs in a file but has no [[type]] in the configuration is not known
/// to be the element that [eam] assigns to it: the configuration does not name the elements, and
/// the type does not have the element's symbol as its name. (Types with numbers for names, as in
/// LAMMPS data files, are accepted: elements are assigned to them in order.)
void refuse_unknown_types(const EamConfig& config, std::span<const EamType> types);

/// A warning if types appear to have the masses of other elements: the mass of a type differs from
/// its element's by more than 5 %, and either all masses fit the elements in another order, or the
/// mass is that of another element (to 1 %). Empty: no warning.
std::string mass_warning(const EamConfig& config, std::span<const EamType> types);

/// Describes the keys of [eam]. `kinds` are the formats that may be chosen.
void describe_eam(Section& s, EamConfig& config,
                  std::span<const EamKind* const> kinds = builtin_eam_kinds());

/// Makes the potential for a run in `units` whose types are named `types`, in their order.
/// ConfigError unless the units are metal, each type has an element, and files are valid.
void validate_eam(const Section& s, const std::vector<std::string>& types, UnitSystem units,
                  EamConfig& config);

}  // namespace gsim::md
