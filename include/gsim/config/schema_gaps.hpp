#pragma once
// What a schema leaves unsaid.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"

namespace gsim {

/// Dotted paths of the keys and tables that `describe` describes without a word of documentation
/// ("heat.grid.cells"), in the order of the schema.
std::vector<std::string> undocumented_keys(const Section::Describe& describe);

}  // namespace gsim
