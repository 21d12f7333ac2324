#pragma once
#include "node.hpp"

namespace gsim::config_detail {

/// Applies "path.to.key=value" below `root`. The place of every new node is `source`, whose name is
/// "--set path.to.key=value". Elements of lists are named by position: "trades.2.strike" and
/// "trades[2].strike" are the strike of the third trade. Throws ConfigError.
void apply_override(Node& root, const Source& source, std::string_view assignment);

}  // namespace gsim::config_detail
