#pragma once
// The body of a function.

#include "reader/cursor.hpp"
#include "reader/module.hpp"

namespace ptxemu {

/// Parses the body of `function` from its '{' to its '}'.
void parse_body(Cursor& cursor, Function& function);

}  // namespace ptxemu
