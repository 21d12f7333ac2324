#pragma once
// Counts particles with values that are not finite or positions outside the box.

#include "gsim/core/exact_sum.hpp"
#include "gsim/core/fixed_position.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::domain {

/// Adds to *sums, in host memory, the number of elements, out of `size`, that are NaN or infinite.
struct CountNonFiniteArgs {
  const void* elements = nullptr;
  Index element_bytes = 8;  ///< 8: double, 4: float
  Index size = 0;
  ExactSum* sums = nullptr;
};

/// Adds to *sums, in host memory, the number of positions whose upper half x of a coordinate does
/// not satisfy lo[axis] <= x < hi[axis].
struct CountOutsideArgs {
  View<const FixedPosition> positions;
  std::uint64_t lo[3] = {}, hi[3] = {};
  ExactSum* sums = nullptr;
};

}  // namespace gsim::domain

GSIM_DECLARE_LAUNCHER(domain_count_non_finite, domain::CountNonFiniteArgs)
GSIM_DECLARE_LAUNCHER(domain_count_outside, domain::CountOutsideArgs)
