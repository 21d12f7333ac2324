#pragma once
// The check for reads of uninitialised registers.
//
// Only registers that may be read before they are written (Code::live_at_entry), and those that are
// computed from them, are tracked: a mask of the lanes in which each is uninitialised. Compilers
// compute with values that nothing depends on later, so that a result of uninitialised operands is
// uninitialised, and only its use is a fault: as a guard, as a part of an address, as an operand of
// an atomic, a barrier or a vote, and as a value that is stored in global or shared memory. What
// depends on a part of a value only (prmt, bfi, the elements of a vector) is uninitialised if all
// parts are. Carry flags, arguments of functions, and values that shuffles bring from other lanes
// count as initialised.

#include "exec/code.hpp"

namespace ptxemu {

class Lowering;

/// By register: whether loads write it and its value is only stored, as in copies of structures.
std::vector<bool> registers_of_copies(const Function& function);

/// Sets the tracked registers of code.function.
void find_tracked_registers(Code& code);

/// Throws a Fault if a tracked register of the current frame is uninitialised in one of `lanes`.
void require_initialised(Warp& warp, int tracked, std::uint32_t lanes);

/// The operation that precedes the instruction of `lowering` and checks its registers; its handler
/// is null if the instruction uses no tracked register.
Op register_check(Lowering& lowering);

}  // namespace ptxemu
