#pragma once
// The processor's floating-point control register. One library linked with -ffast-math is enough to
// switch a whole process to flushed denormals, and with it every last bit of every result.

#include <string>

namespace gsim {

/// What differs from IEEE 754 defaults in the calling thread: "flush-to-zero, rounding towards
/// zero", or empty when nothing does.
std::string floating_point_deviations();

/// Throws NumericalError when the calling thread flushes denormals, reads them as zero, or does not
/// round to nearest. Called in every pool thread at its start; to be called again after loading
/// foreign code (new threads inherit the register of the thread that makes them).
void check_floating_point_environment();

}  // namespace gsim
