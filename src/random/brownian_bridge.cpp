#include "gsim/random/brownian_bridge.hpp"

#include <cmath>
#include <string>

#include "gsim/core/error.hpp"

namespace gsim {

BridgeOrder bridge_order(Index steps) {
  GSIM_VALIDATE(steps >= 1 && steps < Index{1} << 31,
                "a Brownian bridge over " + std::to_string(steps) + " steps is requested",
                "use between 1 and 2^31 - 1 time steps");
  BridgeOrder order;
  const auto n = static_cast<std::int32_t>(steps);
  const auto add = [&](std::int32_t left, std::int32_t right, std::int32_t middle) {
    order.left.push_back(left);
    order.right.push_back(right);
    order.middle.push_back(middle);
  };
  add(0, 0, n);
  struct Interval {
    std::int32_t left, right;
  };
  std::vector<Interval> queue{
      {0, n}};  // breadth first: intervals are appended during the iteration
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Interval interval = queue[i];
    if (interval.right - interval.left < 2) continue;
    const std::int32_t middle = interval.left + (interval.right - interval.left) / 2;
    add(interval.left, interval.right, middle);
    queue.push_back({interval.left, middle});
    queue.push_back({middle, interval.right});
  }
  return order;
}

BridgeWeights bridge_weights(const BridgeOrder& order, const std::vector<double>& times) {
  GSIM_VALIDATE(static_cast<Index>(times.size()) == order.steps(),
                "a Brownian bridge over " + std::to_string(order.steps()) + " steps got " +
                    std::to_string(times.size()) + " times",
                "give one time per step");
  double last = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    GSIM_VALIDATE(std::isfinite(times[i]) && times[i] >= last,
                  "time " + std::to_string(i) + " of a Brownian bridge is " +
                      std::to_string(times[i]) + ", after " + std::to_string(last),
                  "give finite, non-decreasing times of at least 0");
    last = times[i];
  }
  const auto time = [&](std::int32_t point) { return point == 0 ? 0.0 : times[point - 1]; };
  BridgeWeights w;
  for (Index k = 0; k < order.steps(); ++k) {
    const double l = time(order.left[k]), r = time(order.right[k]), m = time(order.middle[k]);
    const double length = r - l;
    if (k == 0) {
      w.left.push_back(0);
      w.right.push_back(0);
      w.sd.push_back(std::sqrt(m));
    } else if (length > 0) {
      w.left.push_back((r - m) / length);
      w.right.push_back((m - l) / length);
      w.sd.push_back(std::sqrt((m - l) * ((r - m) / length)));
    } else {  // the interval has length 0
      w.left.push_back(1);
      w.right.push_back(0);
      w.sd.push_back(0);
    }
  }
  return w;
}

}  // namespace gsim
