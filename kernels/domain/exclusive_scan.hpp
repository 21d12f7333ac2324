#pragma once
// Exclusive prefix sums of integers.

#include <cstdint>

#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::domain {

/// values[i] becomes the sum of values[0] … values[i - 1]. `scratch` has room for values.size / 32
/// + 8 integers.
struct ExclusiveScanArgs {
  View<std::int32_t> values;
  std::int32_t* scratch = nullptr;
};

}  // namespace gsim::domain

GSIM_DECLARE_LAUNCHER(domain_exclusive_scan, domain::ExclusiveScanArgs)
