#pragma once
// The passes over the pair lists for a table of potentials: one for each kind of potential, with
// the coefficients that its kernels read.

#include <optional>
#include <vector>

#include "src/modules/md/forces/force_term.hpp"
#include "src/modules/md/pair_potentials/pair_table.hpp"

namespace gsim::md {

/// The potentials of one kind between pairs of atom types.
class PairPass {
 public:
  /// A pass without potentials.
  PairPass(const PotentialKind& kind, bool smoothed, int types);

  /// Whether the pass has the kind of `function` and no potential between types a and b yet.
  bool can_hold(const PairFunction& function, int a, int b) const;
  void add(const PairFunction& function, int a, int b);

  const PotentialKind& kind() const { return *kind_; }
  bool is_smoothed() const { return smoothed_; }
  const PairFunction* between(int a, int b) const;
  /// 1 if all pairs of types have the same potential and kernels therefore need not read types
  /// (md_kernels::run_cluster_forces); else the number of types.
  int types() const { return uniform_ && (!smoothed_ || kind_->is_steep) ? 1 : types_; }

  /// The largest force and energy of a pair without overlap; `charge_product` is the largest
  /// product of two charges. InputError if the force is not finite at the closest distance.
  LargestForce largest(double charge_product) const;
  /// Whether an overlap is a pair whose |F/r| is above that at the closest distance; else it is a
  /// pair whose F^2 is above a limit.
  bool checks_force_over_r() const { return types() == 1 && kind_->is_steep; }
  /// PairFunction::closest() of the potential; only if all pairs of types have the same.
  double closest() const;

  /// ClusterForceJob::row_length, and the arrays `coefficients` and `data` of that job.
  std::size_t row_length() const;
  std::vector<double> coefficients(double scale) const;
  std::vector<double> data() const;

 private:
  std::size_t index(int a, int b) const {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(types_) +
           static_cast<std::size_t>(b);
  }

  const PotentialKind* kind_;
  bool smoothed_, uniform_ = false;
  int types_;
  std::vector<std::optional<PairFunction>> functions_;  // types x types
};

/// The passes of all potentials in `table`.
std::vector<PairPass> passes_of(const PairTable& table);

}  // namespace gsim::md
