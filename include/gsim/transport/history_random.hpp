#pragma once
// The random numbers of one particle: a stream that is a pure function of (seed, history, branch),
// so that a particle may be put down and taken up again on any rank, thread or machine.
//
//   key    = stream_key(seed, Purpose::transport_history)
//   entity = history, step = branch (40 bits), block 0, 1, 2, …; each block gives two uniform
//   doubles
//
// Branch 0 is the source particle. A particle that another one makes gets a branch by hashing its
// parent's place in its stream and its number there, so that draws follow from lineage alone. Two
// of n branches of one history are the same with probability n^2 / 2^41: 5e-7 for a thousand.
//
// Everything that a history decides takes whole doubles. On the host they are made four blocks at a
// time, in the lanes of vector registers; on a device one block at a time. The numbers are the
// same.

#include <cstdint>

#include "gsim/math/pack.hpp"
#include "gsim/random/philox.hpp"
#include "gsim/random/purposes.hpp"
#include "gsim/random/stream.hpp"
#include "gsim/random/uniform.hpp"
#include "gsim/transport/vector3.hpp"

namespace gsim::transport {

/// Where a particle's stream stands: what a particle carries, and all that is needed to go on.
struct RandomState {
  std::uint64_t history = 0;
  std::uint64_t position = 0;  ///< branch * 2^24 + doubles drawn
  friend constexpr bool operator==(const RandomState&, const RandomState&) = default;
};

}  // namespace gsim::transport

GSIM_TARGET_BEGIN
namespace transport_kernels {

class HistoryRandom {
 public:
  static constexpr int draw_bits = 24;  ///< of a position: doubles drawn in its branch
#if defined(__CUDACC__)
  static constexpr int block_lanes = 1;
#else
  static constexpr int block_lanes = 4;  ///< blocks that are made at once
#endif
  static constexpr int buffered = 2 * block_lanes;

  /// The stream of `state` under stream_key(seed, Purpose::transport_history).
  GSIM_HD HistoryRandom(PhiloxKey key, transport::RandomState state)
      : history_(state.history), position_(state.position), key_(key) {
    if (position_ % buffered != 0) fill();  // the buffer was used up in part
  }
  /// The source particle of a history.
  GSIM_HD HistoryRandom(PhiloxKey key, std::uint64_t history)
      : HistoryRandom(key, transport::RandomState{history, 0}) {}

  /// The next number of the stream, uniform in (0, 1): an odd multiple of 2^-53.
  GSIM_HD double uniform() {
    const auto place = static_cast<int>(position_ % buffered);
    if (place == 0) fill();
    const double u = buffer_[place];
    // A branch that has given all its 2^24 doubles goes on as another one.
    if ((++position_ & draw_mask) == 0) position_ = hashed(position_ - 1, 0);
    return u;
  }
  /// 32 random bits: the first ones of the next double.
  GSIM_HD std::uint32_t word() {
    return static_cast<std::uint32_t>(bit_cast_to<std::uint64_t>(uniform() + 1.0) >> 20);
  }

  /// What names the particle among those of its history.
  GSIM_HD std::uint64_t branch() const { return position_ >> draw_bits; }
  /// What continues this stream.
  GSIM_HD transport::RandomState state() const { return {history_, position_}; }
  /// The stream of the particle number `number` (from 0) that is made here; numbers count anew with
  /// every draw.
  GSIM_HD transport::RandomState child(std::uint32_t number) const {
    return {history_, hashed(position_, std::uint64_t{number} + 1)};
  }

 private:
  static constexpr std::uint64_t draw_mask = (std::uint64_t{1} << draw_bits) - 1;

  /// The beginning of a branch: 40 bits of a hash (Philox under a key of its own), never branch 0.
  static GSIM_TRANSPORT_CALLED std::uint64_t hashed(std::uint64_t position, std::uint64_t number) {
    using Words = PhiloxWords<std::uint64_t>;
    const Words w = philox4x32_10(Words{position, position >> 32, number, number >> 32},
                                  PhiloxKey{0x62726e63u, 0x68617368u});
    const std::uint64_t branch = ((w.x0 << 32) | (w.x1 & 0xffffffffu)) & ~draw_mask;
    return branch != 0 ? branch : draw_mask + 1;
  }

  GSIM_TRANSPORT_CALLED void fill() {
    using Lanes = wide_words;
    const std::uint64_t branch = position_ >> draw_bits;
    const std::uint64_t block = (position_ & draw_mask) / buffered * block_lanes;
    const Lanes place = Lanes(branch << 24 | block) + lane_index<Lanes>();
    const auto doubles = uniforms<double>(philox4x32_10(
        PhiloxWords<Lanes>{place, Lanes(branch >> 8), Lanes(history_), Lanes(history_ >> 32)},
        key_));
    keep(doubles[0], doubles[1]);
  }
#if defined(__CUDACC__)
  using wide_words = std::uint64_t;
  GSIM_HD void keep(double first, double second) {
    buffer_[0] = first;
    buffer_[1] = second;
  }
  double buffer_[buffered];
#else
  using wide_words = Pack<std::uint64_t, block_lanes>;
  template <class R>
  GSIM_HD void keep(R first, R second) {
    double even[block_lanes], odd[block_lanes];
    store(even, first);
    store(odd, second);
    for (int i = 0; i < block_lanes; ++i) {
      buffer_[2 * i] = even[i];
      buffer_[2 * i + 1] = odd[i];
    }
  }
  alignas(64) double buffer_[buffered];
#endif
  std::uint64_t history_, position_;
  PhiloxKey key_;
};

}  // namespace transport_kernels
GSIM_TARGET_END
