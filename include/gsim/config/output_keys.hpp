#pragma once
// Keys whose texts are names of files that a run writes. Runs of one batch, and stages of one
// configuration, that would write the same file are refused, and a replay writes files of other
// names.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/config/section.hpp"

namespace gsim {

/// Declares an optional key that names a file which the run writes; an empty name stands for the
/// default that `doc` states.
void optional_output(Section& section, std::string_view key, std::string& file, std::string doc);

/// The keys that `describe` declares by optional_output(): "checkpoint.base", "trajectory[].file"
/// in each element of an array of tables, "scans.*.file" in tables with names of the user's choice.
std::vector<std::string> output_keys(const Section::Describe& describe);

/// A file that a configuration names, and its key as ConfigFile::set() takes it:
/// "trajectory.0.file".
struct OutputName {
  std::string key, name;
};

/// The names that `file` gives for `keys` of output_keys(), without empty ones, in the order of the
/// keys. ConfigError where a value has another type. The file counts as unread afterwards.
std::vector<OutputName> output_names(ConfigFile& file, std::span<const std::string> keys);

}  // namespace gsim
