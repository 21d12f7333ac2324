#pragma once
// One pair potential with its parameters and its end at the cutoff: as a function in double for
// set-up code, and as coefficients for kernels.

#include <memory>
#include <vector>

#include "src/modules/md/pair_potentials/potential_kind.hpp"
#include "src/modules/md/pair_potentials/radial_function.hpp"

namespace gsim::md {

/// What a potential between two types is made of.
struct PairPotential {
  const PotentialKind* kind = nullptr;
  std::vector<double> parameters;  ///< of the kind; none for a table
  double cutoff = 0;
  Smoothing smoothing = Smoothing::cut;
  double inner = 0;    ///< xplor begins there
  double closest = 0;  ///< atoms nearer to each other overlap; 0: what the kind says
  std::shared_ptr<const RadialSamples> samples = {};  ///< of a table; they reach to the cutoff
};

class PairFunction {
 public:
  /// InputError for a cutoff that is not positive, an inner radius that is not below it, and a
  /// number of parameters that is not the kind's.
  explicit PairFunction(const PairPotential& potential);

  const PotentialKind& kind() const { return *kind_; }
  double cutoff() const { return cutoff_; }
  double closest() const { return closest_; }
  /// Whether kernels compute it as Smoothed<Potential>.
  bool is_smoothed() const { return smoothed_; }
  /// u and -du/dr at r < cutoff; for unit charges where the kind is charged.
  double energy(double r) const;
  double force(double r) const;
  /// The bare potential, neither cut nor smoothed.
  double bare_energy(double r) const;
  double bare_force(double r) const;

  /// {cutoff^2, energy's shift, coefficients} of energies times `scale`, as kernels read them; the
  /// polynomials of a table stand from interval `offset` on in the data that all tables share.
  std::vector<double> coefficients(double scale, double offset) const;
  /// Numbers in coefficients().
  int size() const { return 2 + (smoothed_ ? smoothed_coefficients : 0) + kind_->size; }
  /// Of a table.
  const RadialFunction& table() const { return table_; }

 private:
  const double* own() const { return coefficients_.data() + coefficients_.size() - kind_->size; }
  const double* data() const { return table_.coefficients.data(); }

  const PotentialKind* kind_;
  std::vector<double> parameters_;
  double cutoff_, closest_, shift_ = 0;
  bool smoothed_ = false;
  double inner_ = 0, force_at_cutoff_ = 0;
  RadialFunction table_;
  std::vector<double> coefficients_;  // at scale 1, without the first two
};

}  // namespace gsim::md
