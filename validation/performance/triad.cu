#include "gsim/exec/streaming.hpp"
#include "validation/performance/triad.hpp"

GSIM_TARGET_BEGIN
namespace benchmark_kernels {

/// One call computes a piece of the arrays on the host, and one element on a device.
struct Triad {
  TriadArgs args;
#if defined(__CUDACC__)
  static constexpr Index piece = 1;
#else
  static constexpr Index piece = 4096;
#endif
  GSIM_HD void operator()(Index n) const {
    const Index first = n * piece;
    const Index last = first + piece < args.count ? first + piece : args.count;
#if !defined(__CUDACC__)
    if (args.is_streamed) {
      constexpr Index part = 512;
      alignas(64) double buffer[part];
      for (Index at = first; at < last; at += part) {
        const Index count = last - at < part ? last - at : part;
#pragma omp simd
        for (Index i = 0; i < count; ++i) buffer[i] = args.b[at + i] + args.scalar * args.c[at + i];
        stream_out<part>(args.a + at, buffer, count);
      }
      return;
    }
#pragma omp simd
#endif
    for (Index i = first; i < last; ++i) args.a[i] = args.b[i] + args.scalar * args.c[i];
  }
};

}  // namespace benchmark_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(benchmark_triad, TriadArgs) {
  using benchmark_kernels::Triad;
  launch(executor, "triad", (args.count + Triad::piece - 1) / Triad::piece, Triad{args});
}
