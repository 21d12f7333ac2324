#pragma once
// The triad of STREAM (McCalpin 1995): what the memory of the machine at hand can do.

#include "gsim/exec/launch.hpp"

namespace gsim {

/// a = b + scalar * c, of `count` elements each.
struct TriadArgs {
  double* a = nullptr;
  const double* b = nullptr;
  const double* c = nullptr;
  double scalar = 0;
  Index count = 0;
  bool is_streamed = false;  ///< past the caches, on the host: no line is read to be overwritten
};
inline constexpr double triad_bytes = 24;  ///< an element, as STREAM counts them

}  // namespace gsim

GSIM_DECLARE_LAUNCHER(benchmark_triad, TriadArgs)
