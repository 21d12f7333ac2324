#pragma once
// Rates that are probably percentages.

#include <string>
#include <vector>

#include "gsim/config/location.hpp"

namespace gsim::pricing {

/// Appends a warning if `rate`, the value at `at` of the key or quote `name`, is above 1 a year.
void warn_of_rate(const SourceLocation& at, const std::string& name, double rate,
                  std::vector<std::string>& warnings);

}  // namespace gsim::pricing
