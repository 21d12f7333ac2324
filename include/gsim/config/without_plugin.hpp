#pragma once
// Keys whose kinds plugins alone bring.

#include <string_view>

#include "gsim/config/section.hpp"

namespace gsim {

/// Where no plugin is loaded that brings any: a ConfigError that says so if `key` is given, in
/// place of that of an unknown key. `what`: "scores".
void refuse_without_plugin(const Section& section, std::string_view key, std::string_view what);

}  // namespace gsim
