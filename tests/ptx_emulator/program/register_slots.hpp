#pragma once
// Places of registers in the register memory of a warp.

#include <vector>

#include "exec/code.hpp"
#include "program/control_flow.hpp"
#include "reader/module.hpp"

namespace ptxemu {

/// Assigns a slot to each register of `function` and sets code.register_bytes and
/// code.initial_zeros. Registers of one size whose live ranges do not overlap may share a slot.
///
/// This holds for divergent code, too, because a slot has one element per lane: an instruction
/// writes only the elements of the lanes that execute it, so that no lane changes the registers of
/// another one. The instructions of a single lane are a path through the control flow graph, and
/// live ranges contain all such paths. Instructions that read registers of other lanes (shfl,
/// match, …) read them for lanes that execute the same instruction, where those registers are live.
std::vector<Slot> assign_register_slots(const Function& function, const ControlFlow& flow,
                                        Code& code);

}  // namespace ptxemu
