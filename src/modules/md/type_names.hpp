#pragma once
// Names of types of atoms, as tables of the configuration refer to them.

#include <string>
#include <string_view>
#include <vector>

#include "gsim/config/section.hpp"

namespace gsim::md {

/// The place of `name` among `types`, those of the run. ConfigError at `key` where it is none.
std::size_t place_of_type(const KeyLocations& keys, std::string_view key, const std::string& name,
                          const std::vector<std::string>& types);

/// ConfigError at the key `types` where one of the names there is no type of the run, or is given
/// twice.
void check_types(const KeyLocations& keys, const std::vector<std::string>& names,
                 const std::vector<std::string>& types);

/// ConfigError at `where` for one of `names` that no atom is of; `counts`: atoms of each of
/// `types`.
void check_present(const SourceLocation& where, const std::vector<std::string>& names,
                   const std::vector<std::string>& types, const std::vector<Index>& counts);

}  // namespace gsim::md
