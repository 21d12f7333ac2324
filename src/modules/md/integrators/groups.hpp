#pragma once
// Groups of atoms, and the atom classes that follow from them: atoms of one type in the same
// groups are integrated in the same way.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/io/dataset.hpp"
#include "gsim/md/integrators/integrator.hpp"
#include "src/modules/md/integrators/motion_config.hpp"

namespace gsim::md {

/// The groups that each atom belongs to: bit g for the g-th. Atom k has id ids[k], type types[k]
/// (an index into `type_names`) and starts at points[k]. InputError for an unknown type.
std::vector<std::uint32_t> group_bits(std::span<const GroupConfig> groups,
                                      std::span<const std::string> type_names,
                                      std::span<const std::int64_t> ids,
                                      std::span<const std::int32_t> types,
                                      std::span<const Vector3> points);

/// Classes, ordered by type and then by groups, and the class of each of this rank's atoms.
struct Classification {
  std::vector<AtomClass> classes;
  std::vector<std::int32_t> of_atom;
};

/// Classifies the atoms of all ranks: the same classes for every distribution over ranks.
/// Collective.
Classification classify(const Communicator& communicator, std::span<const std::int32_t> types,
                        std::span<const std::uint32_t> groups,
                        std::span<const double> masses_by_type);

/// ConfigError where a group holds no atom.
void refuse_empty_groups(std::span<const GroupConfig> groups, std::span<const AtomClass> classes);

/// Saves the classes beside the column atom_class: which atoms were in a region at the start of
/// the run cannot be determined later.
void save_classes(DatasetWriter& writer, std::span<const AtomClass> classes);
std::vector<AtomClass> restore_classes(DatasetReader& reader);

}  // namespace gsim::md
