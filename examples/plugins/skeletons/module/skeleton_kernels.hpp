#pragma once
// The arguments of the kernels. A launcher is an ordinary function of an executor and one struct of
// plain data.

#include <cstdint>

#include <gsim/core/exact_sum.hpp>
#include <gsim/exec/launch.hpp>
#include <gsim/exec/view.hpp>
#include <gsim/random/philox.hpp>

namespace skeleton_module {

/// Steps [first_step, first_step + steps) of walkers.
struct WalkArgs {
  gsim::View<std::int64_t> position;  ///< of this rank's walkers
  gsim::Index first_walker = 0;       ///< global number of the first of them
  gsim::PhiloxKey key;                ///< of the random numbers
  gsim::Index first_step = 0, steps = 0;
};

/// Adds up this rank's walkers: sums[0] += x^2, sums[1] += x^4.
struct MomentsArgs {
  gsim::View<const std::int64_t> position;
  gsim::ExactSum* sums = nullptr;
};

}  // namespace skeleton_module

GSIM_DECLARE_LAUNCHER(skeleton_walk, ::skeleton_module::WalkArgs)
GSIM_DECLARE_LAUNCHER(skeleton_moments, ::skeleton_module::MomentsArgs)
