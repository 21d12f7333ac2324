#pragma once
// Domain decomposition of the box by recursive bisection: one brick per rank, for any number of
// ranks.

#include <array>
#include <cstdint>
#include <vector>

#include "gsim/core/fixed_position.hpp"
#include "gsim/domain/box.hpp"

namespace gsim {

/// Coordinates of cuts: bricks are cut at multiples of 2^-32 of each axis's integer range, which
/// are called units. The cut coordinate of a position is the upper 32 bits of its 64.
constexpr std::uint64_t cut_range = std::uint64_t{1} << 32;
constexpr std::uint32_t cut_coordinate(std::uint64_t x) {
  return static_cast<std::uint32_t>(x >> 32);
}

/// The positions with lo[a] <= cut_coordinate(x[a]) < hi[a] on every axis.
struct Brick {
  std::array<std::uint64_t, 3> lo{0, 0, 0};
  std::array<std::uint64_t, 3> hi{cut_range, cut_range, cut_range};

  bool contains(const FixedPosition& p) const {
    bool inside = true;
    for (std::size_t a = 0; a < 3; ++a) {
      const std::uint32_t x = cut_coordinate(p.x[a]);
      inside = inside && lo[a] <= x && x < hi[a];
    }
    return inside;
  }
  friend bool operator==(const Brick&, const Brick&) = default;
};

/// The bricks of all ranks: disjoint, and together the whole range (along open axes the outer
/// bricks extend to its ends). Results never depend on the decomposition.
class Decomposition {
 public:
  /// One cut: positions below `cut` on `axis` belong to child `below`, others to `above`. A child
  /// is the index of another node, or ~rank.
  struct Node {
    int axis = 0;
    std::uint32_t cut = 0;
    int below = 0, above = 0;
    friend bool operator==(const Node&, const Node&) = default;
  };

  /// Divides the box into equal volumes, always cutting the longest side of a brick (measured by
  /// Box::width), so that 8 ranks of a cube get 2 x 2 x 2 bricks. InputError unless ranks >= 1.
  Decomposition(const Box& box, int ranks);
  /// Uses given cuts (domain/load_balancer.hpp); nodes[0] is the root, and there are `ranks` - 1
  /// nodes. Error unless every rank gets exactly one brick, at least one unit long along each axis.
  Decomposition(int ranks, std::vector<Node> nodes);

  int ranks() const { return static_cast<int>(bricks_.size()); }
  const Brick& brick(int rank) const { return bricks_[static_cast<std::size_t>(rank)]; }
  const std::vector<Node>& nodes() const { return nodes_; }
  /// The rank whose brick contains the position.
  int owner(const FixedPosition& p) const {
    if (nodes_.empty()) return 0;
    int at = 0;
    do {
      const Node& node = nodes_[static_cast<std::size_t>(at)];
      at = cut_coordinate(p.x[node.axis]) < node.cut ? node.below : node.above;
    } while (at >= 0);
    return ~at;
  }

  friend bool operator==(const Decomposition&, const Decomposition&) = default;

  /// The axis along which the part of `brick` in the box is longest, among the axes along which
  /// `brick` is at least two units long, so that it can be cut.
  static int longest_axis(const Box& box, const Brick& brick);

 private:
  /// Cuts `brick` into bricks of equal volume for ranks [first, last), and appends the nodes.
  /// Returns the index of the first node, or ~first for a single rank.
  int cut_evenly(const Box& box, const Brick& brick, int first, int last);
  std::vector<Node> nodes_;
  std::vector<Brick> bricks_;
};

}  // namespace gsim
