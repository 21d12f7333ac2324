#pragma once
// The name of the node that this process runs on.

#include <string>

namespace gsim {

/// As gethostname() gives it; empty where it fails.
std::string host_name();

}  // namespace gsim
