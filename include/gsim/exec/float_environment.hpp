#pragma once
// Checks of the floating-point control register. A single library linked with -ffast-math can
// switch a whole process to flushing denormals, which changes the bits of results.

#include <string>

namespace gsim {

/// Deviations from IEEE 754 defaults in the calling thread: "flush-to-zero, rounding towards zero";
/// empty if there are none.
std::string floating_point_deviations();

/// Throws NumericalError if the calling thread flushes denormals, reads them as zero, or does not
/// round to nearest. Every pool thread calls it at its start; it must be called again after loading
/// foreign code (new threads inherit the register of their creator).
void check_floating_point_environment();

}  // namespace gsim
