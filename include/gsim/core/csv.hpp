#pragma once
// Comma-separated values (RFC 4180).

#include <string>

namespace gsim {

/// A value as one cell of a line: between quotation marks, with those inside doubled, if it
/// contains a comma, a quotation mark or an end of line.
std::string csv_cell(const std::string& value);

}  // namespace gsim
