#pragma once
// Sums of tallies over workers, ranks and groups, which must stay within 128 bits.

#include "kernels/transport/tallies/sink.hpp"

namespace gsim::transport {

enum class SumRange {
  within,  ///< all sums are representable
  exceeded
};

/// The range of several sums.
inline SumRange combined(SumRange a, SumRange b) {
  return a == SumRange::within ? b : SumRange::exceeded;
}

/// Adds to a sum of fixed-point scores, modulo 2^128.
inline SumRange add_to(WideInteger& sum, const TallySum& contribution) {
  const bool is_exceeded =
      __builtin_add_overflow(sum, transport_kernels::integer_of(contribution), &sum);
  return is_exceeded ? SumRange::exceeded : SumRange::within;
}
inline SumRange add_to(TallySum& sum, const TallySum& contribution) {
  WideInteger total = transport_kernels::integer_of(sum);
  const SumRange range = add_to(total, contribution);
  sum = transport_kernels::halves_of(total);
  return range;
}

}  // namespace gsim::transport
