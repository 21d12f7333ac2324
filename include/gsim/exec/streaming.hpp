#pragma once
// Non-temporal stores. A core that stores to a cache line normally reads the line first;
// non-temporal stores of complete lines avoid this. A kernel that writes whole fields, each much
// larger than the caches, then transfers a third less. For kernel sources only, on the host;
// kernels store whole registers or buffered parts of lines. Stored data are visible when the launch
// has ended (ThreadPool::run): other launches may read them, the same launch must not.

#include <cstdint>

#include "gsim/core/types.hpp"
#include "gsim/math/pack.hpp"
#include "gsim/math/target.hpp"

GSIM_TARGET_BEGIN

/// Whether `to` is the beginning of a cache line of 64 bytes.
GSIM_HD bool is_cache_line_aligned(const double* to) {
  return reinterpret_cast<std::uintptr_t>(to) % 64 == 0;
}

#if !defined(__CUDACC__)
/// Stores the lanes of a register non-temporally if the processor supports it; `to` must be aligned
/// to their size. A core combines only a few cache lines at a time, so a line should be written
/// completely before a third one is begun.
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

/// Stores one cache line of 64 bytes; `to` must be its beginning.
GSIM_HD void stream_line(double* to, const double* from) {
  constexpr Index lanes = native_lanes<double>();
  for (Index k = 0; k < 8; k += lanes) stream(to + k, load<packed<double>>(from + k));
}
#endif

/// Copies the first `count` doubles of the buffer `from` to `to`, with non-temporal stores where
/// complete cache lines are written and the processor supports it. `piece`: number of doubles in
/// the buffer, a multiple of 8.
/// Complete buffers that begin with a cache line, such as those of aligned lines of fields
/// (FieldLayout::long_line), are fastest.
template <Index piece>
GSIM_HD void stream_out(double* to, const double* from, Index count) {
  static_assert(piece > 0 && piece % 8 == 0);
  Index i = 0;
#if !defined(__CUDACC__)
  if (is_cache_line_aligned(to) && count == piece) {
    for (Index k = 0; k < piece; k += 8) stream_line(to + k, from + k);
    return;
  }
  for (; i < count && !is_cache_line_aligned(to + i); ++i) to[i] = from[i];
  for (; i + 8 <= count; i += 8) stream_line(to + i, from + i);
#endif
  for (; i < count; ++i) to[i] = from[i];
}

/// Prefetches `count` doubles from `from`, for kernels that read more memory streams than the
/// hardware prefetcher follows. The addresses may lie beyond allocated memory.
GSIM_HD void prefetch(const double* from, Index count) {
#if !defined(__CUDACC__)
  const auto first = reinterpret_cast<std::uintptr_t>(from);
  for (std::uintptr_t byte = 0; byte < static_cast<std::uintptr_t>(count) * 8; byte += 64)
    __builtin_prefetch(reinterpret_cast<const void*>(first + byte), 0, 2);
#endif
}

GSIM_TARGET_END
