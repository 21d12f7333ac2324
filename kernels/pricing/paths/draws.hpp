#pragma once
// The random numbers of a group of samples, addressed by purpose, sample and step (normals by
// sample and number, path_normals.hpp) and thus independent of the order in which they are drawn.
// The antithetic path uses -z for every normal z and 1 - u for every uniform u.

#include "gsim/pricing/path_normals.hpp"
#include "kernels/pricing/job.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The draws of one asset over one step besides the normals of the steps. In the Philox counter the
/// step field is the step and the block field the asset.
template <class P, class Policy, class T, bool can_be_nested = true>
struct StepDraws {
  const PathTable<T>* paths;
  std::uint64_t first;  ///< the group's first sample
  Index step, asset;
  bool is_antithetic;

  /// Number `which` of the uniform numbers at this address, for the antithetic path 1 minus it.
  GSIM_HD P uniform(PhiloxKey key, int which) const {
    const P u = uniforms<T>(words(key)).value[which];
    return is_antithetic ? P(T(1)) - u : u;
  }
  /// The uniform number from which the number of jumps is drawn.
  GSIM_HD P jump_count() const { return uniform(paths->jump_count, 0); }
  /// The standard normal number from which the sum of the jumps is drawn.
  GSIM_HD P jump_size() const {
    const P z = normals<T, Policy>(words(paths->jump_size)).value[0];
    return is_antithetic ? -z : z;
  }
  /// The uniform numbers from which the extremes of the Brownian bridge are drawn.
  GSIM_HD P maximum() const { return uniform(paths->bridge, 0); }
  GSIM_HD P minimum() const { return uniform(paths->bridge, 1); }

 private:
  GSIM_HD auto words(PhiloxKey key) const {
    const auto block = static_cast<std::uint32_t>(asset);
    if constexpr (can_be_nested)
      return branched_words_at<P>(paths->branches, key, first, step, block);
    else
      return words_at<P>(key, first, step, block);
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
