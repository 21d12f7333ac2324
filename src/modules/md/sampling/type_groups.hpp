#pragma once
// The atom types that an observer reports on.

#include <string>
#include <vector>

#include "gsim/md/observers/observer.hpp"

namespace gsim::md {

/// The types in a list of names, in its order; all types if the list is empty. InputError for
/// unknown and repeated names, and for types without atoms.
class TypeGroups {
 public:
  TypeGroups(const ObserverSetup& setup, const std::string& observer,
             const std::vector<std::string>& names);

  Index size() const { return static_cast<Index>(types_.size()); }
  /// The index in the list of each type of the system; -1: the type is not in the list.
  const std::vector<std::int32_t>& group_of_type() const { return group_of_type_; }
  const std::string& name(Index group) const { return names_[static_cast<std::size_t>(group)]; }
  const std::vector<std::string>& names() const { return names_; }
  Index type(Index group) const { return types_[static_cast<std::size_t>(group)]; }
  Index atoms(Index group) const { return atoms_[static_cast<std::size_t>(group)]; }

  /// A group of atoms for which averages are reported: one type of the list, or "all" of them if
  /// there are several.
  struct ReportedGroup {
    std::string name;
    std::vector<std::size_t> types;
    Index atoms = 0;
  };
  std::vector<ReportedGroup> reported_groups() const;

 private:
  std::vector<std::string> names_;
  std::vector<Index> types_, atoms_;
  std::vector<std::int32_t> group_of_type_;
};

}  // namespace gsim::md
