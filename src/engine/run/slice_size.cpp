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

Index SliceSize::next(double target) const {
  if (fixed_ > 0) return fixed_;
  if (speed_ <= 0) return grain_;
  const double units_in_target = std::min(speed_ * target, 9e17);  // fits in Index
  Index units = std::min(max_next_, static_cast<Index>(units_in_target));
  if (units > grain_) units -= units % grain_;
  return std::max<Index>(units, 1);
}

}  // namespace gsim::engine
