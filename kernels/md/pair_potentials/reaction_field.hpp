#pragma once
// Coulomb's law within a sphere that is surrounded by a dielectric medium (Barker and Watts, Mol.
// Phys. 26 (1973) 789), as in Tironi, Sperb, Smith and van Gunsteren, J. Chem. Phys. 102 (1995)
// 5451, eqs. 23-25, without ions in the medium: u(r) = k q_i q_j (1/r + k_rf r^2 - c_rf),
// k_rf = (e_rf - 1) / ((2 e_rf + 1) r_c^3), c_rf = 1/r_c + k_rf r_c^2 (zero energy at the cutoff).
// gsim/md/pair_potentials/pair_potential.hpp describes the members.

#include "gsim/md/pair_potentials/pair_potential.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct ReactionField {
  static constexpr char name[] = "reaction_field";
  static constexpr char doc[] = "q_i q_j (1/r + k_rf r^2 - c_rf)";
  static constexpr md::PotentialParameter parameters[] = {
      {"constant", "energy of two unit charges at unit distance",
       md::ParameterUnit::energy_length(1), md::ParameterRange::positive},
      {"k_rf", "strength of the field", md::ParameterUnit::length_to(-3), md::ParameterRange::any},
      {"c_rf", "shift of the energy", md::ParameterUnit::per_length, md::ParameterRange::any}};
  static constexpr int size = 4;
  static constexpr bool is_steep = false, is_charged = true;

  /// c = {k, -2 k k_rf, k k_rf, -k c_rf}.
  static void coefficients(const double* p, double scale, double* c) {
    c[0] = p[0] * scale;
    c[1] = -2 * p[0] * scale * p[1];
    c[2] = p[0] * scale * p[1];
    c[3] = -p[0] * scale * p[2];
  }
  static double closest(const double* /*p*/, double cutoff) { return cutoff / 20; }

  /// -du/dr / r, as a function of r^2.
  template <Real R>
  static GSIM_HD R force(R r2, const R* c) {
    return c[0] / (r2 * sqrt(r2)) + c[1];
  }
  template <Real R>
  static GSIM_HD R energy(R r2, const R* c) {
    return c[0] / sqrt(r2) + fma(c[2], r2, c[3]);
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
