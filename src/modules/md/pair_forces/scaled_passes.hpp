#pragma once
// The passes of a table of potentials in the units of the kernels: coefficients in force quanta,
// limits, and the factors between the quanta of mixed precision and those of the run.

#include <cstdint>
#include <vector>

#include "src/modules/md/pair_forces/pair_passes.hpp"

namespace gsim::md {

template <class Real>
class ScaledPasses {
 public:
  static constexpr bool mixed = sizeof(Real) == 4;

  struct Pass {
    PairPass pass;
    double max_force;  ///< largest force of a pair that does not overlap
    std::vector<Real> coefficients = {}, data = {};  ///< `data`: values of tabulated potentials
    std::uint32_t limit = 0;  ///< limit of |F/r| or F^2 (high 32 bits of the floating-point number)
  };

  /// `largest_charge`: the largest |charge| of any atom. InputError for potentials that
  /// PairFunction or PairPass refuse. Quanta are chosen for largest() of these
  /// potentials alone.
  ScaledPasses(const PairTable& table, double largest_charge);

  /// InputError if largest() is above 2^50 quanta.
  void set_quanta(const ForceQuanta& quanta);

  const std::vector<Pass>& passes() const { return passes_; }
  /// Whether some potentials act between charges. Their energy is summed separately.
  bool has_charges() const { return has_charges_; }
  /// The number of separate energies: that of uncharged potentials, and that of charges if there
  /// are any.
  std::size_t energies() const { return has_charges_ ? 2 : 1; }
  /// The index of the energy that a pass adds to.
  static std::size_t energy_of(const Pass& p) { return p.pass.kind().is_charged ? 1 : 0; }
  double cutoff() const { return cutoff_; }
  const LargestForce& largest() const { return largest_; }
  const ForceQuanta& quanta() const { return quanta_; }
  /// A quantum of the kernels is 2^force_shift() (2^energy_shift()) quanta of the run.
  int force_shift() const { return force_shift_; }
  int energy_shift() const { return energy_shift_; }
  /// Converts a force quantum of the kernels times length to energy quanta of the kernels.
  Real energy_scale() const;

 private:
  std::vector<Pass> passes_;
  bool has_charges_;
  double cutoff_;
  LargestForce largest_;
  ForceQuanta quanta_;
  int force_shift_ = 0, energy_shift_ = 0;
};

extern template class ScaledPasses<float>;
extern template class ScaledPasses<double>;

}  // namespace gsim::md
