#pragma once
// The initial state of LAMMPS's Lennard-Jones melt for benchmarks of pair forces: density
// 0.8442, T = 1.44.

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "gsim/core/fixed_position.hpp"
#include "gsim/domain/box.hpp"

namespace gsim::md {

struct Melt {
  Box box;
  std::vector<FixedPosition> positions;
  std::vector<double> velocities;
  std::vector<std::int64_t> forces;
  std::vector<std::int32_t> types;
  std::vector<double> charges;
};

/// An fcc crystal of `cells` cells along each axis. Types 0 and 1 and charges of either sign
/// alternate, for benchmarks of mixtures and of charged atoms.
inline Melt make_melt(int cells) {
  const double length = cells * std::cbrt(4 / 0.8442);
  Melt melt{Box({0, 0, 0}, {length, length, length}), {}, {}, {}, {}, {}};
  std::mt19937_64 random(1);
  const double basis[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  for (int k = 0; k < cells * cells * cells; ++k)
    for (const auto& b : basis) {
      ImageCount image;
      melt.positions.push_back(melt.box.to_fixed(
          {length * (k % cells + b[0]) / cells, length * (k / cells % cells + b[1]) / cells,
           length * (k / cells / cells + b[2]) / cells},
          image));
      // Uniform velocities of variance T become Maxwellian after a few steps.
      for (int a = 0; a < 3; ++a)
        melt.velocities.push_back(std::sqrt(12 * 1.44) *
                                  (static_cast<double>(random() >> 11) * 0x1p-53 - 0.5));
    }
  melt.forces.assign(melt.velocities.size(), 0);
  for (std::size_t k = 0; k < melt.positions.size(); ++k) {
    melt.types.push_back(static_cast<std::int32_t>(k % 2));
    melt.charges.push_back(k % 2 == 0 ? 0.1 : -0.1);
  }
  return melt;
}

}  // namespace gsim::md
