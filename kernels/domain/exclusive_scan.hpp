#pragma once
// Exclusive prefix sums of integers.

#include <cstdint>

#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::domain {

/// values[i] becomes the sum of values[0] … values[i - 1].
struct ExclusiveScanArgs {
  View<std::int32_t> values;
};

}  // namespace gsim::domain

GSIM_DECLARE_LAUNCHER(domain_exclusive_scan, domain::ExclusiveScanArgs)
