#pragma once
// The Shannon entropy of the fission source, and what it says about convergence.

#include <array>
#include <span>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/exec/thread_pool.hpp"
#include "kernels/transport/particle.hpp"

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
  std::vector<std::int64_t> count(std::span<const Site> sites, ThreadPool& pool) const;

 private:
  Index bin_of(const Vector3& place) const;
};

/// Whether the source had settled before the first active generation. It has settled in the first
/// generation whose entropy lies within a standard deviation of the mean over the last half of all
/// generations (T. Ueki and F. Brown, Nucl. Sci. Eng. 149 (2005) 38), and must not drift
/// afterwards: `drift` is the difference between the two halves of active generations in standard
/// errors.
struct SourceConvergence {
  Index settled = 0;  ///< generations before
  double drift = 0;
  bool is_converged = false;
};
/// `entropies` of all generations, of which `inactive` are not active. At least 4 must be active.
SourceConvergence judge_convergence(std::span<const double> entropies, Index inactive);

}  // namespace gsim::transport
