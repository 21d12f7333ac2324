#include "gsim/domain/load_balancer.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace gsim {
namespace {

constexpr std::uint64_t bins = 2048;  // of the histogram that locates a cut

/// A brick that will be cut further, for ranks [first, last).
struct Part {
  int first, last;
  Brick brick;
  int node;  // index of its cut in nodes_
  int axis;
  // The cut is in [lo, hi]; below_lo is the weight below lo, total the weight of the brick, and
  // required the weight below the cut with which all ranks have equal work per unit of speed.
  std::uint64_t lo, hi;
  std::int64_t below_lo = 0, total = 0, required = 0;
};

std::uint64_t bin_width(const Part& part) { return (part.hi - part.lo + bins - 1) / bins; }

class Bisection {
 public:
  Bisection(const Communicator& communicator, const Box& box,
            std::span<const FixedPosition> positions, std::span<const std::int64_t> weights,
            std::vector<double> speeds)
      : communicator_(communicator),
        box_(box),
        positions_(positions),
        weights_(weights),
        speeds_(std::move(speeds)),
        part_of_(positions.size(), 0) {}

  Decomposition run() {
    const int ranks = static_cast<int>(speeds_.size());
    if (ranks > 1) parts_.push_back(make_part(0, ranks, Brick{}));
    while (!parts_.empty()) {
      while (std::any_of(parts_.begin(), parts_.end(), [](const Part& p) { return p.hi > p.lo; }))
        refine();
      divide();
    }
    return Decomposition(ranks, std::move(nodes_));
  }

 private:
  std::int64_t weight(std::size_t i) const { return weights_.empty() ? 1 : weights_[i]; }
  double speed(int first, int last) const {
    double sum = 0;
    for (int r = first; r < last; ++r) sum += speeds_[static_cast<std::size_t>(r)];
    return sum;
  }

  /// Adds a node for the cut of `brick`, and returns the part to be cut.
  Part make_part(int first, int last, const Brick& brick) {
    const int axis = Decomposition::longest_axis(box_, brick);
    const auto a = static_cast<std::size_t>(axis);
    nodes_.push_back({axis, 0, 0, 0});
    return {first, last,        brick,      static_cast<int>(nodes_.size()) - 1,
            axis,  brick.lo[a], brick.hi[a]};
  }

  /// Narrows the interval of every part to one bin of the histogram of weights.
  void refine() {
    std::vector<std::int64_t> histogram(parts_.size() * bins);
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      if (part_of_[i] < 0) continue;
      const Part& part = parts_[static_cast<std::size_t>(part_of_[i])];
      const std::uint64_t x = cut_coordinate(positions_[i].x[part.axis]);
      if (x < part.lo || x >= part.hi) continue;
      const std::uint64_t bin = (x - part.lo) / bin_width(part);
      histogram[static_cast<std::size_t>(part_of_[i]) * bins + bin] += weight(i);
    }
    communicator_.backend().allreduce(histogram, ReduceOp::sum);
    for (std::size_t p = 0; p < parts_.size(); ++p)
      narrow(parts_[p], std::span(histogram).subspan(p * bins, bins));
  }

  void narrow(Part& part, std::span<const std::int64_t> histogram) {
    if (part.hi == part.lo) return;
    const auto a = static_cast<std::size_t>(part.axis);
    if (part.lo == part.brick.lo[a] && part.hi == part.brick.hi[a]) {
      for (const std::int64_t w : histogram) part.total += w;
      const double share = speed(part.first, middle_rank(part)) / speed(part.first, part.last);
      part.required = static_cast<std::int64_t>(static_cast<double>(part.total) * share);
    }
    const std::uint64_t width = bin_width(part), end = part.hi;
    if (part.total == 0) {  // no weight: cut in the middle
      part.lo = part.hi = part.lo + (end - part.lo) / 2;
      return;
    }
    std::size_t bin = 0;
    while (bin + 1 < bins && part.lo + width * (bin + 1) < end &&
           part.below_lo + histogram[bin] <= part.required)
      part.below_lo += histogram[bin++];
    part.lo += width * bin;
    part.hi = width == 1 ? part.lo : std::min(part.lo + width, end);
  }

  /// The first rank above the cut.
  static int middle_rank(const Part& part) { return part.first + (part.last - part.first) / 2; }

  /// Writes the cuts to the nodes, and replaces each part by those on both sides of its cut.
  void divide() {
    std::vector<Part> next;
    // For each of parts_ the indices in `next` of the two parts it is divided into; -1: a finished
    // brick.
    std::vector<std::array<int, 2>> children;
    for (const Part& part : parts_) {
      const auto a = static_cast<std::size_t>(part.axis);
      const std::uint64_t cut = std::clamp(part.lo, part.brick.lo[a] + 1, part.brick.hi[a] - 1);
      Brick lower = part.brick, upper = part.brick;
      lower.hi[a] = upper.lo[a] = cut;
      const auto child = [&](int first, int last, const Brick& brick, int& link) {
        if (last - first == 1) {
          link = ~first;  // a rank, as in Decomposition::Node
          return -1;
        }
        next.push_back(make_part(first, last, brick));
        link = next.back().node;
        return static_cast<int>(next.size()) - 1;
      };
      int below = 0, above = 0;
      const int first = child(part.first, middle_rank(part), lower, below);
      const int second = child(middle_rank(part), part.last, upper, above);
      children.push_back({first, second});
      nodes_[static_cast<std::size_t>(part.node)] = {part.axis, static_cast<std::uint32_t>(cut),
                                                     below, above};
    }
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      if (part_of_[i] < 0) continue;
      const auto p = static_cast<std::size_t>(part_of_[i]);
      const auto& node = nodes_[static_cast<std::size_t>(parts_[p].node)];
      part_of_[i] = children[p][cut_coordinate(positions_[i].x[node.axis]) < node.cut ? 0 : 1];
    }
    parts_ = std::move(next);
  }

  const Communicator& communicator_;
  const Box& box_;
  std::span<const FixedPosition> positions_;
  std::span<const std::int64_t> weights_;
  std::vector<double> speeds_;
  std::vector<int> part_of_;  // by particle; -1: in a finished brick
  std::vector<Part> parts_;
  std::vector<Decomposition::Node> nodes_;
};

}  // namespace

Decomposition balanced_decomposition(const Communicator& communicator, const Box& box,
                                     std::span<const FixedPosition> positions,
                                     std::span<const std::int64_t> weights, double speed) {
  communicator.agree([&] {
    if (!weights.empty() && weights.size() != positions.size())
      throw Error("internal error: " + std::to_string(weights.size()) + " weights for " +
                  std::to_string(positions.size()) + " particles; please report it");
    GSIM_VALIDATE(std::all_of(weights.begin(), weights.end(), [](auto w) { return w >= 0; }),
                  "a particle's weight is negative", "give the cost of its work, 0 or more");
    GSIM_VALIDATE(std::isfinite(speed) && speed > 0, "a rank's speed is " + std::to_string(speed),
                  "give a positive number");
  });
  const double mine[] = {speed};
  return Bisection(communicator, box, positions, weights,
                   communicator.allgather(std::span<const double>(mine)))
      .run();
}

Decomposition balanced_decomposition(const Box& box, std::span<const FixedPosition> positions,
                                     int ranks) {
  GSIM_EXPECT(ranks >= 1);
  return Bisection(Communicator::self(), box, positions, {},
                   std::vector<double>(static_cast<std::size_t>(ranks), 1.0))
      .run();
}

double imbalance(const Communicator& communicator, double load) {
  const auto all = communicator.allgather(std::span<const double>(&load, 1));
  double sum = 0;
  for (const double l : all) sum += l;
  return sum > 0 ? *std::max_element(all.begin(), all.end()) * static_cast<double>(all.size()) / sum
                 : 1.0;
}

void SpeedMeter::end_interval(Index steps) {
  if (steps > 0 && seconds_ > 0) seconds_per_step_.push_back(seconds_ / static_cast<double>(steps));
  seconds_ = 0;
}

double SpeedMeter::speed(const Communicator& communicator, double work) {
  auto& samples = seconds_per_step_;
  if (!samples.empty() && work > 0) {
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    const double current = work / *middle;
    speed_ = speed_ > 0 ? 0.5 * (speed_ + current) : current;
  }
  samples.clear();
  double sum = 0;
  int known = 0;
  for (const double s : communicator.allgather(std::span<const double>(&speed_, 1)))
    if (s > 0) {
      sum += s;
      ++known;
    }
  return speed_ > 0 ? speed_ : (known > 0 ? sum / known : 1);
}

}  // namespace gsim
