#pragma once
// A first look at the text of a configuration: see check_toml.cpp.

#include "source.hpp"

namespace gsim::config_detail {

/// Refuses text that is no UTF-8, holds control characters, has letters outside ASCII anywhere but
/// in strings and comments, or nests too deeply. Throws ConfigError.
void check_toml(const Source& source);

}  // namespace gsim::config_detail
