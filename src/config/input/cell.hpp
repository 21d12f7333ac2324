#pragma once
// Parsing of CSV cells.

#include <string_view>

#include "node.hpp"

namespace gsim::config_detail {

/// Parses the whole text as a number, correctly rounded; false when it is no number. Spaces are not
/// allowed; the locale is ignored.
bool cell_number(std::string_view text, double& value);
bool cell_integer(std::string_view text, Index& value);
/// Parses true or false in upper or lower case (spreadsheets write TRUE, FALSE); returns false for
/// any other text.
bool cell_boolean(std::string_view text, bool& value);

/// Fills the empty node `list` with the parts of a cell. They are separated by semicolons where
/// there are any, else by spaces. With `rows`, semicolons separate rows and each row is a list
/// separated by spaces.
void split_cell(const Node& cell, bool rows, Node& list);

}  // namespace gsim::config_detail
