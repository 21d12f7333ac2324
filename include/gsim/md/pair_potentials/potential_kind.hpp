#pragma once
// The record of a pair potential (pair_potential.hpp), by which it is registered: name, parameters,
// coefficients, functions in double, and kernels. A plugin includes the header of its potential,
//
//   GSIM_DECLARE_PAIR_LAUNCHERS(my_name, MyStruct)
//   … registry.extend(GSIM_PAIR_POTENTIAL(my_name, MyStruct)) …
//
// and passes the header to gsim_add_plugin() as one of its PAIR_POTENTIALS, which compiles the
// kernels. The potentials of gsim itself are registered in the same way, by the build.

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "gsim/md/pair_forces/pair_launchers.hpp"
#include "gsim/md/pair_potentials/pair_potential.hpp"
#include "gsim/md/pair_potentials/smoothed.hpp"

namespace gsim {
class Section;
}

namespace gsim::md {

/// Truncation of a potential at its cutoff. cut: truncated; shift: energies are shifted to zero
/// there; force_shift: forces, too; xplor: multiplied by a function that falls from 1 to 0.
enum class Smoothing { cut, shift, force_shift, xplor };

struct PotentialKind;
struct RadialSamples;

/// A potential between two types of atoms, with its parameters.
struct PairPotential {
  const PotentialKind* kind = nullptr;  ///< null: no potential
  std::vector<double> parameters;       ///< values of PotentialKind::parameters; none for a table
  double cutoff = 0;
  Smoothing smoothing = Smoothing::cut;
  double inner = 0;    ///< distance at which xplor begins
  double closest = 0;  ///< atoms nearer to each other overlap; 0: PotentialKind::closest
  std::shared_ptr<const RadialSamples> samples = {};  ///< a table that reaches to the cutoff
};

/// Validates the values that were read, loads the files that they name, and makes the potential of
/// them. Errors name a key: section.fail("key", …).
using MakePairPotential = std::function<PairPotential(const Section& section)>;

struct PotentialKind {
  static constexpr char extends[] = "pair potential", module[] = "md";  // Registry::extend
  std::string_view name, doc;
  std::span<const PotentialParameter> parameters;
  int size = 0;  ///< number of coefficients
  bool is_steep = false, is_charged = false, can_be_smoothed = false;
  /// Its functions read `data` (polynomials of a table); its parameters are then no keys.
  bool reads_data = false;
  /// `size` coefficients for energies times `scale`.
  void (*coefficients)(const double* p, double scale, double* c) = nullptr;
  double (*closest)(const double* p, double cutoff) = nullptr;
  /// -du/dr / r and u as functions of r^2. The coefficients of `smoothed_…` begin with those of
  /// Smoothed.
  using Function = double (*)(double r2, const double* c, const double* data);
  Function force = nullptr, energy = nullptr, smoothed_force = nullptr, smoothed_energy = nullptr;
  /// Computes the coefficients of Smoothed; null if the potential cannot be smoothed.
  void (*smoothing)(double cutoff, double inner, double force_at_cutoff, double* c) = nullptr;
  /// Kernels over cluster lists, and over full neighbour lists.
  void (*cluster_f32)(const Executor&, const ClusterForceJob<float>&) = nullptr;
  void (*cluster_f64)(const Executor&, const ClusterForceJob<double>&) = nullptr;
  void (*full_f32)(const Executor&, const FullForceJob<float>&) = nullptr;
  void (*full_f64)(const Executor&, const FullForceJob<double>&) = nullptr;
  /// For a kind whose keys are not its parameters, a cutoff, smoothing and `closest`: describes the
  /// keys of [[pair.potential]] besides `types` and `kind`; also runs without values, to print the
  /// schema. `default_cutoff` is the cutoff of [pair], or 0. Returns the function that makes the
  /// potential, which may be one of another kind; it is called only after a configuration was
  /// read. A kind with this function does not need the members above.
  MakePairPotential (*describe)(Section& section, double default_cutoff) = nullptr;
  /// For potentials of plugins: a complete configuration of module md with this potential, which
  /// runs within seconds.
  std::string_view example = {};

  /// Null if all required members are set; otherwise what the potential has to be registered with,
  /// for messages (Registry::Extension).
  const char* missing() const {
    const bool has_functions =
        coefficients != nullptr && closest != nullptr && force != nullptr && energy != nullptr;
    const bool is_smooth = !can_be_smoothed || (smoothing != nullptr && smoothed_force != nullptr &&
                                                smoothed_energy != nullptr);
    const bool has_kernels = cluster_f32 != nullptr && cluster_f64 != nullptr &&
                             full_f32 != nullptr && full_f64 != nullptr;
    const bool is_complete = has_functions && is_smooth && has_kernels;
    return describe != nullptr || is_complete ? nullptr
                                              : "the record that GSIM_PAIR_POTENTIAL makes";
  }
  /// Registries hold copies of records, with unique names.
  friend bool operator==(const PotentialKind& a, const PotentialKind& b) {
    return a.name == b.name;
  }
};

/// The number of coefficients of Smoothed, which precede those of the potential.
inline constexpr int smoothed_coefficients = 4;

/// The record of a potential without its kernels.
template <class P>
PotentialKind potential_kind_of() {
  using Smooth = md_kernels::Smoothed<P>;
  static_assert(Smooth::smoothing_size == smoothed_coefficients);
  PotentialKind kind{P::name, P::doc, P::parameters, P::size, P::is_steep, P::is_charged};
  kind.coefficients = P::coefficients;
  kind.closest = P::closest;
  kind.force = [](double r2, const double* c, const double* data) {
    return md_kernels::force_of<P>(r2, c, data);
  };
  kind.energy = [](double r2, const double* c, const double* data) {
    return md_kernels::energy_of<P>(r2, c, data);
  };
  kind.reads_data = requires(double r2, const double* c, const double* data) {
    P::energy(r2, c, data);
  };
  if constexpr (md_kernels::can_be_smoothed<P>) {
    kind.can_be_smoothed = true;
    kind.smoothing = Smooth::coefficients;
    kind.smoothed_force = [](double r2, const double* c, const double*) {
      return Smooth::force(r2, c);
    };
    kind.smoothed_energy = [](double r2, const double* c, const double*) {
      return Smooth::energy(r2, c);
    };
  }
  return kind;
}

}  // namespace gsim::md

/// The PotentialKind of the struct md_kernels::Potential with the launchers of that name.
#define GSIM_PAIR_POTENTIAL(name, Potential)                                     \
  [] {                                                                           \
    using gsim::Executor;                                                        \
    using namespace gsim::md;                                                    \
    PotentialKind kind = potential_kind_of<gsim::md_kernels::Potential>();       \
    kind.cluster_f32 = [](const Executor& e, const ClusterForceJob<float>& j) {  \
      gsim::cluster_forces_##name##_f32(e, j);                                   \
    };                                                                           \
    kind.cluster_f64 = [](const Executor& e, const ClusterForceJob<double>& j) { \
      gsim::cluster_forces_##name##_f64(e, j);                                   \
    };                                                                           \
    kind.full_f32 = [](const Executor& e, const FullForceJob<float>& j) {        \
      gsim::full_forces_##name##_f32(e, j);                                      \
    };                                                                           \
    kind.full_f64 = [](const Executor& e, const FullForceJob<double>& j) {       \
      gsim::full_forces_##name##_f64(e, j);                                      \
    };                                                                           \
    return kind;                                                                 \
  }()
