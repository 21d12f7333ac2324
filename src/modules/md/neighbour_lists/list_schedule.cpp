#include "src/modules/md/neighbour_lists/list_schedule.hpp"

#include <algorithm>
#include <cmath>

namespace gsim::md {

double ListSchedule::choose_reach(double max_reach, double extent) const {
  if (max_reach <= 0) return max_reach;
  const double best =
      move_per_step_ > 0
          ? std::max(std::sqrt(ratio_ * shortening_ * move_per_step_ * (cutoff_ + extent) / 6),
                     move_per_step_)
          : max_reach / 4;  // no displacement is known yet
  return max_reach / std::max(1.0, std::round(max_reach / best));
}

bool ListSchedule::saves_time(double reach, double skin, double extent) const {
  const double ratio = (cutoff_ + 2 * reach + extent) / (cutoff_ + skin + extent);
  const double steps = move_per_step_ > 0 ? std::max(1.0, reach / move_per_step_) : 1;
  return steps * (1 - ratio * ratio * ratio) > ratio_;
}

void ListSchedule::record_shortening(Index long_pairs, Index short_pairs) {
  shortening_ =
      short_pairs > 0 ? static_cast<double>(long_pairs) / static_cast<double>(short_pairs) : 1;
  age_ = 0;
}

}  // namespace gsim::md
