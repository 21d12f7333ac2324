#pragma once
// Who owns which part of the box: one brick a rank, made by cutting the box in two, and the halves
// again, for any number of ranks.

#include <array>
#include <cstdint>
#include <vector>

#include "gsim/core/fixed_position.hpp"
#include "gsim/domain/box.hpp"

namespace gsim {

/// Bricks are cut at multiples of 2^-32 of each axis's integer range: the upper half of a
/// FixedPosition's coordinate.
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

/// The bricks of all ranks: disjoint, and together the whole range (on open axes the outer ones
/// reach to its ends). Results never depend on it.
class Decomposition {
 public:
  /// One cut: positions below `cut` on `axis` go to child `below`, others to `above`. A child is
  /// another node's number, or ~rank.
  struct Node {
    int axis = 0;
    std::uint32_t cut = 0;
    int below = 0, above = 0;
    friend bool operator==(const Node&, const Node&) = default;
  };

  /// Equal volumes inside the box, always cut across the brick's longest side (measured by
  /// Box::width), so that 8 ranks of a cube get 2 x 2 x 2. InputError unless ranks >= 1.
  Decomposition(const Box& box, int ranks);
  /// From cuts made elsewhere (domain/load_balancer.hpp); nodes[0] is the root, `ranks` - 1 nodes.
  /// Error unless every rank gets exactly one brick, of at least one unit.
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

  /// The axis across which `brick` is longest inside the box, of those with two units or more.
  static int longest_axis(const Box& box, const Brick& brick);

 private:
  int cut_evenly(const Box& box, const Brick& brick, int first, int last);
  std::vector<Node> nodes_;
  std::vector<Brick> bricks_;
};

}  // namespace gsim
