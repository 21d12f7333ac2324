#pragma once
// What tests of pair forces and embedded atoms share: displaced crystals, and results to the bit.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gsim/domain/box.hpp"
#include "src/modules/md/forces/force_term.hpp"

namespace gsim::md {

struct PairResult {
  std::vector<std::int64_t> forces;
  ForceSums sums;
  bool operator==(const PairResult& b) const {
    return forces == b.forces && sums.energy == b.sums.energy &&
           std::equal(sums.virial, sums.virial + 6, b.sums.virial);
  }
};

/// visit(position) for each site of an fcc crystal of cells^3 cubes in the share `fill` of the box,
/// displaced along x, y and z by what away() returns, in this order.
template <class Away, class Visit>
void each_fcc_site(const Box& box, int cells, double fill, const Away& away, const Visit& visit) {
  const double basis[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  const auto &l = box.lengths(), &t = box.tilts();
  for (int k = 0; k < cells * cells * cells; ++k)
    for (const auto& b : basis) {
      const double s[3] = {fill * (k % cells + b[0]) / cells,
                           fill * (k / cells % cells + b[1]) / cells,
                           fill * (k / cells / cells + b[2]) / cells};
      ImageCount image;
      const Vector3 point = {s[0] * l[0] + s[1] * t[0] + s[2] * t[1] + away(),
                             s[1] * l[1] + s[2] * t[2] + away(), s[2] * l[2] + away()};
      visit(box.to_fixed(point, image));
    }
}

}  // namespace gsim::md
