#include "src/modules/md/structures/random_packing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/cube_root.hpp"
#include "src/modules/md/structures/random_points.hpp"

namespace gsim::md {
namespace {

// The box is considered full after this number of rejected positions of one atom.
constexpr Index max_attempts = 20000;

/// The atoms in each cell of a grid whose cells are at least as wide as the distance.
class Cells {
 public:
  Cells(const Box& box, Index count, double distance) : box_(box), distance2_(distance * distance) {
    // Bounds the memory: at most about four cells for each atom.
    const double max_cells = cube_root(4.0 * static_cast<double>(count) + 64);
    for (int a = 0; a < 3; ++a) {
      const double fit = box.width(a) / box.range_fraction(a) / distance;
      cells_[a] = static_cast<std::uint64_t>(std::max(1.0, std::floor(std::min(fit, max_cells))));
    }
    first_.assign(cells_[0] * cells_[1] * cells_[2], -1);
  }

  bool is_free(const FixedPosition& p, const std::vector<FixedPosition>& placed) const {
    std::array<std::array<std::uint64_t, 3>, 3> near{};
    std::array<int, 3> near_count{};
    for (std::size_t a = 0; a < 3; ++a) {
      const std::uint64_t centre = cell(a, p), n = cells_[a];
      for (const std::uint64_t c : {centre, (centre + 1) % n, (centre + n - 1) % n})
        if (std::find(near[a].begin(), near[a].begin() + near_count[a], c) ==
            near[a].begin() + near_count[a])
          near[a][static_cast<std::size_t>(near_count[a]++)] = c;
    }
    for (int i = 0; i < near_count[0]; ++i)
      for (int j = 0; j < near_count[1]; ++j)
        for (int k = 0; k < near_count[2]; ++k)
          for (Index other = first_[index(near[0][static_cast<std::size_t>(i)],
                                          near[1][static_cast<std::size_t>(j)],
                                          near[2][static_cast<std::size_t>(k)])];
               other >= 0; other = next_[static_cast<std::size_t>(other)]) {
            const Vector3 d = box_.difference(p, placed[static_cast<std::size_t>(other)]);
            if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < distance2_) return false;
          }
    return true;
  }

  void add(const FixedPosition& p) {
    Index& head = first_[index(cell(0, p), cell(1, p), cell(2, p))];
    next_.push_back(head);
    head = static_cast<Index>(next_.size()) - 1;
  }

 private:
  /// The index of the cell along an axis; coordinates are 64-bit fractions of the range.
  std::uint64_t cell(std::size_t axis, const FixedPosition& p) const {
    return ((p.x[axis] >> 32) * cells_[axis]) >> 32;
  }
  std::size_t index(std::uint64_t i, std::uint64_t j, std::uint64_t k) const {
    return (i * cells_[1] + j) * cells_[2] + k;
  }
  const Box& box_;
  double distance2_;
  std::array<std::uint64_t, 3> cells_{};
  // Linked lists: the last atom added to each cell, and for each atom the one added before it; -1:
  // none.
  std::vector<Index> first_, next_;
};

}  // namespace

std::vector<FixedPosition> random_packing(std::uint64_t seed, const Box& box, Index count,
                                          double distance) {
  if (!(distance > 0)) return random_points(seed, box, {0, count});
  Cells cells(box, count, distance);
  std::vector<FixedPosition> placed;
  placed.reserve(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) {
    Index attempt = 0;
    FixedPosition p = random_points(seed, box, {i, i + 1}, attempt).front();
    while (!cells.is_free(p, placed)) {
      if (++attempt == max_attempts)
        throw InputError(fmt::format(
            "no free position was found for atom {} of {}: the box is too full for random "
            "positions {} apart; choose a "
            "smaller distance with [push_off], fewer atoms or a larger box (about 0.38 of the "
            "volume can be filled by spheres of that diameter), or start from a lattice",
            i + 1, count, distance));
      p = random_points(seed, box, {i, i + 1}, attempt).front();
    }
    cells.add(p);
    placed.push_back(p);
  }
  return placed;
}

}  // namespace gsim::md
