#pragma once
// Bonds: interactions U(r) of two bonded atoms. A bond style is one struct in one header. The build
// finds those in kernels/md/bonded/bonds by their `name`, compiles their kernels and registers
// them; a plugin registers its own (bonded_kind.hpp).
//
//   namespace md_kernels, between GSIM_TARGET_BEGIN and GSIM_TARGET_END:
//   struct MyBond {
//     static constexpr char name[] = "its_name_in_configurations", doc[] = "its formula";
//     static constexpr md::PotentialParameter parameters[] = {…};
//     static constexpr int size = 2;      // coefficients that bond() reads
//     static void coefficients(const double* p, double* c);
//     // A longer bond ends the run, unless `max_length` in the configuration gives another limit.
//     static double longest(const double* p);
//     template <Real R> static GSIM_HD EnergyAndSlope<R> bond(R r, const R* c);  // U, dU/dr
//   };
//
// and, in a .cu file that is listed in the KERNELS of gsim_add_plugin(),
//
//   GSIM_DECLARE_BOND(my_name)
//   GSIM_DEFINE_BOND(my_name, MyBond)
//
// Optional members:
//
//   // The force over the distance -U'(r) / r, and U, as functions of r^2. It replaces bond() for
//   // styles that need no square root or must not divide by r.
//   template <bool Energy, Real R> static GSIM_HD BondResponse<R> respond(R r2, const R* c);
//   // Checks values of the parameters that are each within their range: returns a message if they
//   // are invalid together or with `longest`, which is max_length; else null.
//   static const char* problem(const double* p, double longest);
//   // The largest |U| and |U'| of a bond up to the length `longest`. Without this member a search
//   // finds them.
//   static EnergyAndSlope<double> largest(const double* p, double longest);
//   // A text for longest() in the documentation of max_length.
//   static constexpr char longest_doc[] = "2 r0";
//   // The name of the bond style in LAMMPS, whose coefficients in data files are `parameters`.
//   static constexpr char lammps_style[] = "harmonic";

#include "gsim/md/bonded/bonded_loop.hpp"
#include "gsim/md/pair_potentials/pair_potential.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// An energy, and its derivative by the distance of a bond or the cosine of an angle.
template <class R>
struct EnergyAndSlope {
  R energy, slope;
};

/// The force on the first atom over the vector from the second, -U'(r) / r; and the energy.
template <class R>
struct BondResponse {
  R force_over_r, energy;
};

template <class Style, bool Energy, Real R>
GSIM_HD BondResponse<R> bond_response(R r2, const R* c) {
  if constexpr (requires { Style::template respond<Energy>(r2, c); }) {
    return Style::template respond<Energy>(r2, c);
  } else {
    const R r = sqrt(r2);
    const EnergyAndSlope<R> u = Style::bond(r, c);
    return {-u.slope / r, u.energy};
  }
}

/// Forces, energy and virial of two atoms that are `d` apart (first minus second).
template <bool Sums, Real R>
GSIM_HD BondedResult<R, 2> bond_result(const md::BondedJob& job, const Vector<R>& d,
                                       const BondResponse<R>& u, mask_of<R> is_too_long) {
  const Vector<R> f = scaled(u.force_over_r * job.force_scale, d);
  BondedResult<R, 2> result;
  result.is_fault = is_too_long | is_too_large(f, job.largest);
  set_force(result.force[0], f, result.is_fault);
  for (int a = 0; a < 3; ++a)
    result.force[1][a] = rebind<R, std::int64_t>(std::int64_t{0}) - result.force[0][a];
  if constexpr (Sums) {
    for (R& t : result.energy_virial) t = R(0.0);
    add_virial(result.energy_virial, d, f);
    scale_energy_virial(job, u.energy, result.energy_virial);
  }
  return result;
}

/// Constants of a type: the style's coefficients, then max_length^2.
template <class Style>
struct Bond {
  static constexpr int atoms = 2, constants = Style::size + 1;
  template <bool Sums, Real R, class Rows>
  static GSIM_HD BondedResult<R, 2> evaluate(const md::BondedJob& job, const Rows* row, Rows type) {
    const Vector<R> d = difference<R>(job, row[0], row[1]);
    const R r2 = dot(d, d);
    R c[constants];
    for (int k = 0; k < constants; ++k) c[k] = constant<R>(job, type, constants, k);
    return bond_result<Sums>(job, d, bond_response<Style, Sums>(r2, c), r2 > c[Style::size]);
  }
};

}  // namespace md_kernels
GSIM_TARGET_END

/// The launcher bond_NAME of a bond style.
#define GSIM_DECLARE_BOND(name) GSIM_DECLARE_LAUNCHER(bond_##name, md::BondedJob)
#define GSIM_DEFINE_BOND(name, Style)                                                            \
  GSIM_DEFINE_LAUNCHER(bond_##name, md::BondedJob) {                                             \
    md_kernels::run_bonded<md_kernels::Bond<md_kernels::Style>>(executor, #name " bonds", args); \
  }
