#pragma once
// Insertion of the checks into the code of a kernel.

#include "exec/code.hpp"

namespace ptxemu {

/// Replaces the handlers of instructions that access memory or synchronise threads by handlers that
/// check first and then execute the original one. Code that is not instrumented runs at full speed.
void instrument(Code& code);

}  // namespace ptxemu
