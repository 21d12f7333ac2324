#pragma once
// Pairs of instructions as single ones, whose intermediate result needs no memory.

#include <vector>

#include "src/modules/pricing/scripts/script_program.hpp"
#include "src/modules/pricing/scripts/script_text.hpp"

namespace gsim::pricing {

/// Leaves out instructions whose results are not read, and joins each instruction whose result is a
/// temporary that only the next one reads to that one, where an operation for both exists, which
/// rounds as they do. `places` are those of the instructions, before temporaries get registers.
void join_instructions(std::vector<ScriptInstruction>& code, std::vector<ScriptPlace>& places);

}  // namespace gsim::pricing
