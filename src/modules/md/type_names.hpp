#pragma once
// References to atom types by name in tables of the configuration.

#include <string>
#include <string_view>
#include <vector>

#include "gsim/config/section.hpp"

namespace gsim::md {

/// The index of `name` in the types of the run. ConfigError at `key` if it is not one of them.
std::size_t index_of_type(const KeyLocations& keys, std::string_view key, const std::string& name,
                          const std::vector<std::string>& types);

/// ConfigError at the key `types` if a name is not one of the types of the run, or is given twice.
void check_types(const KeyLocations& keys, const std::vector<std::string>& names,
                 const std::vector<std::string>& types);

/// ConfigError at `where` for a type of `names` that no atom has; `counts`: the number of atoms of
/// each of `types`.
void check_present(const SourceLocation& where, const std::vector<std::string>& names,
                   const std::vector<std::string>& types, const std::vector<Index>& counts);

}  // namespace gsim::md
