#pragma once
// The arithmetic policy: a template argument of kernels that selects the implementation of gsim's
// elementary functions.

namespace gsim {

/// Only IEEE 754 operations and explicit fma, at most 2 ulp: the same bits on every machine.
struct Strict {
  static constexpr bool is_strict = true;
};

/// Hardware approximations and shorter polynomials: faster, with results that differ between kinds
/// of processor.
struct Fast {
  static constexpr bool is_strict = false;
};

/// Run-time form of the policy, as `arithmetic = "strict" | "fast"` in the configuration.
enum class Arithmetic { strict, fast };

/// Run-time form of the real type, as `precision = "double" | "float"`.
enum class Precision { float64, float32 };

}  // namespace gsim
