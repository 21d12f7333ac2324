#pragma once
// Ewald's sum over wave vectors k = 2 pi (n_x, n_y, n_z) h^-1 (h: the box): what its kernels get.
//
// Positions are fractions of the box vectors in 2^-64, so the phase of an atom, n . x turns, is
// exact in integers that wrap. A point (|n_x|, |n_y|, |n_z|) of an octant stands for the four waves
// (n_x, +-n_y, +-n_z), n_x >= 0, half of its eight; the other half are their mirror images. The
// four structure factors sum_i q_i exp(i k . r_i) are sums and differences of eight real ones,
// sum_i q_i {cos | sin}(x) {cos | sin}(y) {cos | sin}(z), x = 2 pi n_x x_i and so on: those are
// what is summed, in integers, one multiplication and one addition a term.

#include <cstdint>

#include "gsim/core/fixed_position.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::md {

/// Sums a point, in the order ccc, ccs, csc, css, scc, scs, ssc, sss of the factors in x, y, z.
inline constexpr int wave_sums = 8;
/// Lanes of the widest registers.
inline constexpr int most_wave_lanes = 8;

/// The points (x, y, 0 … count - 1), whose numbers begin at `first`.
struct WaveColumn {
  std::int32_t x, y;
  std::int32_t first, count;
};

struct WavePoints {
  View<const WaveColumn> columns;
  std::int32_t points = 0;
  std::int32_t most[3] = {};  ///< the largest x, y and z of any
};

struct WaveAtoms {
  View<const FixedPosition> position;
  View<const double> charge;
  /// Room for wave_workspace() words.
  View<std::uint64_t> workspace;
};

/// Entries of an atom's table of cosines and sines.
GSIM_HD constexpr Index wave_table_entries(const WavePoints& p) {
  return 2 * (Index{p.most[0]} + p.most[1] + p.most[2] + 3);
}
/// Words that either job needs to work in: on the host those of its threads (tables of a block of
/// atoms, and sums), on CUDA the tables of all atoms.
constexpr Index wave_workspace(const WavePoints& p, bool is_cuda, int threads, Index atoms) {
  constexpr Index block = 8 * most_wave_lanes;
  return is_cuda ? atoms * wave_table_entries(p)
                 : threads * (block * wave_table_entries(p) +
                              Index{p.points} * wave_sums * most_wave_lanes);
}

/// Puts the sums over `atoms` into `sums`, wave_sums a point, in units of 1 / per_charge: every
/// term is rounded to a whole number of them, which has to stay below 2^51.
struct WaveSumJob {
  WaveAtoms atoms;
  WavePoints waves;
  double per_charge = 1;
  View<std::int64_t> sums;
};

/// Adds to every atom's force -q grad phi(r), where phi is the sum over points, of
/// coefficient[8 p + s] times the product of cosines and sines that sum s of point p is made of.
struct WaveForceJob {
  WaveAtoms atoms;
  WavePoints waves;
  View<const std::int64_t> ids;
  /// 16 a point p: the coefficients c[0 … 8), then their derivative along z: -z c[0], z c[1],
  /// -z c[2], …
  View<const double> coefficients;
  /// Turns the gradient along the phases into minus the Cartesian one, in force quanta: the lower
  /// triangular matrix xx, yy, zz, yx, zx, zy.
  double gradient[6] = {};
  View<std::int64_t> force;           ///< 3 an atom
  std::uint64_t* overflow = nullptr;  ///< the lowest id of an atom with 2^51 quanta or more
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(md_wave_sums, md::WaveSumJob)
GSIM_DECLARE_LAUNCHER(md_wave_forces, md::WaveForceJob)
