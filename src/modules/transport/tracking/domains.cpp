#include "src/modules/transport/tracking/domains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gsim/domain/load_balancer.hpp"

namespace gsim::transport {
namespace {

/// The position of a cut on its axis, cm; `cut` counts from 0 to cut_range along the box, whose
/// ends are at infinity.
double cut_position(const Box& box, std::size_t axis, std::uint64_t cut) {
  if (cut == 0) return -std::numeric_limits<double>::infinity();
  if (cut == cut_range) return std::numeric_limits<double>::infinity();
  FixedPosition position{};
  position.x[axis] = cut << 32;
  return box.to_cartesian(position)[axis];
}

}  // namespace

Box divided_box(const SampleBox& bounds) {
  // The length of an unbounded axis relative to the longest one: so short that no cut divides it.
  constexpr double negligible = 1e-6;
  double longest = 0;
  for (std::size_t a = 0; a < 3; ++a)
    if (std::isfinite(bounds.upper[a] - bounds.lower[a]))
      longest = std::max(longest, bounds.upper[a] - bounds.lower[a]);
  if (longest == 0) longest = 1;
  Vector3 origin, lengths;
  for (std::size_t a = 0; a < 3; ++a) {
    const double lower = bounds.lower[a], upper = bounds.upper[a];
    const bool is_bounded = std::isfinite(upper - lower);
    origin[a] = std::isfinite(lower) ? lower : std::isfinite(upper) ? upper : 0.0;
    lengths[a] = is_bounded ? upper - lower : negligible * longest;
  }
  using gsim::Boundary;
  return Box(origin, lengths, {}, {Boundary::open, Boundary::open, Boundary::open});
}

Decomposition decompose_evenly(const Box& box, std::span<const Vector3> positions, int ranks) {
  std::vector<FixedPosition> fixed;
  for (Vector3 x : positions) {
    // On unbounded axes the position has no effect.
    for (std::size_t a = 0; a < 3; ++a)
      x[a] = std::clamp(x[a], box.origin()[a], box.origin()[a] + box.lengths()[a]);
    ImageCount images{};
    fixed.push_back(box.to_fixed(x, images));
  }
  return balanced_decomposition(box, fixed, ranks);
}

Domains::Domains(const Box& box, const Decomposition& decomposition, const Executor& executor)
    : cuts_(executor, 0) {
  for (int r = 0; r < decomposition.ranks(); ++r) {
    const Brick& brick = decomposition.brick(r);
    SampleBox bounds;
    for (std::size_t a = 0; a < 3; ++a) {
      bounds.lower[a] = cut_position(box, a, brick.lo[a]);
      bounds.upper[a] = cut_position(box, a, brick.hi[a]);
    }
    bricks_.push_back(bounds);
  }
  std::vector<DomainCut> cuts;
  for (const Decomposition::Node& node : decomposition.nodes())
    cuts.push_back({cut_position(box, static_cast<std::size_t>(node.axis), node.cut), node.axis,
                    node.below, node.above});
  cuts_ = Array<DomainCut>(executor, std::span<const DomainCut>(cuts));
}

DomainView Domains::view(int rank) const {
  DomainView v;
  v.cuts = cuts_.view();
  v.rank = rank;
  const SampleBox& bounds = brick(rank);
  std::copy(bounds.lower.begin(), bounds.lower.end(), std::begin(v.lower));
  std::copy(bounds.upper.begin(), bounds.upper.end(), std::begin(v.upper));
  return v;
}

}  // namespace gsim::transport
