#pragma once
// Conversion of names of tallies, fields and pictures to parts of file names.

#include <string>
#include <string_view>

namespace gsim {

/// Replaces characters that shells treat specially: each run of blanks, brackets, quotes and other
/// signs becomes one "_", and is removed at the beginning and the end. Letters of any script,
/// digits, ".", "-", "+", "=" and "_" are kept: "flux (group 1)" becomes flux_group_1.
std::string sanitize_file_name(std::string_view name);

}  // namespace gsim
