#pragma once
// The arguments of the kernels of Ewald's sum over k-vectors k = 2 pi (n_x, n_y, n_z) h^-1 (h: the
// matrix of box vectors).
//
// Positions are fractions of the box vectors in units of 2^-64, so that the phase of an atom, n . x
// turns, is exact in integers that wrap. A point (|n_x|, |n_y|, |n_z|) stands for the four
// k-vectors (n_x, +-n_y, +-n_z), n_x >= 0; the other four have the opposite signs. The four
// structure factors sum_i q_i exp(i k . r_i) are sums and differences of eight real sums, sum_i q_i
// {cos | sin}(x) {cos | sin}(y) {cos | sin}(z), x = 2 pi n_x x_i and so on. These are summed, in
// integers, with one multiplication and one addition a term.

#include <cstdint>

#include "gsim/core/fixed_position.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::md {

/// Sums a point, in the order ccc, ccs, csc, css, scc, scs, ssc, sss of the factors in x, y, z.
inline constexpr int sums_per_point = 8;
/// Lanes of the widest vector registers.
inline constexpr int most_ewald_lanes = 8;

/// The points (x, y, 0 … count - 1), whose numbers begin at `first`.
struct KVectorColumn {
  std::int32_t x, y;
  std::int32_t first, count;
};

struct KVectorPoints {
  View<const KVectorColumn> columns;
  std::int32_t points = 0;
  std::int32_t most[3] = {};  ///< the largest x, y and z of all columns
};

struct EwaldAtoms {
  View<const FixedPosition> position;
  View<const double> charge;
  /// Room for ewald_workspace() 64-bit words.
  View<std::uint64_t> workspace;
};

/// Entries of an atom's table of cosines and sines.
GSIM_HD constexpr Index phase_table_entries(const KVectorPoints& p) {
  return 2 * (Index{p.most[0]} + p.most[1] + p.most[2] + 3);
}
/// 64-bit words of workspace of either job: on the host tables of a block of atoms and sums for
/// each thread, on CUDA the tables of all atoms.
constexpr Index ewald_workspace(const KVectorPoints& p, bool is_cuda, int threads, Index atoms) {
  constexpr Index block = 8 * most_ewald_lanes;
  return is_cuda ? atoms * phase_table_entries(p)
                 : threads * (block * phase_table_entries(p) +
                              Index{p.points} * sums_per_point * most_ewald_lanes);
}

/// Writes the sums over `atoms` to `sums`, sums_per_point a point, in units of 1 / per_charge:
/// every term is rounded to an integer, which must be below 2^51.
struct StructureFactorJob {
  EwaldAtoms atoms;
  KVectorPoints k_vectors;
  double per_charge = 1;
  View<std::int64_t> sums;
};

/// Adds to every atom's force -q grad phi(r), where phi is the sum over points, of
/// coefficient[8 p + s] times the product of cosines and sines that sum s of point p is made of.
struct ReciprocalForceJob {
  EwaldAtoms atoms;
  KVectorPoints k_vectors;
  View<const std::int64_t> ids;
  /// 16 a point p: the coefficients c[0 … 8), then their derivative along z: -z c[0], z c[1],
  /// -z c[2], …
  View<const double> coefficients;
  /// Converts the gradient along the phases to minus the Cartesian gradient, in force quanta: the
  /// lower triangular matrix xx, yy, zz, yx, zx, zy.
  double gradient[6] = {};
  View<std::int64_t> force;           ///< 3 an atom
  std::uint64_t* overflow = nullptr;  ///< the lowest id of an atom with 2^51 quanta or more
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(md_structure_factors, md::StructureFactorJob)
GSIM_DECLARE_LAUNCHER(md_reciprocal_forces, md::ReciprocalForceJob)
