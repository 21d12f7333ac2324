#pragma once
// The arguments of the kernels of Ewald's sum over k-vectors k = 2 pi (n_x, n_y, n_z) h^-1 (h: the
// matrix of box vectors).
//
// Positions are fractions of the box vectors in units of 2^-64, so that the phase of an atom, n . x
// turns, is exact in integers that wrap. A point (|n_x|, |n_y|, |n_z|) represents the
// four k-vectors (n_x, +-n_y, +-n_z), n_x >= 0; the other four are their negatives. The four
// structure factors sum_i q_i exp(i k . r_i) are sums and differences of eight real sums, sum_i q_i
// {cos | sin}(x) {cos | sin}(y) {cos | sin}(z), x = 2 pi n_x x_i and so on. These are summed, in
// integers, with one multiplication and one addition per term.

#include <cstdint>

#include "gsim/core/fixed_position.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::md {

/// The number of sums of a point, in the order ccc, ccs, csc, css, scc, scs, ssc, sss of the
/// factors in x, y, z.
inline constexpr int sums_per_point = 8;
/// Lanes of the widest vector registers.
inline constexpr int max_ewald_lanes = 8;

/// The points (x, y, 0 … count - 1), whose indices begin at `first`.
struct KVectorColumn {
  std::int32_t x, y;
  std::int32_t first, count;
};

struct KVectorPoints {
  View<const KVectorColumn> columns;
  std::int32_t points = 0;
  std::int32_t max_n[3] = {};  ///< the largest x, y and z of all columns
};

struct EwaldAtoms {
  View<const FixedPosition> position;
  View<const double> charge;
  /// ewald_workspace() words of 64 bits.
  View<std::uint64_t> workspace;
};

/// The number of entries of an atom's table of cosines and sines.
GSIM_HD constexpr Index phase_table_entries(const KVectorPoints& p) {
  return 2 * (Index{p.max_n[0]} + p.max_n[1] + p.max_n[2] + 3);
}
/// The size of the workspace of either job, in 64-bit words: on the host the tables of a block of
/// atoms and the sums for each thread, on CUDA the tables of all atoms.
constexpr Index ewald_workspace(const KVectorPoints& p, bool is_cuda, int threads, Index atoms) {
  constexpr Index block = 8 * max_ewald_lanes;
  return is_cuda ? atoms * phase_table_entries(p)
                 : threads * (block * phase_table_entries(p) +
                              Index{p.points} * sums_per_point * max_ewald_lanes);
}

/// Writes the sums over `atoms` to `sums` (sums_per_point for each point), in units of 1 /
/// per_charge. Every term is rounded to an integer, which must be below 2^51.
struct StructureFactorJob {
  EwaldAtoms atoms;
  KVectorPoints k_vectors;
  double per_charge = 1;
  View<std::int64_t> sums;
};

/// Adds the force -q grad phi(r) to every atom. phi is the sum over points p and s = 0 … 7 of
/// coefficient s of point p times the product of cosines and sines in sum s of point p.
struct ReciprocalForceJob {
  EwaldAtoms atoms;
  KVectorPoints k_vectors;
  View<const std::int64_t> ids;
  /// 16 for each point: the coefficients c[0 … 8), then those of the derivative along z: -z c[0],
  /// z c[1], -z c[2], …
  View<const double> coefficients;
  /// The matrix that converts the gradient with respect to the phases to minus the Cartesian
  /// gradient, in force quanta; lower triangular, in the order xx, yy, zz, yx, zx, zy.
  double gradient[6] = {};
  View<std::int64_t> force;  ///< 3 per atom
  std::uint64_t* overflow =
      nullptr;  ///< the lowest id of an atom whose force is 2^51 quanta or more
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(md_structure_factors, md::StructureFactorJob)
GSIM_DECLARE_LAUNCHER(md_reciprocal_forces, md::ReciprocalForceJob)
