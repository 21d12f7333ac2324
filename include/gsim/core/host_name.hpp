#pragma once
// The name of this node.

#include <string>

namespace gsim {

/// The result of gethostname(); empty if it fails.
std::string host_name();

}  // namespace gsim
