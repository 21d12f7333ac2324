#pragma once
// Counts particles with values that are not finite or positions outside the box.

#include "gsim/core/exact_sum.hpp"
#include "gsim/core/fixed_position.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::domain {

/// Counts the elements that are NaN or infinite, and adds their number to *sums (in host memory).
struct CountNonFiniteArgs {
  const void* elements = nullptr;
  Index element_bytes = 8;  ///< 8: double, 4: float
  Index size = 0;
  ExactSum* sums = nullptr;
};

/// Counts the particles outside the allowed box, and adds their number to *sums (in host memory): x
/// is the high 32 bits of a coordinate, and lo[axis] <= x < hi[axis] must hold on every axis.
struct CountOutsideArgs {
  View<const FixedPosition> positions;
  std::uint64_t lo[3] = {}, hi[3] = {};
  ExactSum* sums = nullptr;
};

}  // namespace gsim::domain

GSIM_DECLARE_LAUNCHER(domain_count_non_finite, domain::CountNonFiniteArgs)
GSIM_DECLARE_LAUNCHER(domain_count_outside, domain::CountOutsideArgs)
