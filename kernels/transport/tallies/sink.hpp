#pragma once
// Adding contributions to tally sums, which threads may share.

#include "kernels/transport/tallies/exact_score.hpp"
#include "kernels/transport/tallies/tally_view.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::TallyFault;
using transport::TallySink;
using transport::TallySum;

/// Conversions between a sum as one integer of 128 bits and its two halves.
GSIM_HD WideInteger integer_of(const TallySum& sum) {
  return static_cast<WideInteger>(static_cast<unsigned __int128>(sum.high) << 64 | sum.low);
}
GSIM_HD TallySum halves_of(WideInteger sum) {
  return {static_cast<std::uint64_t>(sum), static_cast<std::uint64_t>(sum >> 64)};
}

GSIM_HD std::uint64_t fetch_add(std::uint64_t* to, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(reinterpret_cast<unsigned long long*>(to), value);
#else
  return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
#endif
}

/// Records that the sums of tally number `tally` are invalid; the lowest such number is kept.
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

/// The contribution in fixed point; 0 for one that is too large, which is recorded as a fault.
GSIM_HD FixedPointScore contribution(const TallySink& sink, std::int32_t tally, double c) {
  if (abs(c) < transport::largest_contribution) return to_fixed_point(c);
  note_fault(sink, tally);
  return 0;
}

/// Adds to value `at` of the sums. A sum of magnitude 2^41 (2^125 in units of 2^-84) or more, far
/// below overflow of 128 bits, is recorded as a fault. A benchmark replaces this function by one
/// for floating-point sums (validation/performance/transport_sums.cu).
#if !defined(GSIM_TRANSPORT_BENCHMARK_SUMS)
GSIM_HD void add_to_sum(const TallySink& sink, std::int32_t tally, Index at,
                        FixedPointScore score) {
  TallySum& sum = sink.sums[at];
  std::uint64_t high;
  if (sink.is_shared == 0) {
    sum = halves_of(integer_of(sum) + score);
    high = sum.high;
  } else {
    const TallySum added = halves_of(score);
    const std::uint64_t before = fetch_add(&sum.low, added.low);
    const std::uint64_t upper = added.high + (before + added.low < before ? 1 : 0);
    high = fetch_add(&sum.high, upper) + upper;
  }
  constexpr std::uint64_t bound = std::uint64_t{1} << 61;  // 2^125 in the upper 64 bits
  if (high + bound >= 2 * bound) note_fault(sink, tally);
}
#endif

}  // namespace transport_kernels
GSIM_TARGET_END
