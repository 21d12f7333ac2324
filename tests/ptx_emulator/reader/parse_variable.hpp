#pragma once
// Declarations of variables.

#include <vector>

#include "reader/cursor.hpp"
#include "reader/module.hpp"

namespace ptxemu {

/// The state space of a directive such as ".global"; Space::reg if it is not one of the spaces of
/// variables.
Space variable_space(std::string_view directive);

/// Parses the part of a variable declaration after its state space, up to but excluding the ';',
/// ',' or ')' after the last variable: alignment, type, name, lengths, initialiser. If `many`,
/// several names may follow one type.
std::vector<Variable> parse_variables(Cursor& cursor, Space space, bool many);

}  // namespace ptxemu
