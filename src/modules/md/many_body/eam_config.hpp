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
  std::vector<double> masses;  ///< by type, g/mol, for types that have none
  /// The symbol of each type's element; empty where the potential does not give it.
  std::vector<std::string> symbols;
  SourceLocation where = {};  ///< of the file, or of the format
  MakeEam make = {};          ///< of the format that was chosen

  EamTables tables() const { return make_eam_tables(potential, elements); }
};

/// A type of atoms, for checks of elements and masses.
struct EamType {
  std::string name;
  double mass = 0;     ///< g/mol; 0: none was given
  std::string origin;  ///< TypeConfig::origin
};

/// InputError for a type of a file without a [[type]] in the configuration, where neither
/// `elements` nor its name gives its element: an atom "Foo" is not copper. (Types that are numbers,
/// as in LAMMPS data files, are assigned in their order.)
void refuse_unknown_types(const EamConfig& config, std::span<const EamType> types);

/// A warning if types appear to have the masses of other elements: the mass of a type differs from
/// its element's by more than 5 %, and either the elements in another order have all the masses, or
/// the mass is that of another element (to 1 %). Empty: no warning.
std::string mass_warning(const EamConfig& config, std::span<const EamType> types);

/// Describes the keys of [eam]. `kinds` are the formats.
void describe_eam(Section& s, EamConfig& config,
                  std::span<const EamKind* const> kinds = builtin_eam_kinds());

/// Makes the potential for a run in `units` whose types are named `types`, in their order.
/// ConfigError unless the units are metal, each type has its element, and files are valid.
void validate_eam(const Section& s, const std::vector<std::string>& types, UnitSystem units,
                  EamConfig& config);

}  // namespace gsim::md
