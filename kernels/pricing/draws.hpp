#pragma once
// The random numbers of a group of samples, each addressed by (purpose, sample, step, asset) and so
// independent of all else. The mirror image of antithetic sampling takes -z for every normal z and
// 1 - u for every uniform u.

#include "kernels/pricing/lanes.hpp"

GSIM_TARGET_BEGIN
namespace pricing {

/// Normals of the paths, drawn as they are needed: draw d = step * factors + factor.
template <class P, class Policy>
class DrawnNormals {
 public:
  static constexpr int per_block = normals_per_block<P>;

  GSIM_HD DrawnNormals(PhiloxKey key, Entities<P> entity) : key_(key), entity_(entity) {}

  /// Draws per_block * block … per_block * block + per_block - 1.
  GSIM_HD void block(Index block, P (&z)[per_block]) const {
    normal_block<Policy>(key_, entity_, static_cast<std::uint64_t>(block), 0u, z);
  }
  /// Draws 0, 1, 2, … in turn.
  GSIM_HD P next() {
    const int i = static_cast<int>(draw_ % per_block);
    if (i == 0) block(draw_ / per_block, z_);
    ++draw_;
    P z = z_[0];
    // A chain of constant indices keeps the block in registers on a CUDA device.
#pragma GCC unroll 4
    for (int j = 1; j < per_block; ++j)
      if (i == j) z = z_[j];
    return z;
  }

 private:
  PhiloxKey key_;
  Entities<P> entity_;
  Index draw_ = 0;
  P z_[per_block];
};

/// Normals prepared in memory (Sobol points): draw d of path p is data[d * stride + p].
template <class P>
class StoredNormals {
 public:
  using T = scalar_of<P>;
  static constexpr int per_block = normals_per_block<P>;

  /// `data` stands at the group's first path; `draws` rows are readable.
  GSIM_HD StoredNormals(const T* data, Index stride, Index draws)
      : data_(data), stride_(stride), draws_(draws) {}

  GSIM_HD void block(Index block, P (&z)[per_block]) const {
    for (int j = 0; j < per_block; ++j) {
      const Index d = block * per_block + j;
      z[j] = load<P>(data_ + (d < draws_ ? d : draws_ - 1) * stride_);
    }
  }
  GSIM_HD P next() { return load<P>(data_ + draw_++ * stride_); }

 private:
  const T* data_;
  Index stride_, draws_, draw_ = 0;
};

/// The other draws of one asset over one step; `mirror` is the mirror image's.
template <class P, class Policy, class T>
struct StepDraws {
  const PathTable<T>* paths;
  Entities<P> entity;
  Index step;
  Index asset;
  bool mirror;

  GSIM_HD P reflected(P u) const { return mirror ? P(T(1)) - u : u; }
  GSIM_HD P variance() const {
    return reflected(uniform_at<P>(paths->variance, entity, step, asset, 0));
  }
  GSIM_HD P jump_count() const {
    return reflected(uniform_at<P>(paths->jump_count, entity, step, asset, 0));
  }
  GSIM_HD P jump_size() const {
    const P z = normal_at<P, Policy>(paths->jump_size, entity, step, asset);
    return mirror ? -z : z;
  }
  /// Which = 0: maximum, 1: minimum.
  GSIM_HD P bridge(int which) const {
    return reflected(uniform_at<P>(paths->bridge, entity, step, asset, which));
  }
};

}  // namespace pricing
GSIM_TARGET_END
