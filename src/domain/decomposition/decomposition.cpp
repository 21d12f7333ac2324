#include "gsim/domain/decomposition.hpp"

#include <algorithm>
#include <string>

#include "gsim/core/error.hpp"

namespace gsim {
namespace {

/// The range of cut coordinates (Brick) along one axis that lies inside the box: all of cut_range
/// if the axis is periodic, its middle quarter if it is open.
struct AxisRange {
  std::uint64_t lo, hi;
};
AxisRange range_inside(const Box& box, int axis) {
  if (box.boundary(axis) == Boundary::periodic) return {0, cut_range};
  return {cut_range / 8 * 3, cut_range / 8 * 5};
}

AxisRange range_inside(const Box& box, int axis, const Brick& brick) {
  const AxisRange box_range = range_inside(box, axis);
  const auto a = static_cast<std::size_t>(axis);
  const std::uint64_t lo = std::max(brick.lo[a], box_range.lo),
                      hi = std::min(brick.hi[a], box_range.hi);
  return {lo, std::max(lo, hi)};
}

[[noreturn]] void throw_broken(const char* what) {
  throw Error(std::string("internal error: a decomposition ") + what + "; please report it");
}

}  // namespace

int Decomposition::longest_axis(const Box& box, const Brick& brick) {
  int longest = -1;
  double length = -1;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    if (brick.hi[a] - brick.lo[a] < 2) continue;  // cannot be cut
    const AxisRange part = range_inside(box, axis, brick);
    const double part_length =
        static_cast<double>(part.hi - part.lo) * box.width(axis) / box.range_fraction(axis);
    if (part_length > length) {
      longest = axis;
      length = part_length;
    }
  }
  if (longest < 0) throw_broken("has a brick that is too small to be cut");
  return longest;
}

int Decomposition::cut_evenly(const Box& box, const Brick& brick, int first, int last) {
  if (last - first == 1) {
    bricks_[static_cast<std::size_t>(first)] = brick;
    return ~first;
  }
  const int below = (last - first) / 2;
  const int axis = longest_axis(box, brick);
  const auto a = static_cast<std::size_t>(axis);
  AxisRange part = range_inside(box, axis, brick);
  if (part.hi - part.lo < 2) part = {brick.lo[a], brick.hi[a]};  // outside an open box
  const auto ranks = static_cast<std::uint64_t>(last - first);
  const std::uint64_t length = part.hi - part.lo;  // < 2^33, so the product fits
  const std::uint64_t cut = std::clamp(part.lo + length * static_cast<std::uint64_t>(below) / ranks,
                                       brick.lo[a] + 1, brick.hi[a] - 1);
  const auto at = nodes_.size();
  nodes_.push_back({axis, static_cast<std::uint32_t>(cut), 0, 0});
  Brick lower = brick, upper = brick;
  lower.hi[a] = upper.lo[a] = cut;
  const int lower_child = cut_evenly(box, lower, first, first + below);
  const int upper_child = cut_evenly(box, upper, first + below, last);
  nodes_[at].below = lower_child;
  nodes_[at].above = upper_child;
  return static_cast<int>(at);
}

Decomposition::Decomposition(const Box& box, int ranks) {
  GSIM_VALIDATE(ranks >= 1, "a box cannot be divided among " + std::to_string(ranks) + " ranks",
                "use 1 or more");
  bricks_.resize(static_cast<std::size_t>(ranks));
  cut_evenly(box, Brick{}, 0, ranks);
}

Decomposition::Decomposition(int ranks, std::vector<Node> nodes) : nodes_(std::move(nodes)) {
  if (ranks < 1 || nodes_.size() != static_cast<std::size_t>(ranks) - 1)
    throw_broken("does not have one cut less than ranks");
  bricks_.resize(static_cast<std::size_t>(ranks));
  std::vector<bool> has_brick(static_cast<std::size_t>(ranks)), used(nodes_.size());
  struct Part {
    int child;
    Brick brick;
  };
  std::vector<Part> parts{{nodes_.empty() ? ~0 : 0, Brick{}}};
  while (!parts.empty()) {
    const Part part = parts.back();
    parts.pop_back();
    if (part.child < 0) {
      const int leaf = ~part.child;
      const auto rank = static_cast<std::size_t>(leaf);
      if (rank >= has_brick.size() || has_brick[rank])
        throw_broken("gives a rank two bricks, or none");
      has_brick[rank] = true;
      bricks_[rank] = part.brick;
      continue;
    }
    const auto at = static_cast<std::size_t>(part.child);
    if (at >= nodes_.size() || used[at]) throw_broken("has a cut that leads to itself");
    used[at] = true;
    const Node& node = nodes_[at];
    if (node.axis < 0 || node.axis > 2) throw_broken("has a cut on an axis that does not exist");
    const auto a = static_cast<std::size_t>(node.axis);
    if (node.cut <= part.brick.lo[a] || node.cut >= part.brick.hi[a])
      throw_broken("has a cut outside its brick");
    Part lower{node.below, part.brick}, upper{node.above, part.brick};
    lower.brick.hi[a] = upper.brick.lo[a] = node.cut;
    parts.push_back(lower);
    parts.push_back(upper);
  }
}

}  // namespace gsim
