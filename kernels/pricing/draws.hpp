#pragma once
// The random numbers of a group of samples, each addressed by (purpose, sample, step, asset) and so
// independent of all else. The mirror image of antithetic sampling takes -z for every normal z and
// 1 - u for every uniform u.

#include "kernels/pricing/lanes.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The words of the samples first, first + 1, … in the lanes of P, at one (step, block).
template <class P>
GSIM_HD auto words_at(PhiloxKey key, std::uint64_t first, Index step, std::uint32_t block) {
  return philox_consecutive<rebind<P, std::uint64_t>>(key, first, static_cast<std::uint64_t>(step),
                                                      block);
}

/// Normals of the paths, drawn as they are needed: draw d = step * factors + factor is number
/// d mod per_block of the block addressed by step d / per_block.
template <class P, class Policy>
class DrawnNormals {
 public:
  static constexpr int per_block = draws_per_block<scalar_of<P>>;

  GSIM_HD DrawnNormals(PhiloxKey key, std::uint64_t first) : key_(key), first_(first) {}

  /// Draws per_block * block … per_block * block + per_block - 1.
  GSIM_HD Draws<P, per_block> block(Index block) const {
    return normals<scalar_of<P>, Policy>(words_at<P>(key_, first_, block, 0));
  }
  /// Draws 0, 1, 2, … in turn.
  GSIM_HD P next() {
    const int i = static_cast<int>(draw_ % per_block);
    if (i == 0) z_ = block(draw_ / per_block);
    ++draw_;
    P z = z_.value[0];
    // A chain of constant indices keeps the block in registers on a CUDA device.
    GSIM_UNROLL
    for (int j = 1; j < per_block; ++j)
      if (i == j) z = z_.value[j];
    return z;
  }

 private:
  PhiloxKey key_;
  std::uint64_t first_;
  Index draw_ = 0;
  Draws<P, per_block> z_{};
};

/// Normals prepared in memory (Sobol points): draw d of the group is at data[d * stride].
template <class P>
class StoredNormals {
 public:
  using T = scalar_of<P>;
  static constexpr int per_block = draws_per_block<T>;

  GSIM_HD StoredNormals(const T* data, Index stride, Index draws)
      : data_(data), stride_(stride), draws_(draws) {}

  GSIM_HD Draws<P, per_block> block(Index block) const {
    Draws<P, per_block> z;
    GSIM_UNROLL
    for (int j = 0; j < per_block; ++j) {
      const Index d = block * per_block + j;
      z.value[j] = load<P>(data_ + (d < draws_ ? d : draws_ - 1) * stride_);
    }
    return z;
  }
  GSIM_HD P next() { return load<P>(data_ + draw_++ * stride_); }

 private:
  const T* data_;
  Index stride_, draws_, draw_ = 0;
};

/// The other draws of one asset over one step: step field = step, block field = asset.
template <class P, class Policy, class T>
struct StepDraws {
  const PathTable<T>* paths;
  std::uint64_t first;  ///< the group's first sample
  Index step, asset;
  bool mirror;

  GSIM_HD P uniform(PhiloxKey key, int which) const {
    const P u =
        uniforms<T>(words_at<P>(key, first, step, static_cast<std::uint32_t>(asset))).value[which];
    return mirror ? P(T(1)) - u : u;
  }
  GSIM_HD P variance() const { return uniform(paths->variance, 0); }
  GSIM_HD P jump_count() const { return uniform(paths->jump_count, 0); }
  GSIM_HD P jump_size() const {
    const P z = normals<T, Policy>(
                    words_at<P>(paths->jump_size, first, step, static_cast<std::uint32_t>(asset)))
                    .value[0];
    return mirror ? -z : z;
  }
  GSIM_HD P maximum() const { return uniform(paths->bridge, 0); }
  GSIM_HD P minimum() const { return uniform(paths->bridge, 1); }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
