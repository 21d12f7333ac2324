#pragma once
// Functions that device code calls and the driver provides: vprintf, malloc, free, __assertfail.

#include <string>

#include "exec/warp.hpp"

namespace ptxemu {

/// Executes the function of this name for the lanes of Warp::mask, with its parameters and result
/// in the frame. Null for an unknown name.
Handler system_function(const std::string& name);

}  // namespace ptxemu
