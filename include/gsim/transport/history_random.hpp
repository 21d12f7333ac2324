#pragma once
// The random number stream of a particle, a pure function of (seed, history, branch), so that the
// transport of a particle can continue on any rank, thread or machine.
//
//   key    = stream_key(seed, Purpose::transport_history)
//   entity = history, step = branch (40 bits), block 0, 1, 2, …; each block gives two uniform
//   doubles
//
// Branch 0 is the source particle. The branch of a secondary is a hash of the position in its
// parent's stream and of its index among the secondaries produced at that position, so that random
// numbers depend only on the particle's ancestry. Among n branches of one history, two coincide
// with the probability n^2 / 2^41: 5e-7 for a thousand.
//
// Every sample consumes a whole number of doubles. On the host four blocks are generated at a time,
// in the lanes of vector registers, and their doubles are kept. On a device the block of a double
// is generated for each double: the other double of the block would need registers, and some lane
// of a warp would nearly always need a new block. The numbers are the same.

#include <cstdint>

#include "gsim/math/pack.hpp"
#include "gsim/random/philox.hpp"
#include "gsim/random/purposes.hpp"
#include "gsim/random/stream.hpp"
#include "gsim/random/uniform.hpp"
#include "gsim/transport/noinline.hpp"

namespace gsim::transport {

/// The state of the random number stream of a particle.
struct RandomState {
  std::uint64_t history = 0;
  std::uint64_t position = 0;  ///< branch * 2^24 + doubles drawn
  friend constexpr bool operator==(const RandomState&, const RandomState&) = default;
};

}  // namespace gsim::transport

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Bits of a position that count doubles in the branch.
inline constexpr int history_draw_bits = 24;
inline constexpr std::uint64_t history_draw_mask = (std::uint64_t{1} << history_draw_bits) - 1;

/// The numbers of the block that contains a position of the stream of a history: at the even
/// position, and at the odd one behind it. L is std::uint64_t or a pack of it.
template <class L>
GSIM_HD Draws<rebind<L, double>, 2> history_numbers(L history, L position, PhiloxKey key) {
  const L branch = position >> history_draw_bits;
  const L counter = (branch << 24) | ((position & L(history_draw_mask)) >> 1);
  return uniforms<double>(
      philox4x32_10(PhiloxWords<L>{counter, branch >> 8, history, history >> 32}, key));
}

class HistoryRandom {
 public:
  static constexpr int draw_bits = history_draw_bits;

  /// The stream of `state` under stream_key(seed, Purpose::transport_history).
  GSIM_HD HistoryRandom(PhiloxKey key, transport::RandomState state)
      : history_(state.history), position_(state.position), key_(key) {
#if !defined(__CUDACC__)
    first_ = position_ + 1;  // the buffer is filled when a number is drawn
#endif
  }
  /// The stream of the source particle of a history.
  GSIM_HD HistoryRandom(PhiloxKey key, std::uint64_t history)
      : HistoryRandom(key, transport::RandomState{history, 0}) {}

  /// The next number of the stream, uniform in (0, 1): an odd multiple of 2^-53.
  GSIM_HD double uniform() {
#if defined(__CUDACC__)
    // Otherwise the keys of all rounds would be kept in registers.
    const PhiloxKey key{converged(key_.k0), converged(key_.k1)};
    const auto doubles = history_numbers(history_, position_, key);
    const double u = (position_ & 1) == 0 ? doubles[0] : doubles[1];
#else
    if (position_ - first_ >= buffered) fill();
    const double u = buffer_[position_ - first_];
#endif
    // After the 2^24 doubles of a branch, the stream continues in another branch.
    if ((++position_ & draw_mask) == 0) position_ = hashed(position_ - 1, 0);
    return u;
  }
  /// 32 random bits: the leading ones of the next double.
  GSIM_HD std::uint32_t word() {
    return static_cast<std::uint32_t>(bit_cast_to<std::uint64_t>(uniform() + 1.0) >> 20);
  }

  /// The branch, which identifies the particle within its history.
  GSIM_HD std::uint64_t branch() const { return position_ >> draw_bits; }
  /// The state from which this stream continues.
  GSIM_HD transport::RandomState state() const { return {history_, position_}; }
  /// The stream of secondary `number` (from 0) that is produced at this position of the stream.
  GSIM_HD transport::RandomState child(std::uint32_t number) const {
    return {history_, hashed(position_, std::uint64_t{number} + 1)};
  }

 private:
  static constexpr std::uint64_t draw_mask = history_draw_mask;

  /// The first position of a branch: 40 bits of a hash (Philox with another key), never branch 0.
  static GSIM_TRANSPORT_NOINLINE std::uint64_t hashed(std::uint64_t position,
                                                      std::uint64_t number) {
    using Words = PhiloxWords<std::uint64_t>;
    const Words w = philox4x32_10(Words{position, position >> 32, number, number >> 32},
                                  PhiloxKey{0x62726e63u, 0x68617368u});  // "brnc", "hash"
    const std::uint64_t branch = ((w.x0 << 32) | (w.x1 & 0xffffffffu)) & ~draw_mask;
    return branch != 0 ? branch : draw_mask + 1;
  }

#if !defined(__CUDACC__)
  static constexpr int block_lanes = 4;  ///< blocks that are generated at once
  static constexpr std::uint64_t buffered = 2 * block_lanes;

  GSIM_TRANSPORT_NOINLINE void fill() {
    using Lanes = Pack<std::uint64_t, block_lanes>;
    first_ = position_ & ~(buffered - 1);
    const Lanes lane = lane_index<Lanes>();
    const auto doubles = history_numbers(Lanes(history_), Lanes(first_) + (lane + lane), key_);
    store_block(doubles[0], doubles[1]);
  }
  template <class R>
  GSIM_HD void store_block(R first, R second) {
    double even[block_lanes], odd[block_lanes];
    store(even, first);
    store(odd, second);
    for (int i = 0; i < block_lanes; ++i) {
      buffer_[2 * i] = even[i];
      buffer_[2 * i + 1] = odd[i];
    }
  }
  alignas(64) double buffer_[buffered];
  std::uint64_t first_;  ///< position of the first number of the buffer
#endif
  std::uint64_t history_, position_;
  PhiloxKey key_;
};

}  // namespace transport_kernels
GSIM_TARGET_END
