#pragma once
// A pair potential with its parameters, cutoff and smoothing: as a function in double for set-up
// code, and as coefficients for kernels.

#include <vector>

#include "src/modules/md/pair_potentials/potential_kind.hpp"
#include "src/modules/md/pair_potentials/radial_function.hpp"

namespace gsim::md {

class PairFunction {
 public:
  /// InputError for a cutoff that is not positive, an inner radius that is not below it, and a
  /// wrong number of parameters.
  explicit PairFunction(const PairPotential& potential);

  const PotentialKind& kind() const { return *kind_; }
  double cutoff() const { return cutoff_; }
  /// Atoms nearer to each other than this distance overlap.
  double closest() const { return closest_; }
  /// Whether kernels compute it as Smoothed<Potential>.
  bool is_smoothed() const { return smoothed_; }
  /// u and -du/dr at r < cutoff; for unit charges where the kind is charged.
  double energy(double r) const;
  double force(double r) const;
  /// The bare potential, neither cut nor smoothed.
  double bare_energy(double r) const;
  double bare_force(double r) const;

  /// {cutoff^2, shift of the energy, coefficients} of energies times `scale`, for kernels; the
  /// polynomials of a table begin at interval `offset` of the data that all tables share.
  std::vector<double> coefficients(double scale, double offset) const;
  /// The number of coefficients().
  int size() const { return 2 + (smoothed_ ? smoothed_coefficients : 0) + kind_->size; }
  /// The polynomials of a table.
  const RadialFunction& table() const { return table_; }

 private:
  /// The coefficients of the potential without smoothing.
  const double* bare_coefficients() const {
    return coefficients_.data() + coefficients_.size() - kind_->size;
  }
  const double* data() const { return table_.coefficients.data(); }

  const PotentialKind* kind_;
  std::vector<double> parameters_;
  double cutoff_, closest_;
  double shift_ = 0;  // of the energy
  bool smoothed_ = false;
  double inner_ = 0;            // distance at which xplor begins; otherwise the cutoff
  double force_at_cutoff_ = 0;  // of the potential that force_shift smooths; otherwise 0
  RadialFunction table_;
  std::vector<double> coefficients_;  // at scale 1, without the first two
};

}  // namespace gsim::md
