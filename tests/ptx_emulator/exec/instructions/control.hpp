#pragma once
// Control flow handlers that the translation inserts.

#include "exec/warp.hpp"

namespace ptxemu {

void run_branch(Warp& warp, const Op& op);
void run_reconvergence(Warp& warp, const Op& op);
void run_return(Warp& warp, const Op& op);
void run_call(Warp& warp, const Op& op);

}  // namespace ptxemu
