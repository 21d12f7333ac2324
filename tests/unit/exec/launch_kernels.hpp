#pragma once
// Kernels written like those of modules: a functor of an index, with one launcher per target.

#include "gsim/core/exact_sum.hpp"
#include "gsim/core/superaccumulator.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/exec/min_reduce.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::test {

/// out[i] = a function of x[i] whose bits would change if operations were fused or reordered, or
/// subnormal numbers flushed to zero.
struct PolynomialArgs {
  View<const double> x;
  View<double> out;
  Index grain = 0;
};

/// Writes the target that executed the kernel, as the number of its enumerator, to every element.
struct ReportTargetArgs {
  View<int> out;
};

/// Adds word[i] and half of its complement to two sums, or to two totals in executor memory.
struct ExactReduceArgs {
  View<const std::int64_t> word;
  ExactSum* sums;                 ///< 2 elements
  WideInteger* totals = nullptr;  ///< 2 elements, or null
};

/// Adds x, x y and the square of y to three sums; `minima` receives the first minimum and maximum
/// of x.
struct RealReduceArgs {
  View<const double> x, y;
  Superaccumulator* sums;  ///< 3 elements
  MinimalKey* minima;      ///< 2 elements
};

}  // namespace gsim::test

GSIM_DECLARE_LAUNCHER(test_polynomial, test::PolynomialArgs)
GSIM_DECLARE_LAUNCHER(test_report_target, test::ReportTargetArgs)
GSIM_DECLARE_LAUNCHER(test_exact_reduce, test::ExactReduceArgs)
GSIM_DECLARE_LAUNCHER(test_real_reduce, test::RealReduceArgs)
