#pragma once
// Energy, virial and potential from the structure factors.
//
// With V the volume, C the Coulomb constant and S(k) = sum_i q_i exp(i k . r_i), the k-vectors of
// both signs give U = C/(2 V) sum_{k != 0} (4 pi / k^2) exp(-k^2 / 4 alpha^2) |S(k)|^2 (P. P.
// Ewald, Ann. Phys. 369 (1921) 253), with conducting boundary conditions at infinity (S. W. de
// Leeuw, J. W. Perram and E. R. Smith, Proc. R. Soc. A 373 (1980) 27).

#include <array>
#include <span>
#include <vector>

#include "src/modules/md/long_range/k_vectors.hpp"

namespace gsim::md {

/// Real and imaginary part.
struct StructureFactor {
  double real, imaginary;
};

/// Energy and virial (sum of r_a F_b: xx, yy, zz, xy, xz, yz).
struct ReciprocalEnergy {
  double energy = 0;
  std::array<double, 6> virial{};
};

/// The weights of all k-vectors in the energy.
class KVectorWeights {
 public:
  KVectorWeights(const KVectorSet& k_vectors, const Box& box, double alpha, double coulomb);

  /// The energy and virial from sums in units of `quantum` (StructureFactorJob), added in a fixed
  /// order.
  ReciprocalEnergy energy(std::span<const std::int64_t> sums, double quantum) const;
  /// ReciprocalForceJob::coefficients from the same sums; phi is the potential energy of a unit
  /// charge.
  void coefficients(std::span<const std::int64_t> sums, double quantum,
                    std::vector<double>& coefficients) const;
  /// The structure factor, in units of the sums, of the k-vector with index `signs` (0 … 3) of a
  /// point (KVectorSet::for_each).
  static StructureFactor structure_factor(std::span<const std::int64_t> sums, std::int32_t point,
                                          int signs);

 private:
  const KVectorSet* k_vectors_;
  Box box_;
  double alpha_;
  std::vector<double> weights_;  // 4 for each point: 4 pi C / V exp(-k^2 / 4 alpha^2) / k^2, or 0
};

}  // namespace gsim::md
