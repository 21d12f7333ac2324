#pragma once
// Keys without documentation.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"

namespace gsim {

/// Dotted paths ("heat.grid.cells") of the keys and tables that `describe` describes without
/// documentation, in the order of the schema.
std::vector<std::string> undocumented_keys(const Section::Describe& describe);

}  // namespace gsim
