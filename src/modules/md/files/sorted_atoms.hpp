#pragma once
// Converts atoms in the order of a trajectory file to a system in the order of ids, with a list of
// types.

#include <string>
#include <vector>

#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

/// Atoms in the order of a file. `atoms.type` is not used; `masses` and `lines` may be empty.
struct UnsortedAtoms {
  AtomColumns atoms;
  std::vector<std::string> species;
  std::vector<Index> ids;
  std::vector<double> masses;
  std::vector<Index> lines;  ///< the line of each atom, for messages
  std::vector<std::string> known_species =
      {};  ///< species that the file lists, with or without atoms
};

/// Types are the known species, followed by others in the order of their first atoms by id.
/// InputError for repeated ids, and for atoms of one species whose masses differ or are not
/// positive.
AtomSystem sorted_system(const Box& box, UnsortedAtoms all, const std::string& file);

}  // namespace gsim::md
