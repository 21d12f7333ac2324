#pragma once
// Checks the characters of a configuration: see check_toml.cpp.

#include "source.hpp"

namespace gsim::config_detail {

/// Throws a ConfigError for text that is not UTF-8, contains control characters, has characters
/// outside ASCII anywhere but in strings and comments, or has keys of too many parts.
void check_toml(const Source& source);

}  // namespace gsim::config_detail
