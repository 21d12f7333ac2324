#pragma once
// The pair potentials that there are (kernels/md/potentials), as set-up code sees them: by name,
// with parameters, coefficients, functions in double and kernels.

#include <span>
#include <string_view>

#include "kernels/md/cluster_list.hpp"
#include "kernels/md/full_list.hpp"
#include "kernels/md/potentials/potential.hpp"

namespace gsim {
class Executor;
}

namespace gsim::md {

struct PotentialKind {
  std::string_view name, doc;
  std::span<const PotentialParameter> parameters;
  int size = 0;  ///< coefficients
  bool is_steep = false, is_charged = false, can_be_smoothed = false;
  /// `size` coefficients for energies times `scale`.
  void (*coefficients)(const double* p, double scale, double* c) = nullptr;
  double (*closest)(const double* p, double cutoff) = nullptr;
  /// -du/dr / r and u, from r^2; `smoothed_…` with the coefficients of Smoothed in front.
  using Function = double (*)(double r2, const double* c, const double* data);
  Function force = nullptr, energy = nullptr, smoothed_force = nullptr, smoothed_energy = nullptr;
  /// Kernels over cluster lists, and over full neighbour lists.
  void (*cluster_f32)(const Executor&, const ClusterForceJob<float>&) = nullptr;
  void (*cluster_f64)(const Executor&, const ClusterForceJob<double>&) = nullptr;
  void (*full_f32)(const Executor&, const FullForceJob<float>&) = nullptr;
  void (*full_f64)(const Executor&, const FullForceJob<double>&) = nullptr;
};

/// Coefficients of Smoothed in front of a potential's own.
inline constexpr int smoothed_coefficients = 4;

std::span<const PotentialKind> potential_kinds();
/// The kind of that name, which exists.
const PotentialKind& potential_kind(std::string_view name);

}  // namespace gsim::md
