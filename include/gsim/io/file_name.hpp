#pragma once
// Names that people give to tallies, fields and pictures, as parts of files' names.

#include <string>
#include <string_view>

namespace gsim {

/// `name` without what shells and programs stumble over: each run of blanks, brackets, quotes and
/// other signs becomes one "_", and none stands at an end. Letters of any script, digits, ".", "-",
/// "+", "=" and "_" stay. "flux (group 1)" is flux_group_1.
std::string in_file_name(std::string_view name);

}  // namespace gsim
