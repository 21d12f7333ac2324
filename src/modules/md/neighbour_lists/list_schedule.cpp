#include "src/modules/md/neighbour_lists/list_schedule.hpp"

#include <algorithm>
#include <cmath>

namespace gsim::md {

double ListSchedule::choose(double max_reach, double extent) const {
  if (max_reach <= 0) return max_reach;
  const double best =
      move_per_step_ > 0
          ? std::max(std::sqrt(ratio_ * shortening_ * move_per_step_ * (cutoff_ + extent) / 6),
                     move_per_step_)
          : max_reach / 4;
  return max_reach / std::max(1.0, std::round(max_reach / best));
}

bool ListSchedule::pays(double reach, double skin, double extent) const {
  const double ratio = (cutoff_ + 2 * reach + extent) / (cutoff_ + skin + extent);
  const double steps = move_per_step_ > 0 ? std::max(1.0, reach / move_per_step_) : 1;
  return steps * (1 - ratio * ratio * ratio) > ratio_;
}

void ListSchedule::shortened(Index all, Index near) {
  shortening_ = near > 0 ? static_cast<double>(all) / static_cast<double>(near) : 1;
  age_ = 0;
}

}  // namespace gsim::md
