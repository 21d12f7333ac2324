#include "slice_size.hpp"

#include <algorithm>

namespace gsim::engine {

void SliceSize::update(Index units, double seconds) {
  if (seconds <= 0) seconds = 1e-9;
  const double latest = static_cast<double>(units) / seconds;
  speed_ = speed_ > 0 ? 0.5 * speed_ + 0.5 * latest : latest;
  // The first slices give inaccurate speeds, so that slices grow step by step.
  max_next_ = std::max(
      max_next_,
      units < max_next_ ? max_next_ : (max_next_ <= (Index{1} << 58) ? 8 * max_next_ : max_next_));
}

Index SliceSize::next(double target, Index left) const {
  if (fixed_ > 0) return fixed_;
  const double units_in_target = std::min(speed_ * target, 9e17);  // fits in Index
  // Grains take their time one after another, also one that is not full.
  const Index grains =
      std::max<Index>(std::min(max_next_, static_cast<Index>(units_in_target)) / grain_, 1);
  const Index grains_left = left / grain_ + (left % grain_ != 0 ? 1 : 0);
  const bool reaches_evaluation = grains_left < grains + (grains + 1) / 2;
  return reaches_evaluation ? std::max(grains * grain_, left) : grains * grain_;
}

}  // namespace gsim::engine
