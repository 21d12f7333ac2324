#include "gsim/exec/float_environment.hpp"

#include <cfenv>
#include <cstdint>
#include <limits>

#include "gsim/core/error.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace gsim {
namespace {

void append(std::string& list, const char* item) {
  if (!list.empty()) list += ", ";
  list += item;
}

#if defined(__x86_64__)

// MXCSR: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, section 10.2.3.
void read_control_register(std::string& deviations) {
  const unsigned mxcsr = _mm_getcsr();
  if (mxcsr & (1u << 15)) append(deviations, "flush-to-zero");
  if (mxcsr & (1u << 6)) append(deviations, "denormals-are-zero");
}

#elif defined(__aarch64__)

// FPCR: Arm Architecture Reference Manual for A-profile, section C5.2.
void read_control_register(std::string& deviations) {
  std::uint64_t fpcr = 0;
  asm volatile("mrs %0, fpcr" : "=r"(fpcr));
  if (fpcr & (1ull << 24)) append(deviations, "flush-to-zero");
  if (fpcr & (1ull << 0)) append(deviations, "denormals-are-zero");
  if (fpcr & (1ull << 1)) append(deviations, "alternate floating-point handling (FPCR.AH)");
}

#else

// No known control register: test the behaviour of a denormal.
void read_control_register(std::string& deviations) {
  volatile double smallest_normal = std::numeric_limits<double>::min();
  volatile double half = smallest_normal * 0.5;
  if (half == 0.0) append(deviations, "flush-to-zero");
}

#endif

}  // namespace

std::string floating_point_deviations() {
  std::string deviations;
  read_control_register(deviations);
  switch (std::fegetround()) {
    case FE_TONEAREST:
      break;
    case FE_TOWARDZERO:
      append(deviations, "rounding towards zero");
      break;
    case FE_UPWARD:
      append(deviations, "rounding upwards");
      break;
    case FE_DOWNWARD:
      append(deviations, "rounding downwards");
      break;
    default:
      append(deviations, "unknown rounding mode");
  }
  return deviations;
}

void check_floating_point_environment() {
  const std::string deviations = floating_point_deviations();
  if (deviations.empty()) return;
  throw NumericalError("this thread's floating-point unit is not in its IEEE 754 default state (" +
                       deviations +
                       "), so results would differ from other machines; a plugin or preloaded "
                       "library that is compiled with -ffast-math does this: compile it without");
}

}  // namespace gsim
