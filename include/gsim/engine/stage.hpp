#pragma once
// [[stage]]: runs that follow one another in one configuration.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"

namespace gsim {

/// A run of the keys of a configuration with overrides.
struct Stage {
  std::string name;
  /// KEY=VALUE, as with --set. {NAME} is the path of the files of an earlier stage without
  /// extension, {NAME:TABLE/COLUMN[ROW]} a value of its results.
  std::vector<std::string> set;
  KeyLocations keys;
};

/// Describes the tables [[stage]]. ConfigError for names that are not names of files, and overrides
/// that are not KEY=VALUE.
void describe_stages(Section& top, std::vector<Stage>& stages);

}  // namespace gsim
