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

  /// The site that the tooth 0 <= tooth < teeth selects.
  GSIM_HD Index site(Index tooth) const {
    constexpr int bits = 32;
    const WideInteger at = (static_cast<WideInteger>(tooth) << bits) + offset;
    return static_cast<Index>((at * sites / teeth) >> bits);
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
};

}  // namespace gsim::transport
