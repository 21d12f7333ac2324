#pragma once
// Functions of formulas (expression.hpp) that read whole columns of a run's results.

#include <string>
#include <vector>

#include "expression.hpp"

namespace gsim::app {

bool is_column_function(const std::string& name);
/// Their names, for messages.
std::vector<std::string> column_function_names();

/// Computes it. InputError when columns or numbers are not those that it takes, or a column has
/// too few rows.
Quantity column_function(const std::string& name, const std::vector<std::vector<double>>& columns,
                         const std::vector<double>& numbers);

}  // namespace gsim::app
