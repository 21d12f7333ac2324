#pragma once
// The random number streams of several particles in the lanes of packs: the numbers are those of
// HistoryRandom.

#include "gsim/transport/history_random.hpp"

#if !defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// `blocks`: number of blocks of two numbers that are generated at a time, for each lane.
template <class R, int blocks>
class HistoryRandomLanes {
 public:
  using Words = rebind<R, std::uint64_t>;

  /// Upper bound of the draws in a branch up to a position (RandomState) from which lanes may begin
  /// an event: lanes do not continue in another branch. No event draws more than 64 numbers in
  /// lanes (CollisionLanes::most_neutrons).
  static constexpr std::uint64_t last_draw = history_draw_mask - 64;

  GSIM_HD HistoryRandomLanes(PhiloxKey key, Words history, Words position)
      : key_(key), history_(history), position_(position) {
    fill();
  }

  /// The next number of each lane; the lanes in `drawing` advance.
  GSIM_HD R uniform(mask_of<R> drawing) {
    if (left_ == 0) fill();
    --left_;
    const R u = waiting_[0];
    for (int i = 0; i + 1 < 2 * blocks; ++i)
      waiting_[i] = select(drawing, waiting_[i + 1], waiting_[i]);
    position_ = position_ + select(drawing, Words(1), Words(0));
    return u;
  }
  /// RandomState::position.
  GSIM_HD Words position() const { return position_; }
  /// Sets the position of one lane, from which it continues.
  GSIM_HD void set_position(int lane, std::uint64_t position) {
    std::uint64_t positions[lanes_of<R>];
    store(positions, position_);
    positions[lane] = position;
    position_ = load<Words>(positions);
    left_ = 0;
  }

 private:
  GSIM_HD void fill() {
    const Words odd = position_ & Words(1);
    const Words first = position_ - odd;
    for (int i = 0; i < blocks; ++i) {
      const auto numbers = history_numbers(history_, first + Words(2 * i), key_);
      waiting_[2 * i] = numbers[0];
      waiting_[2 * i + 1] = numbers[1];
    }
    const auto is_odd = odd != Words(0);
    for (int i = 0; i + 1 < 2 * blocks; ++i)
      waiting_[i] = select(is_odd, waiting_[i + 1], waiting_[i]);
    left_ = 2 * blocks - 1;
  }

  PhiloxKey key_;
  Words history_, position_;
  R waiting_[2 * blocks];  ///< the next numbers; the last one only where the position was even
  int left_ = 0;           ///< numbers that all lanes have
};

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
