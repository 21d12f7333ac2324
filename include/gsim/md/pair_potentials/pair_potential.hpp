#pragma once
// What a pair potential is to the rest of the code. One is one struct in one header, and nothing
// else: in kernels/md/potentials the build finds it by its `name`, compiles its kernels and lists
// it among the kinds of [[pair.potential]]; a plugin gives it to gsim_add_plugin()
// (md/potential_kind.hpp). Tests, and `gsim plugin check`, hold its force against the slope of its
// energy.
//
//   namespace md_kernels, between GSIM_TARGET_BEGIN and GSIM_TARGET_END:
//   struct Name {
//     static constexpr char name[] = "its_word_in_configurations", doc[] = "its formula";
//     static constexpr PotentialParameter parameters[] = {…};
//     static constexpr int size = 2;          // coefficients that force() and energy() read
//     static constexpr bool is_steep = false; // see below
//     static constexpr bool is_charged = false;  // it is multiplied with the product of charges
//     // The coefficients for parameters p, of energies times `scale`.
//     static void coefficients(const double* p, double scale, double* c);
//     // Atoms nearer to each other than this overlap, in no sound run; NaN: users must say.
//     static double closest(const double* p, double cutoff);
//     template <Real R> static R force(R r2, const R* c);   // -du/dr / r
//     template <Real R> static R energy(R r2, const R* c);  // u
//   };
//
// is_steep: |F/r| falls with r wherever it is large, and as steeply as Lennard-Jones's, so that
// forces of one type's atoms can be summed in 32 bits (cluster_forces.hpp says why).

#include <cstddef>
#include <limits>

#include "gsim/math/pack.hpp"

namespace gsim::md {

enum class ParameterRange { any, not_negative, positive };

/// The unit of a parameter, in whole powers of the units of energy, length and angle of the run:
/// ParameterUnit::energy_length(6) is that of Lennard-Jones's C6, energy_length(-2) that of a
/// harmonic bond's force constant, energy_angle(-2) that of a harmonic angle's.
struct ParameterUnit {
  int energy_power = 0, length_power = 0, angle_power = 0;  ///< of radians

  static const ParameterUnit none, energy, length, per_length;
  /// energy length^n.
  static constexpr ParameterUnit energy_length(int n) { return {1, n, 0}; }
  /// energy radian^n.
  static constexpr ParameterUnit energy_angle(int n) { return {1, 0, n}; }
  /// length^n.
  static constexpr ParameterUnit length_to(int n) { return {0, n, 0}; }

  friend constexpr bool operator==(const ParameterUnit&, const ParameterUnit&) = default;
};
inline constexpr ParameterUnit ParameterUnit::none{};
inline constexpr ParameterUnit ParameterUnit::energy{1, 0, 0};
inline constexpr ParameterUnit ParameterUnit::length{0, 1, 0};
inline constexpr ParameterUnit ParameterUnit::per_length{0, -1, 0};

/// A parameter as configurations name it.
struct PotentialParameter {
  const char* name;
  const char* doc;
  ParameterUnit unit;
  ParameterRange range;
  /// The default of a triplet potential's; NaN: it has none. In eV and Angstrom, where it has a
  /// unit: it is one in units = "metal" only.
  double usual = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace gsim::md
