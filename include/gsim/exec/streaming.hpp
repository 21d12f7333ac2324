#pragma once
// Results on their way to memory. A core that stores to a line of memory reads that line first,
// unless it is told that all of it will be written and that nobody wants it soon: a kernel that
// writes whole fields, each far larger than the caches, then moves a third less. For kernel sources
// only, on the host: a kernel sends registers, or a piece of a line that it has put together.
// What a launch has sent is in memory when the launch has ended (ThreadPool::run): other launches
// may read it, the same one must not.

#include <cstdint>

#include "gsim/core/types.hpp"
#include "gsim/math/pack.hpp"
#include "gsim/math/target.hpp"

GSIM_TARGET_BEGIN

/// Whether a line of 64 bytes begins at `to`.
GSIM_HD bool begins_line(const double* to) {
  return reinterpret_cast<std::uintptr_t>(to) % 64 == 0;
}

#if !defined(__CUDACC__)
/// A register's lanes, past the caches where the processor can; `to` is at a multiple of their
/// bytes. A core puts few lines of 64 bytes together at a time: all of one is to be written before
/// a third is begun.
GSIM_HD void stream(double* to, packed<double> lanes) {
#if defined(GSIM_AVX512)
  _mm512_stream_pd(to, (__m512d)lanes.v);
#elif defined(GSIM_AVX2)
  _mm256_stream_pd(to, (__m256d)lanes.v);
#elif defined(__SSE2__)
  _mm_stream_pd(to, (__m128d)lanes.v);
#else
  store(to, lanes);
#endif
}

/// A line of 64 bytes; `to` begins one.
GSIM_HD void stream_line(double* to, const double* from) {
  constexpr Index lanes = native_lanes<double>();
  for (Index k = 0; k < 8; k += lanes) stream(to + k, load<packed<double>>(from + k));
}
#endif

/// Copies the first `count` doubles of a piece of `piece`, a multiple of 8, to `to`: past the
/// caches where whole lines of 64 bytes are written and the processor can. Whole pieces that begin
/// with such a line, as those of long lines of fields do (FieldLayout::long_line), are fastest.
template <Index piece>
GSIM_HD void stream_out(double* to, const double* from, Index count) {
  static_assert(piece > 0 && piece % 8 == 0);
  Index i = 0;
#if !defined(__CUDACC__)
  if (begins_line(to) && count == piece) {
    for (Index k = 0; k < piece; k += 8) stream_line(to + k, from + k);
    return;
  }
  for (; i < count && !begins_line(to + i); ++i) to[i] = from[i];
  for (; i + 8 <= count; i += 8) stream_line(to + i, from + i);
#endif
  for (; i < count; ++i) to[i] = from[i];
}

/// Asks for `count` doubles from `from` on, to be near the core when it needs them soon: for
/// kernels that read more streams at a time than the processor follows by itself. They may lie
/// beyond what is held.
GSIM_HD void stream_ahead(const double* from, Index count) {
#if !defined(__CUDACC__)
  const auto first = reinterpret_cast<std::uintptr_t>(from);
  for (std::uintptr_t byte = 0; byte < static_cast<std::uintptr_t>(count) * 8; byte += 64)
    __builtin_prefetch(reinterpret_cast<const void*>(first + byte), 0, 2);
#endif
}

GSIM_TARGET_END
