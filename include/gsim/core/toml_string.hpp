#pragma once
// Strings in TOML.

#include <string>
#include <string_view>

namespace gsim {

/// `text` without control characters, quotation marks and backslashes that end or change a string
/// in double quotation marks: these are escaped.
std::string toml_escaped(std::string_view text);

/// `text` as a TOML string in double quotation marks.
std::string toml_string(std::string_view text);

}  // namespace gsim
