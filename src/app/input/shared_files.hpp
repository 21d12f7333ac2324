#pragma once
// Data files that are installed with gsim.

#include <string>

namespace gsim::app {

/// The folder `name` in share/gsim of an installed gsim or, if gsim is not installed, the folder
/// `source` of the source tree. InputError if neither exists.
std::string find_shared(const std::string& name, const std::string& source);

}  // namespace gsim::app
