#pragma once
// Pair potentials u(r). A pair potential is one struct in one header. The build finds those in
// kernels/md/pair_potentials by their `name`, compiles their kernels and registers them as kinds of
// [[pair.potential]]; a plugin passes its header to gsim_add_plugin() (potential_kind.hpp). Tests,
// and `gsim plugin check`, compare its force with the derivative of its energy.
//
//   namespace md_kernels, between GSIM_TARGET_BEGIN and GSIM_TARGET_END:
//   struct Name {
//     static constexpr char name[] = "its_name_in_configurations", doc[] = "its formula";
//     static constexpr PotentialParameter parameters[] = {…};
//     static constexpr int size = 2;          // coefficients that force() and energy() read
//     static constexpr bool is_steep = false; // see below
//     static constexpr bool is_charged = false;  // it is multiplied by the product of the charges
//     // The coefficients for parameters p, of energies times `scale`.
//     static void coefficients(const double* p, double scale, double* c);
//     // Atoms nearer to each other than this overlap, which ends the run; NaN: `closest` is
//     // required in the configuration.
//     static double closest(const double* p, double cutoff);
//     template <Real R> static R force(R r2, const R* c);   // -du/dr / r
//     template <Real R> static R energy(R r2, const R* c);  // u
//   };
//
// is_steep: where |F/r| is large, it decreases with r at least as steeply as that of Lennard-Jones,
// so that forces between atoms of one type can be summed in 32 bits (is_narrow() in
// neighbour_lists/cluster_list.hpp).

#include <cstddef>
#include <limits>

#include "gsim/math/pack.hpp"

namespace gsim::md {

/// `angle`: 0 to 180 degrees.
enum class ParameterRange { any, not_negative, positive, angle };

/// The unit of a parameter as integer powers of the units of energy, length and angle of the run.
/// For example, energy_length(6) is the unit of the Lennard-Jones coefficient C6, energy_length(-2)
/// that of the force constant of a harmonic bond, energy_angle(-2) that of a harmonic angle.
struct ParameterUnit {
  int energy_power = 0, length_power = 0, angle_power = 0;  ///< angles are in radians
  bool is_in_degrees = false;                               ///< the powers are 0

  static const ParameterUnit none, energy, length, per_length, degrees;
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
inline constexpr ParameterUnit ParameterUnit::degrees{0, 0, 0, true};

/// A parameter; `name` is its key in configurations.
struct PotentialParameter {
  const char* name;
  const char* doc;
  ParameterUnit unit;
  ParameterRange range;
  /// The default of a parameter of a bond or of a three-body potential; NaN: it is required. The
  /// defaults of three-body potentials are in eV and Angstrom, and thus valid in units = "metal"
  /// only.
  double default_value = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace gsim::md
