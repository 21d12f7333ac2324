#pragma once
// Declarations of variables.

#include <vector>

#include "reader/cursor.hpp"
#include "reader/module.hpp"

namespace ptxemu {

/// The state space that a directive such as ".global" names; Space::reg where it names none of the
/// spaces of variables.
Space variable_space(std::string_view directive);

/// Parses what follows the state space of a declaration of variables up to and without the ';', ','
/// or ')' that closes the last one: alignment, type, name, lengths, initialiser. Several names may
/// follow one type when `many`.
std::vector<Variable> parse_variables(Cursor& cursor, Space space, bool many);

}  // namespace ptxemu
