#pragma once
// Adding contributions to tally sums, which threads may share.

#include "kernels/transport/tallies/exact_score.hpp"
#include "kernels/transport/tallies/tally_view.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::TallyFault;
using transport::TallySink;
using transport::TallySum;

GSIM_HD WideInteger quanta_of(const TallySum& sum) {
  return static_cast<WideInteger>(static_cast<unsigned __int128>(sum.high) << 64 | sum.low);
}
GSIM_HD TallySum words_of(WideInteger quanta) {
  return {static_cast<std::uint64_t>(quanta), static_cast<std::uint64_t>(quanta >> 64)};
}

GSIM_HD std::uint64_t fetch_add(std::uint64_t* to, std::uint64_t what) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(reinterpret_cast<unsigned long long*>(to), what);
#else
  return __atomic_fetch_add(to, what, __ATOMIC_RELAXED);
#endif
}

/// Records that the sums of `tally` are invalid; the lowest tally is kept.
GSIM_HD void note_fault(const TallySink& sink, std::int32_t tally) {
#if defined(__CUDA_ARCH__)
  atomicMin(&sink.fault->tally, tally);
#else
  std::int32_t found = __atomic_load_n(&sink.fault->tally, __ATOMIC_RELAXED);
  while (tally < found && !__atomic_compare_exchange_n(&sink.fault->tally, &found, tally, true,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
#endif
}

/// The contribution in quanta; 0 for one that is too large, which is recorded as a fault.
GSIM_HD ScoreQuanta contribution(const TallySink& sink, std::int32_t tally, double c) {
  if (abs(c) < transport::largest_contribution) return in_score_quanta(c);
  note_fault(sink, tally);
  return 0;
}

/// Adds to value `at` of the sums. A sum of 2^41 units or more, far below overflow of 128 bits, is
/// recorded as a fault.
#if !defined(GSIM_TRANSPORT_OTHER_SUMS)
GSIM_HD void add_quanta(const TallySink& sink, std::int32_t tally, Index at, ScoreQuanta quanta) {
  TallySum& sum = sink.sums[at];
  std::uint64_t high;
  if (sink.is_shared == 0) {
    sum = words_of(quanta_of(sum) + quanta);
    high = sum.high;
  } else {
    const TallySum words = words_of(quanta);
    const std::uint64_t before = fetch_add(&sum.low, words.low);
    const std::uint64_t upper = words.high + (before + words.low < before ? 1 : 0);
    high = fetch_add(&sum.high, upper) + upper;
  }
  constexpr std::uint64_t bound = std::uint64_t{1} << 61;  // 2^125 quanta
  if (high + bound >= 2 * bound) note_fault(sink, tally);
}
#endif

}  // namespace transport_kernels
GSIM_TARGET_END
