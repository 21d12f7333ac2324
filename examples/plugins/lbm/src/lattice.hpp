#pragma once
// The lattice D3Q19 (Qian, d'Humieres and Lallemand 1992): particles of a cell rest or move to one
// of 18 neighbours. Lengths are in cells, times in steps, and the density at rest is 1. The stored
// value of a population is its difference from the weight, which is the population of a fluid of
// density 1 at rest. This avoids rounding errors in slow fluids.

#include <gsim/core/types.hpp>
#include <gsim/math/target.hpp>

namespace lbm {

using gsim::Index;

inline constexpr int populations = 19;

/// Direction of each population. Opposite directions are 2 k - 1 and 2 k.
inline constexpr int directions[populations][3] = {
    {0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},  {0, -1, 0}, {0, 0, 1},   {0, 0, -1},
    {1, 1, 0},  {-1, -1, 0}, {1, -1, 0},  {-1, 1, 0}, {1, 0, 1},  {-1, 0, -1}, {1, 0, -1},
    {-1, 0, 1}, {0, 1, 1},   {0, -1, -1}, {0, 1, -1}, {0, -1, 1}};

/// Weights of the population at rest, and of those that move across a face and across an edge.
inline constexpr double weight_rest = 1.0 / 3, weight_face = 1.0 / 18, weight_edge = 1.0 / 36;
constexpr double weight(int i) { return i == 0 ? weight_rest : i < 7 ? weight_face : weight_edge; }

/// The opposite direction.
GSIM_HD constexpr int opposite(int i) { return i == 0 ? 0 : i % 2 == 1 ? i + 1 : i - 1; }

/// The density minus 1, the density, and u . u of a cell.
struct Fluid {
  double density_deviation = 0, density = 1, speed_squared = 0;
};

/// The equilibrium minus the weight (Qian et al. 1992: second order in the velocity, speed of sound
/// 1/sqrt(3)) for two opposite directions, whose velocity component is `along`: the part that is
/// the same for both, and the part that changes its sign.
GSIM_HD double even_equilibrium(double weight, const Fluid& fluid, double along) {
  return weight * (fluid.density_deviation +
                   fluid.density * (4.5 * (along * along) - 1.5 * fluid.speed_squared));
}
GSIM_HD double odd_equilibrium(double weight, const Fluid& fluid, double along) {
  return weight * (fluid.density * (3 * along));
}

}  // namespace lbm
