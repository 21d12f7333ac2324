#pragma once
// The comb that selects the source of the next generation from the sites of the last one.

#include <cstdint>

#include "gsim/core/exact_sum.hpp"
#include "gsim/core/host_device.hpp"
#include "gsim/core/types.hpp"

namespace gsim::transport {

/// A comb: selects `teeth` of `sites` ordered sites at equal distances. `offset`, in [0, 2^32),
/// shifts the comb by the fraction offset / 2^32 of its pitch.
struct Comb {
  Index teeth = 0, sites = 0;
  std::uint32_t offset = 0;

  /// The site that the tooth 0 <= tooth < teeth selects: (tooth + offset / 2^32) sites / teeth,
  /// rounded down.
  GSIM_HD Index site(Index tooth) const {
    const WideInteger shift = (static_cast<WideInteger>(offset) * sites) >> 32;
    return quotient(static_cast<WideInteger>(tooth) * sites + shift, teeth);
  }
  /// The first tooth whose site is not below `from`; `teeth` if there is none.
  Index first_tooth(Index from) const {
    Index first = 0, last = teeth;  // bisection: the selected site increases with the tooth
    while (first < last) {
      const Index middle = first + (last - first) / 2;
      if (site(middle) < from)
        first = middle + 1;
      else
        last = middle;
    }
    return first;
  }

 private:
  /// n / divisor for 0 <= n < 2^63 divisor. For n of more than 64 bits it is calculated bit by bit:
  /// nvcc's own division of 128 bits begins with an approximation in floating point.
  static GSIM_HD Index quotient(WideInteger n, Index divisor) {
    const auto d = static_cast<std::uint64_t>(divisor), low = static_cast<std::uint64_t>(n);
    auto remainder = static_cast<std::uint64_t>(n >> 64);  // less than d
    if (remainder == 0) return static_cast<Index>(low / d);
    std::uint64_t result = 0;
#if defined(__CUDACC__)
#pragma unroll 1
#endif
    for (int bit = 63; bit >= 0; --bit) {
      remainder = remainder << 1 | (low >> bit & 1);
      result <<= 1;
      if (remainder >= d) {
        remainder -= d;
        ++result;
      }
    }
    return static_cast<Index>(result);
  }
};

}  // namespace gsim::transport
