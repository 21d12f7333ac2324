#pragma once
// A ReportTable as text.

#include <string>

#include "gsim/engine/module.hpp"

namespace gsim::engine {

/// Header and rows with aligned columns, two spaces between them, one line each. Long cells are
/// shortened; control characters in them are escaped.
std::string format_table(const ReportTable& table);

}  // namespace gsim::engine
