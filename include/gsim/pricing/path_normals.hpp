#pragma once
// The normals of a group of paths, each addressed by purpose, sample and number, and so independent
// of the order in which they are drawn. For kernel sources.

#include "gsim/pricing/lanes.hpp"
#include "gsim/pricing/path_model.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The random words of samples first, first + 1, … in the lanes of P, at one (step, block).
template <class P>
GSIM_HD auto words_at(PhiloxKey key, std::uint64_t first, Index step, std::uint32_t block) {
  return philox_consecutive<rebind<P, std::uint64_t>>(key, first, static_cast<std::uint64_t>(step),
                                                      block);
}

/// The same of a nested simulation: over the steps that a path has in common with its outer path,
/// all lanes have the words of that path. `first` is the number of a sample of the nested
/// simulation.
template <class P>
GSIM_HD auto branched_words_at(const BranchTable& branches, PhiloxKey key, std::uint64_t first,
                               Index step, std::uint32_t block) {
  using L = rebind<P, std::uint64_t>;
  const bool is_outer = branches.is_nested() && step < branches.at(first).steps;
  if (branches.is_nested() && !is_outer) first = branches.inner(first);
  if constexpr (lanes_of<P> == 1) {
    return words_at<P>(key, is_outer ? branches.at(first).outer : first, step, block);
  } else {
    if (!is_outer) return words_at<P>(key, first, step, block);
    const auto outer =
        philox_block(key, branches.at(first).outer, static_cast<std::uint64_t>(step), block);
    return PhiloxWords<L>{L(outer.x0), L(outer.x1), L(outer.x2), L(outer.x3)};
  }
}

/// Normals of the paths, each drawn when it is needed. Draw d = time step * factors + factor is
/// number d mod 4 of the four normals of the Philox block whose address has the step d / 4. For one
/// path per thread.
template <class P, class Policy>
class DrawnNormals {
 public:
  GSIM_HD DrawnNormals(PhiloxKey key, std::uint64_t first, Index /*draws*/)
      : key_(key), first_(first) {}

  /// Draws 4 block … 4 block + 3.
  GSIM_HD Draws<P, normals_per_block> block(Index block) const {
    return normals<scalar_of<P>, Policy>(words_at<P>(key_, first_, block, 0));
  }
  /// Draws 0, 1, 2, … in turn.
  GSIM_HD P next() {
    const int i = static_cast<int>(draw_ % normals_per_block);
    if (i == 0) z_ = block(draw_ / normals_per_block);
    ++draw_;
    return in_block(i);
  }
  /// Draw d, not to be mixed with next(). The block of the last one is kept.
  GSIM_HD P at(Index d) {
    const Index block_of_d = d / normals_per_block;
    if (block_of_d != draw_ - 1) z_ = block(block_of_d);
    draw_ = block_of_d + 1;
    return in_block(static_cast<int>(d % normals_per_block));
  }

 private:
  GSIM_HD P in_block(int i) const {
    P z = z_.value[0];
    // A chain of constant indices keeps the block in registers on a CUDA device.
    GSIM_UNROLL
    for (int j = 1; j < normals_per_block; ++j)
      if (i == j) z = z_.value[j];
    return z;
  }

  PhiloxKey key_;
  std::uint64_t first_;
  Index draw_ = 0;
  Draws<P, normals_per_block> z_{};
};

#if !defined(__CUDACC__)
/// Number of blocks whose normals are computed together on the host. Words and normals are computed
/// in separate loops: an iteration of either is a chain of dependent operations of about 100
/// cycles, and out-of-order execution overlaps iterations of a short loop, but not of one that does
/// both.
inline constexpr Index buffered_philox_blocks = 16;

/// Normals with the addresses (entity, step): the steps are [first_block, first_block + blocks),
/// the entities (samples) are `groups` groups of consecutive ones from `entity` on, one per lane.
/// The number `i` of a block and lane is out[((group * blocks + block) * 4 + i) * lanes + lane].
/// groups * blocks <= buffered_philox_blocks. Packs of several registers are computed one register
/// at a time.
template <class P, class Policy>
inline __attribute__((noinline)) void fill_normals(PhiloxKey key, std::uint64_t entity,
                                                   Index groups, Index first_block, Index blocks,
                                                   scalar_of<P>* out) {
  using T = scalar_of<P>;
  using One = packed<T>;  // one register
  using L = rebind<One, std::uint64_t>;
  constexpr Index width = lanes_of<One>, lanes = lanes_of<P>;
  alignas(64) std::uint64_t words[buffered_philox_blocks * 4 * width];
  for (Index part = 0; part < lanes; part += width) {
    std::uint64_t* w = words;
    for (Index g = 0; g < groups; ++g)
      for (Index b = first_block; b < first_block + blocks; ++b, w += 4 * width) {
        const auto drawn =
            words_at<One>(key, entity + static_cast<std::uint64_t>(g * lanes + part), b, 0);
        store(w, drawn.x0);
        store(w + width, drawn.x1);
        store(w + 2 * width, drawn.x2);
        store(w + 3 * width, drawn.x3);
      }
    T* to = out + part;
    for (const std::uint64_t* at = words; at < w; at += 4 * width, to += 4 * lanes) {
      const auto z = normals<T, Policy>(PhiloxWords<L>{
          load<L>(at), load<L>(at + width), load<L>(at + 2 * width), load<L>(at + 3 * width)});
      store(to, z[0]);
      store(to + lanes, z[1]);
      store(to + 2 * lanes, z[2]);
      store(to + 3 * lanes, z[3]);
    }
  }
}

/// The same draws as DrawnNormals, computed several blocks ahead. For a group of paths on the host.
template <class P, class Policy>
class BufferedNormals {
 public:
  /// `draws` is the total number of draws.
  BufferedNormals(PhiloxKey key, std::uint64_t first, Index draws)
      : key_(key), first_(first), blocks_((draws + normals_per_block - 1) / normals_per_block) {}

  /// Blocks must be read in order.
  Draws<P, normals_per_block> block(Index /*block*/) {
    if (cursor_ == end_) refill();
    const scalar_of<P>* z = cursor_;
    cursor_ += normals_per_block * lanes_of<P>;
    return {{load<P>(z), load<P>(z + lanes_of<P>), load<P>(z + 2 * lanes_of<P>),
             load<P>(z + 3 * lanes_of<P>)}};
  }
  P next() {
    if (cursor_ == end_) refill();
    const scalar_of<P>* z = cursor_;
    cursor_ += lanes_of<P>;
    return load<P>(z);
  }

 private:
  void refill() {
    const Index left = blocks_ - block_,
                count = left < buffered_philox_blocks ? left : buffered_philox_blocks;
    fill_normals<P, Policy>(key_, first_, 1, block_, count, z_);
    block_ += count;
    cursor_ = z_;
    end_ = z_ + count * normals_per_block * lanes_of<P>;
  }

  PhiloxKey key_;
  std::uint64_t first_;
  Index blocks_, block_ = 0;
  const scalar_of<P>*cursor_ = nullptr, *end_ = nullptr;
  alignas(64) scalar_of<P> z_[buffered_philox_blocks * normals_per_block * lanes_of<P>];
};
#endif

/// The source of normals of a group of lanes_of<P> paths.
#if defined(__CUDACC__)
template <class P, class Policy>
using PathNormals = DrawnNormals<P, Policy>;
#else
template <class P, class Policy>
using PathNormals =
    std::conditional_t<lanes_of<P> == 1, DrawnNormals<P, Policy>, BufferedNormals<P, Policy>>;
#endif

/// Fills data[d * stride] with draws d = 0 … draws - 1 of the group of samples from `sample` on.
template <class Policy, class P, class T>
GSIM_HD void store_drawn_normals(PhiloxKey key, std::uint64_t sample, Index draws, T* data,
                                 Index stride) {
  PathNormals<P, Policy> drawn(key, sample, draws);
  for (Index d = 0; d < draws; ++d) store(data + d * stride, drawn.next());
}

/// The same for a group of a nested simulation, with `factors` draws in each step.
template <class Policy, class P, class T>
GSIM_HD void store_branched_normals(const BranchTable& branches, PhiloxKey key,
                                    std::uint64_t sample, Index factors, Index draws, T* data,
                                    Index stride) {
  store_drawn_normals<Policy, P>(key, branches.inner(sample), draws, data, stride);
  const PathBranch& branch = branches.at(sample);
  DrawnNormals<T, Policy> outer(key, branch.outer, draws);
  for (Index d = 0; d < branch.steps * factors; ++d) store(data + d * stride, P(outer.next()));
}

/// Importance sampling: gives the group's normals z in memory the means mu by adding these, and
/// returns the logarithm of the likelihood ratio, -mu z - mu mu / 2 (Glasserman 2004, eq. 4.87).
/// `constant` is the last term plus all other terms that are the same for all paths.
template <class P, class T>
GSIM_HD P tilt_normals(const T* tilt, T constant, Index draws, T* data, Index stride) {
  P sum(T(0));
  for (Index d = 0; d < draws; ++d) {
    const P mu(tilt[d]), z = load<P>(data + d * stride);
    sum = fma(mu, z, sum);
    store(data + d * stride, z + mu);
  }
  return P(constant) - sum;
}

/// Normals prepared in memory (Sobol points, tilted normals): draw d of the group is at data[d *
/// stride].
template <class P>
class StoredNormals {
 public:
  using T = scalar_of<P>;
  StoredNormals() = default;
  GSIM_HD StoredNormals(const T* data, Index stride, Index draws)
      : data_(data), stride_(stride), draws_(draws) {}

  GSIM_HD Draws<P, normals_per_block> block(Index block) const {
    Draws<P, normals_per_block> z;
    GSIM_UNROLL
    for (int j = 0; j < normals_per_block; ++j) {
      const Index d = block * normals_per_block + j;
      z.value[j] = load<P>(data_ + (d < draws_ ? d : draws_ - 1) * stride_);
    }
    return z;
  }
  GSIM_HD P next() { return load<P>(data_ + draw_++ * stride_); }

 private:
  const T* data_ = nullptr;
  Index stride_ = 0, draws_ = 0, draw_ = 0;
};

}  // namespace pricing_kernels
GSIM_TARGET_END
