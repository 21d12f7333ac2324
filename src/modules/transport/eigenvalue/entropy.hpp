#pragma once
// The Shannon entropy of the fission source, and the diagnosis of its convergence.

#include <array>
#include <span>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/exec/executor.hpp"
#include "kernels/transport/eigenvalue/fission_bank.hpp"

namespace gsim::transport {

/// The Shannon entropy -sum p log2 p, in bits, of the fractions p of `counts`.
double shannon_entropy(const std::vector<std::int64_t>& counts);

/// The mesh that sites are counted on. Sites outside of it are counted in the nearest boxes.
struct EntropyMesh {
  std::array<double, 3> lower{}, upper{};  ///< cm
  std::array<Index, 3> shape{1, 1, 1};

  /// A mesh of nearly cubic boxes with about 20 of `sites` each, if these are uniform (F. Brown,
  /// LA-UR-06-3737 (2006)); one box along axes of zero extent.
  static EntropyMesh of(const std::array<double, 3>& lower, const std::array<double, 3>& upper,
                        Index sites);
  Index bins() const { return shape[0] * shape[1] * shape[2]; }
  /// Number of sites, which are in the memory of `executor`, in each box; x fastest.
  std::vector<std::int64_t> count(View<const FissionSite> sites, const Executor& executor) const;
  /// First and second moments of the sites along each axis, from their numbers in the boxes, in
  /// coordinates from -1 to 1; all sites of a box are taken to be at its centre. First moments
  /// along an axis of one box are 0. Second moments along an axis of one or two boxes, which would
  /// be constant, are set to 0.
  std::array<double, 6> moments(const std::vector<std::int64_t>& counts) const;

 private:
  MeshBoxes boxes() const;
};

/// The lag-one autocorrelation phi of a series of generations as an autoregressive process. For the
/// slowest mode of the source it is the dominance ratio (T. Ueki, F. Brown, D. K. Parsons and D. E.
/// Kornreich, Nucl. Sci. Eng. 145 (2003) 279). The bias of its estimate from n values, about
/// -(1 + 3 phi) / n, is corrected (M. G. Kendall, Biometrika 41 (1954) 403).
struct Autocorrelation {
  double ratio = 0;  ///< phi; at least 0, at most 1
  /// n (1 - phi), without the correction: the apparent number of relaxation times in the series. In
  /// a random walk (phi = 1) it is 5 on average, and above 8 in a quarter of all cases (D. A.
  /// Dickey and W. A. Fuller, J. Am. Stat. Assoc. 74 (1979) 427).
  double relaxations = 0;
};
Autocorrelation autocorrelation_of(std::span<const double> series);

/// Whether the source had converged before the first active generation. It has converged in the
/// first generation whose entropy is within a standard deviation of the mean over the last half of
/// all generations (T. Ueki and F. Brown, Nucl. Sci. Eng. 149 (2005) 38), and must not drift
/// afterwards: `drift` is the difference between the two halves of the active generations in
/// standard errors. The same criteria apply to the moments of the source. They are not reliable if
/// the source relaxes as slowly as the run is long: it may stay near its initial distribution and
/// seem to have converged. Therefore the active generations must also contain several relaxation
/// times.
struct SourceConvergence {
  Index converged_after = 0;   ///< generations until convergence, of the slowest series
  double drift = 0;            ///< of the series with the largest drift
  double dominance_ratio = 0;  ///< of the series with the longest correlation
  double relaxations = 0;      ///< Autocorrelation::relaxations of its active generations
  bool is_long_enough = false;
  bool is_converged = false;
};
/// `series`: the entropy, then each moment, of all generations, the first `inactive` of which are
/// inactive. At least 4 must be active. Constant series are ignored.
SourceConvergence judge_convergence(const std::vector<std::span<const double>>& series,
                                    Index inactive);

}  // namespace gsim::transport
