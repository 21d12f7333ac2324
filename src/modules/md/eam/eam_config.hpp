#pragma once
// [eam]: embedded atoms, from a table of a file or in a closed form.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/md/eam/eam_tables.hpp"
#include "src/modules/md/units.hpp"

namespace gsim::md {

struct EamConfig {
  EamFile potential;
  std::vector<std::size_t> elements;  ///< of each type: its element in `potential`
  std::vector<double> masses;         ///< of each type, g/mol, for types that have none
  SourceLocation where = {};          ///< of the file, or of the format
  std::string summary;                ///< "eam.alloy NiAl.eam.alloy: Ni, Al; cutoff 6.29 angstrom"

  EamTables tables() const { return make_eam_tables(potential, elements); }
};

/// Reads the table `s` for a run in `units` whose types are named `types`, in their order.
/// ConfigError unless the units are metal, each type has its element, and files are sound.
void describe_eam(Section& s, const std::vector<std::string>& types, UnitSystem units,
                  EamConfig& config);

}  // namespace gsim::md
