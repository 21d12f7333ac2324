#pragma once
// The atom types that an observer reports on.

#include <string>
#include <vector>

#include "gsim/md/observers/observer.hpp"

namespace gsim::md {

/// Some of the types, by name in the order of the list; an empty list: all. InputError for
/// unknown and repeated names, and for types without atoms.
class TypeGroups {
 public:
  TypeGroups(const ObserverSetup& setup, const std::string& observer,
             const std::vector<std::string>& names);

  Index size() const { return static_cast<Index>(types_.size()); }
  /// Index of each type in the list, or -1.
  const std::vector<std::int32_t>& place() const { return place_; }
  const std::string& name(Index group) const { return names_[static_cast<std::size_t>(group)]; }
  const std::vector<std::string>& names() const { return names_; }
  Index type(Index group) const { return types_[static_cast<std::size_t>(group)]; }
  Index atoms(Index group) const { return atoms_[static_cast<std::size_t>(group)]; }

  /// Groups of atoms for which averages are reported: each type of the list, and "all" of them
  /// where there are several.
  struct Report {
    std::string name;
    std::vector<std::size_t> types;
    Index atoms = 0;
  };
  std::vector<Report> reports() const;

 private:
  std::vector<std::string> names_;
  std::vector<Index> types_, atoms_;
  std::vector<std::int32_t> place_;
};

}  // namespace gsim::md
