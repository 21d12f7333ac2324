#pragma once
// The correction of Ewald's sum for excluded pairs: the sum over k-vectors contains
// k q_i q_j erf(alpha r) / r for all pairs (k: Coulomb's constant), which is subtracted for the
// pairs that are excluded from pair lists.

#include <cstdint>

#include "gsim/core/exact_sum.hpp"
#include "gsim/core/fixed_position.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::md {

/// The number of terms of a pair: force x, y, z; energy; virial xx, yy, zz, xy, xz, yz.
inline constexpr int excluded_terms = 10;
/// The number of pairs is padded to a multiple of this: the doubles of the widest vector registers.
inline constexpr Index excluded_padding = 8;

/// Every pair of an owned atom and an excluded partner, so that a pair of owned atoms occurs twice.
struct ExcludedPairsJob {
  View<const FixedPosition> position;
  View<const double> charge;
  View<const std::int32_t> first,
      second;                      ///< rows of the atoms; the padding repeats one row in both
  Index pairs = 0;                 ///< without the padding
  View<const std::int32_t> begin;  ///< pairs of owned row i: begin[i] … begin[i + 1] - 1
  double box_matrix[6] = {};       ///< Box::matrix(52)
  double alpha = 0;                ///< splitting parameter of Ewald's sum, 1/length
  double force_scale = 0;          ///< k alpha^3 / force quantum
  double energy_scale = 0;         ///< k alpha / energy quantum
  double virial_scale = 0;         ///< k alpha^3 / energy quantum
  bool with_sums = false;
  View<std::int64_t> terms;  ///< workspace: excluded_terms times the padded pairs
  View<std::int64_t> force;  ///< 3 for each atom; forces are added
  ExactSum* sums = nullptr;  ///< 7 in host memory: energy and virial are added if with_sums
};

/// Writes the rows of both atoms of every pair, and 0 in the padding.
struct ExcludedRowsArgs {
  View<const std::int32_t> begin;    ///< ExcludedPairsJob::begin
  View<const std::int32_t> partner;  ///< rows of the partners; -1: none
  View<const std::int64_t> ids;      ///< of all rows
  View<std::int32_t> first, second;  ///< padded
  std::uint64_t*
      missing;  ///< receives the lowest id of an owned atom one of whose partners has no row
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(md_excluded_rows, md::ExcludedRowsArgs)
GSIM_DECLARE_LAUNCHER(md_excluded_pairs, md::ExcludedPairsJob)
