#pragma once
// Data files of gsim.

#include <string>

namespace gsim::app {

/// The folder `name` of an installed gsim's share/gsim, or, of a program that was not installed,
/// `source` in gsim's sources. InputError where neither is there.
std::string find_shared(const std::string& name, const std::string& source);

}  // namespace gsim::app
