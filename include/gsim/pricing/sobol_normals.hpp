#pragma once
// Normals of a group of scrambled Sobol points, in the order in which the simulation reads them.
// With the Brownian bridge, coordinate j * factors + f is construction step j of factor f
// (Caflisch, Morokoff and Owen 1997): all factors of the end point first, then the points between
// by repeated bisection. Jumps and the extremes of bridges use pseudo-random numbers (Philox) also
// here, addressed by the number of the sample, which determines replicate and point. Such a
// mixture is called a hybrid sequence.

#include "gsim/pricing/lanes.hpp"
#include "gsim/pricing/path_model.hpp"
#include "gsim/random/sobol.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// A group of consecutive samples, which belong to one block of one replicate.
struct SobolGroup {
  std::uint64_t replicate;
  std::uint32_t point;  ///< index of the group's first sample within the replicate
};
/// The group whose first sample is number `sample` of the run.
template <class T>
GSIM_HD SobolGroup sobol_group(const SobolTable<T>& s, Index sample) {
  const Index block = sample / s.block_samples;
  return {static_cast<std::uint64_t>(block % s.replicates),
          static_cast<std::uint32_t>(block / s.replicates * s.block_samples +
                                     sample % s.block_samples)};
}

/// The normal of coordinate d.
template <class Policy, class P, class T>
GSIM_HD P sobol_normal(const SobolTable<T>& s, SobolGroup group, Index d) {
  using Word = rebind<P, std::uint32_t>;
  const std::uint32_t* directions = s.directions + d * 32;  // 32 direction numbers per coordinate
  const Word reversed =
      sobol_lanes<Word>(directions) ^ Word(sobol_reversed(group.point, directions));
  const SobolSeed seed = s.seeds[static_cast<Index>(group.replicate) * s.dimensions + d];
  return normal_inverse<Policy>(scrambled_unit<T>(reversed, {seed.add, seed.multiply}));
}

/// Fills data[(step * factors + factor) * stride] for the group of samples from `sample` on.
template <class Policy, class P, class T>
GSIM_HD void store_sobol_normals(const SobolTable<T>& s, Index sample, T* data, Index stride) {
  const SobolGroup group = sobol_group(s, sample);
  const Index factors = s.factors;
  if (!s.bridge) {
    for (Index d = 0; d < s.dimensions; ++d)
      store(data + d * stride, sobol_normal<Policy, P>(s, group, d));
    return;
  }
  // The value at grid point m, the end of step m - 1, is stored where the normal of that step will
  // be; the value at point 0 is 0.
  const auto at = [&](Index point, Index f) { return data + ((point - 1) * factors + f) * stride; };
  for (Index j = 0; j < s.steps; ++j) {
    const Index left = s.left[j], right = s.right[j], middle = s.middle[j];
    for (Index f = 0; f < factors; ++f) {
      P w = P(s.weight_sd[j]) * sobol_normal<Policy, P>(s, group, j * factors + f);
      if (left > 0) w = fma(P(s.weight_left[j]), load<P>(at(left, f)), w);
      if (right > 0) w = fma(P(s.weight_right[j]), load<P>(at(right, f)), w);
      store(at(middle, f), w);
    }
  }
  for (Index k = s.steps - 1; k >= 0; --k) {
    for (Index f = 0; f < factors; ++f) {
      P w = load<P>(at(k + 1, f));
      if (k > 0) w = w - load<P>(at(k, f));
      store(at(k + 1, f), w * P(s.inverse_root_dt[k]));
    }
  }
}

}  // namespace pricing_kernels
GSIM_TARGET_END
