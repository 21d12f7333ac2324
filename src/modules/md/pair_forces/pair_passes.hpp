#pragma once
// The passes over the pair lists for a table of potentials, one for every kind of potential, with
// the numbers of their kernels.

#include <optional>
#include <vector>

#include "src/modules/md/forces/force_term.hpp"
#include "src/modules/md/pair_potentials/pair_table.hpp"

namespace gsim::md {

class PairPass {
 public:
  /// No potential acts between any types at first.
  PairPass(const PotentialKind& kind, bool smoothed, int types);

  bool takes(const PairFunction& function, int a, int b) const;
  void set(const PairFunction& function, int a, int b);

  const PotentialKind& kind() const { return *kind_; }
  bool is_smoothed() const { return smoothed_; }
  const PairFunction* between(int a, int b) const;
  /// 1 where all pairs of types have the same potential, so that kernels need not read types
  /// (md_kernels::run_cluster_forces).
  int types() const { return uniform_ && (!smoothed_ || kind_->is_steep) ? 1 : types_; }

  /// The largest force and energy of a pair without overlap; `charges`: the largest product of two
  /// charges. InputError where the force is not finite at the closest distance.
  LargestForce largest(double charges) const;
  /// Whether |F/r| is checked, at the closest distance; else F^2 is.
  bool checks_distance() const { return types() == 1 && kind_->is_steep; }
  double closest() const;

  /// ClusterForceJob's coefficients, in rows of row() numbers, and its data.
  std::size_t row() const;
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

std::vector<PairPass> passes_of(const PairTable& table);

}  // namespace gsim::md
