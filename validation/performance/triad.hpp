#pragma once
// The triad of STREAM (McCalpin 1995), which measures the bandwidth of the memory.

#include "gsim/exec/launch.hpp"

namespace gsim {

/// a = b + scalar * c, of `count` elements each.
struct TriadArgs {
  double* a = nullptr;
  const double* b = nullptr;
  const double* c = nullptr;
  double scalar = 0;
  Index count = 0;
  /// Whether the host uses streaming stores, by which cache lines are not read before they are
  /// written.
  bool is_streamed = false;
};
inline constexpr double triad_bytes = 24;  ///< per element, as counted by STREAM

}  // namespace gsim

GSIM_DECLARE_LAUNCHER(benchmark_triad, TriadArgs)
