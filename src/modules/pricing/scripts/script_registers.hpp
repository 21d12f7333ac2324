#pragma once
// Registers in place of the temporaries of a segment's instructions.

#include <functional>
#include <vector>

#include "src/modules/pricing/scripts/script_program.hpp"

namespace gsim::pricing {

/// Operands from here on are temporaries, of which there are any number.
inline constexpr std::int32_t script_first_temporary = script_operand_limit;

/// Gives registers from `states` on to `temporaries` temporaries. Returns the number of registers,
/// those of the states included; calls fail(k), which must throw, where the k-th instruction finds
/// none.
std::int32_t allocate_registers(std::vector<ScriptInstruction>& code, std::int32_t states,
                                std::int32_t temporaries,
                                const std::function<void(std::size_t)>& fail);

}  // namespace gsim::pricing
