#pragma once
// One operation of a script on numbers.

#include "src/modules/pricing/scripts/script_program.hpp"

namespace gsim::pricing {

/// The result of an operation with the operands a, b and c, by the functions of the kernels in
/// strict arithmetic; `before` is the value of the result's register before it.
double evaluate(ScriptOperation operation, double a, double b, double c, double before);

}  // namespace gsim::pricing
