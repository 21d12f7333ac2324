#pragma once
// Handlers of control flow that the translation places itself.

#include "exec/warp.hpp"

namespace ptxemu {

void run_branch(Warp& warp, const Op& op);
void run_meeting(Warp& warp, const Op& op);
void run_return(Warp& warp, const Op& op);
void run_call(Warp& warp, const Op& op);

}  // namespace ptxemu
