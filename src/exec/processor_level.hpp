#pragma once
// The highest x86-64 psABI level (section 3.1.1) that this processor and operating system support.
// Used by libgsim, and by the configure step to choose the levels to compile.

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace gsim::detail {

enum class ProcessorLevel { base, v3, v4 };  ///< x86-64-v3 has AVX2, x86-64-v4 has AVX-512

#if defined(__x86_64__)

// The compiler's queries for AVX include whether the operating system saves the registers; three
// older instruction sets that it cannot query are read from CPUID.
inline bool has_v3_integer_extensions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
  const bool movbe = c & (1u << 22), f16c = c & (1u << 29);
  if (!__get_cpuid(0x80000001u, &a, &b, &c, &d)) return false;
  const bool lzcnt = c & (1u << 5);
  return movbe && f16c && lzcnt;
}

inline ProcessorLevel processor_level() {
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                  has_v3_integer_extensions();
  if (!v3) return ProcessorLevel::base;
  const bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  return v4 ? ProcessorLevel::v4 : ProcessorLevel::v3;
}

#else

inline ProcessorLevel processor_level() { return ProcessorLevel::base; }

#endif

}  // namespace gsim::detail
