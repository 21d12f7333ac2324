#pragma once
// The Shannon entropy of the fission source, and what it says about convergence.

#include <array>
#include <span>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/exec/thread_pool.hpp"
#include "kernels/transport/tracking/particle.hpp"

namespace gsim::transport {

/// The Shannon entropy, in bits, of shares of a whole given as counts: -sum p log2 p.
double shannon_entropy(const std::vector<std::int64_t>& counts);

/// Boxes that sites are counted in. What lies outside belongs to the outermost ones.
struct EntropyMesh {
  std::array<double, 3> lower{}, upper{};  ///< cm
  std::array<Index, 3> shape{1, 1, 1};

  /// Boxes about as long as wide, so many that each has some 20 of `sites` if they are spread
  /// evenly (F. Brown, LA-UR-06-3737 (2006)); one along axes without extent.
  static EntropyMesh of(const std::array<double, 3>& lower, const std::array<double, 3>& upper,
                        Index sites);
  Index bins() const { return shape[0] * shape[1] * shape[2]; }
  /// How many sites lie in each box; x fastest.
  std::vector<std::int64_t> count(std::span<const FissionSite> sites, ThreadPool& pool) const;
  /// Of sites that are counted so: along each axis the mean place, and the mean of its square, of
  /// the boxes' middles from -1 to 1. 0 where an axis has too few boxes to tell (1, or 2).
  std::array<double, 6> moments(const std::vector<std::int64_t>& counts) const;

 private:
  Index bin_of(const Vector3& place) const;
};

/// How long a series of generations remembers what went before: lag-one autocorrelation phi of an
/// autoregressive process, which for the slowest mode of the source is the dominance ratio (T.
/// Ueki, F. Brown, D. K. Parsons and D. E. Kornreich, Nucl. Sci. Eng. 145 (2003) 279). Estimated
/// phi are too small by about (1 + 3 phi) / n in n values, which is put right (M. G. Kendall,
/// Biometrika 41 (1954) 403).
struct Memory {
  double ratio = 0;  ///< phi; at least 0, at most 1
  /// n (1 - phi) as it is estimated: how many relaxation times the series seems to hold. A series
  /// that never forgets seems to hold 5 of them, more than 8 in a quarter of all cases (D. A.
  /// Dickey and W. A. Fuller, J. Am. Stat. Assoc. 74 (1979) 427).
  double relaxations = 0;
};
Memory memory_of(std::span<const double> series);

/// Whether the source had settled before the first active generation. It has settled in the first
/// generation whose entropy lies within a standard deviation of the mean over the last half of all
/// generations (T. Ueki and F. Brown, Nucl. Sci. Eng. 149 (2005) 38), and must not drift
/// afterwards: `drift` is the difference between the two halves of active generations in standard
/// errors. The same is asked of the moments of the source. All of that means little where a source
/// changes more slowly than the run is long: it then stays where it began, or wanders. So the
/// active generations must hold a number of relaxation times.
struct SourceConvergence {
  Index settled = 0;           ///< generations before, of the series that took longest
  double drift = 0;            ///< of the series that drifts most
  double dominance_ratio = 0;  ///< of the series that remembers longest
  double relaxations = 0;      ///< of that series, as Memory::relaxations, of active generations
  bool is_long_enough = false;
  bool is_converged = false;
};
/// `series`: values of the entropy, then of each moment, of all generations, of which `inactive`
/// are not active. At least 4 must be active. Series that never change say nothing.
SourceConvergence judge_convergence(const std::vector<std::span<const double>>& series,
                                    Index inactive);

}  // namespace gsim::transport
