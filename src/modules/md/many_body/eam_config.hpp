#pragma once
// [eam]: embedded atoms, from a table of a file or in a closed form.

#include <span>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/md/units.hpp"
#include "src/modules/md/many_body/eam_tables.hpp"

namespace gsim::md {

struct EamConfig {
  EamFile potential;
  std::vector<std::size_t> elements;  ///< of each type: its element in `potential`
  std::vector<double> masses;         ///< of each type, g/mol, for types that have none
  /// The symbol of each type's element; empty where the potential does not say what it is of.
  std::vector<std::string> symbols;
  bool has_elements = false;  ///< `elements` says which element each type is
  SourceLocation where = {};  ///< of the file, or of the format
  std::string summary;        ///< "eam.alloy NiAl.eam.alloy: Ni, Al; cutoff 6.29 angstrom"

  EamTables tables() const { return make_eam_tables(potential, elements); }
};

/// A type of atoms as potentials ask after it.
struct EamType {
  std::string name;
  double mass = 0;     ///< g/mol; 0: none was given
  std::string origin;  ///< TypeConfig::origin
};

/// InputError for a type that a file has and the configuration has no [[type]] for, when neither
/// `elements` nor its name says that it is an element of the potential: an atom "Foo" is not
/// copper. (Types that are numbers, as in LAMMPS data files, say nothing and are taken in order.)
void refuse_unknown_types(const EamConfig& config, std::span<const EamType> types);

/// What is to be warned of where types have masses of other elements than those that they are:
/// where a mass differs from its element's by more than 5 %, and the elements in another order have
/// the masses, or it is that of an element (to 1 %). Empty: nothing.
std::string mass_warning(const EamConfig& config, std::span<const EamType> types);

/// Reads the table `s` for a run in `units` whose types are named `types`, in their order.
/// ConfigError unless the units are metal, each type has its element, and files are sound.
void describe_eam(Section& s, const std::vector<std::string>& types, UnitSystem units,
                  EamConfig& config);

}  // namespace gsim::md
