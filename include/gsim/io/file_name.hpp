#pragma once
// Names that people give to tallies, fields and pictures, as parts of files' names.

#include <string>
#include <string_view>

namespace gsim {

/// `name` without characters that shells treat specially: each run of blanks, brackets, quotes and
/// other signs is replaced by one "_", and removed at the beginning and the end. Letters of any
/// script, digits, ".", "-", "+", "=" and "_" are kept: "flux (group 1)" becomes flux_group_1.
std::string sanitize_file_name(std::string_view name);

}  // namespace gsim
