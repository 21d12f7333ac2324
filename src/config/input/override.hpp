#pragma once
#include "node.hpp"

namespace gsim::config_detail {

/// Applies "path.to.key=value" below `root`; every node that it makes is placed in `source`, whose
/// name is "--set path.to.key=value". Elements of lists are named by position: "trades.2.strike" or
/// "trades[2].strike" is the third trade's. Throws ConfigError.
void apply_override(Node& root, const Source& source, std::string_view assignment);

}  // namespace gsim::config_detail
