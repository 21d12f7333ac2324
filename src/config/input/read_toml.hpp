#pragma once
#include "node.hpp"

namespace gsim::config_detail {

/// Parses TOML 1.0 into the children of `root`, a table. Throws ConfigError.
void read_toml(const Source& source, Node& root);

/// Parses `text` as one TOML value into `node`. The places that it sets point to a temporary
/// source, so that the caller must set others. False when the text is not a value.
bool read_toml_value(const std::string& text, Node& node);

}  // namespace gsim::config_detail
