#pragma once
// Keys that need a plugin.

#include <string_view>

#include "gsim/config/section.hpp"

namespace gsim {

/// For a key whose values only plugins define, where no such plugin is loaded: if `key` is given, a
/// ConfigError that says so, instead of the error of an unknown key. `what`: "scores".
void refuse_without_plugin(const Section& section, std::string_view key, std::string_view what);

}  // namespace gsim
