#pragma once
// A kernel as modules write them: a functor per index, exported as one launcher per target.

#include "gsim/core/exact_sum.hpp"
#include "gsim/core/superaccumulator.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/exec/least_reduce.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::test {

/// out[i] = a value of x[i] in which contraction, reordering or flushing would change bits.
struct PolynomialArgs {
  View<const double> x;
  View<double> out;
  Index grain = 0;
};

/// Writes the name of the target that ran, as the number of its enumerator, to every element.
struct WhoAmIArgs {
  View<int> out;
};

/// Adds word[i] and its complement's half to two sums.
struct ExactReduceArgs {
  View<const std::int64_t> word;
  ExactSum* sums;  ///< 2
};

/// Adds x, x y and the square of y to three sums; `least` becomes the first least and greatest x.
struct RealReduceArgs {
  View<const double> x, y;
  Superaccumulator* sums;  ///< 3
  LeastKey* least;         ///< 2
};

}  // namespace gsim::test

GSIM_DECLARE_LAUNCHER(test_polynomial, test::PolynomialArgs)
GSIM_DECLARE_LAUNCHER(test_who_am_i, test::WhoAmIArgs)
GSIM_DECLARE_LAUNCHER(test_exact_reduce, test::ExactReduceArgs)
GSIM_DECLARE_LAUNCHER(test_real_reduce, test::RealReduceArgs)
