#include "src/modules/md/nonbonded/potential_kind.hpp"

#include <algorithm>

#include "gsim/core/error.hpp"
#include "kernels/md/potentials/launchers.hpp"
#include "kernels/md/potentials/list.hpp"  // which the build writes: generate.cmake beside it
#include "kernels/md/potentials/smoothed.hpp"

GSIM_PAIR_POTENTIALS(GSIM_DECLARE_PAIR_LAUNCHERS)

namespace gsim::md {
namespace {

template <class P>
PotentialKind kind_of() {
  using Smooth = md_kernels::Smoothed<P>;
  static_assert(Smooth::own == smoothed_coefficients);
  PotentialKind kind{P::name, P::doc, P::parameters, P::size, P::is_steep, P::is_charged};
  kind.coefficients = P::coefficients;
  kind.closest = P::closest;
  kind.force = [](double r2, const double* c, const double* data) {
    return md_kernels::force_of<P>(r2, c, data);
  };
  kind.energy = [](double r2, const double* c, const double* data) {
    return md_kernels::energy_of<P>(r2, c, data);
  };
  if constexpr (md_kernels::can_be_smoothed<P>) {
    kind.can_be_smoothed = true;
    kind.smoothed_force = [](double r2, const double* c, const double*) {
      return Smooth::force(r2, c);
    };
    kind.smoothed_energy = [](double r2, const double* c, const double*) {
      return Smooth::energy(r2, c);
    };
  }
  return kind;
}

/// The kind with the launchers of that name.
#define GSIM_KIND(name, Potential)                                               \
  [] {                                                                           \
    PotentialKind kind = kind_of<md_kernels::Potential>();                       \
    kind.cluster_f32 = [](const Executor& e, const ClusterForceJob<float>& j) {  \
      cluster_forces_##name##_f32(e, j);                                         \
    };                                                                           \
    kind.cluster_f64 = [](const Executor& e, const ClusterForceJob<double>& j) { \
      cluster_forces_##name##_f64(e, j);                                         \
    };                                                                           \
    kind.full_f32 = [](const Executor& e, const FullForceJob<float>& j) {        \
      full_forces_##name##_f32(e, j);                                            \
    };                                                                           \
    kind.full_f64 = [](const Executor& e, const FullForceJob<double>& j) {       \
      full_forces_##name##_f64(e, j);                                            \
    };                                                                           \
    return kind;                                                                 \
  }(),

}  // namespace

std::span<const PotentialKind> potential_kinds() {
  static const PotentialKind kinds[] = {GSIM_PAIR_POTENTIALS(GSIM_KIND)};
  return kinds;
}

const PotentialKind& potential_kind(std::string_view name) {
  const auto kinds = potential_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const PotentialKind& kind) { return kind.name == name; });
  if (found == kinds.end()) throw Error("no pair potential of that name");
  return *found;
}

}  // namespace gsim::md
