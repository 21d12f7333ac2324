#pragma once
// What sums over waves count too much: they hold k q_i q_j erf(alpha r) / r also for the pairs of
// atoms that pair lists leave out. Here it is taken away.

#include <cstdint>

#include "gsim/core/exact_sum.hpp"
#include "gsim/core/fixed_position.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::md {

/// Terms of a pair: force x, y, z; energy; virial xx, yy, zz, xy, xz, yz.
inline constexpr int excluded_terms = 10;
/// Pairs are padded to whole packs of the widest registers.
inline constexpr Index excluded_padding = 8;

/// Every pair of an owned atom with one that it does not meet, so a pair of owned atoms twice.
struct ExcludedPairsJob {
  View<const FixedPosition> position;
  View<const double> charge;
  View<const std::int32_t> first, second;  ///< rows, padded: any row, twice
  Index pairs = 0;                         ///< without the padding
  View<const std::int32_t> begin;          ///< pairs of owned row i: begin[i] … begin[i + 1] - 1
  double metric[6] = {};                   ///< Box::metric(52)
  double alpha = 0;
  double force_scale = 0;   ///< k alpha^3 / force quantum
  double energy_scale = 0;  ///< k alpha / energy quantum
  double virial_scale = 0;  ///< k alpha^3 / energy quantum
  bool with_sums = false;
  View<std::int64_t> terms;  ///< workspace: excluded_terms times the padded pairs
  View<std::int64_t> force;  ///< 3 an atom; added to
  ExactSum* sums = nullptr;  ///< energy and virial, 7, in host memory; added to where with_sums
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(md_excluded_pairs, md::ExcludedPairsJob)
