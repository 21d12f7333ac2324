#pragma once
// Bonds: interactions of two atoms that are bound, U(r). One is a struct, compiled by its plugin
// into the loop over bonds (bonded_loop.hpp) for every kind of processor and for GPUs:
//
//   namespace md_kernels, between GSIM_TARGET_BEGIN and GSIM_TARGET_END:
//   struct MyBond {
//     static constexpr char name[] = "its_word_in_configurations", doc[] = "its formula";
//     static constexpr md::PotentialParameter parameters[] = {…};
//     static constexpr int size = 2;      // numbers that bond() reads
//     static void coefficients(const double* p, double* c);
//     // A bond that grows longer ends the run, unless `max_length` says otherwise.
//     static double longest(const double* p);
//     template <Real R> static GSIM_HD LawTerms<R> bond(R r, const R* c);  // U, dU/dr
//   };
//
// and, in a .cu file that gsim_add_plugin() gets as one of its KERNELS,
//
//   GSIM_DECLARE_BONDED(my_word)
//   GSIM_DEFINE_BOND(my_word, MyBond)
//
// (bonded_kind.hpp says how gsim is told of it.)

#include "gsim/md/bonded/bonded_loop.hpp"
#include "gsim/md/pair_potentials/pair_potential.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// An energy, and its slope by the distance of a bond or the cosine of an angle.
template <class R>
struct LawTerms {
  R energy, slope;
};

/// What a law says of one bond.
template <class R>
struct BondResponse {
  R force_over_r, energy;
  mask_of<R> is_broken;  ///< longer than the law allows
};

template <class Law>
struct Bond {
  static constexpr int atoms = 2;
  template <bool Sums, Real R, class Rows>
  static GSIM_HD Outcome<R, 2> evaluate(const md::BondedJob& job, const Rows* row, Rows type) {
    const Vector<R> d = difference<R>(job, row[0], row[1]);
    const auto law = Law::template respond<Sums>(job, type, dot(d, d), row[0], row[1]);
    const Vector<R> f = scaled(law.force_over_r * job.force_scale, d);
    Outcome<R, 2> result;
    result.is_fault = law.is_broken | is_too_large(f, job.largest);
    set_force(result.force[0], f, result.is_fault);
    for (int a = 0; a < 3; ++a)
      result.force[1][a] = rebind<R, std::int64_t>(std::int64_t{0}) - result.force[0][a];
    if constexpr (Sums) {
      for (R& t : result.terms) t = R(0.0);
      add_virial(result.terms, d, f);
      scale_terms(job, law.energy, result.terms);
    }
    return result;
  }
};

/// A plugin's struct as a law. Constants: its own, longest^2.
template <class Struct>
struct OpenBond {
  static constexpr int constants = Struct::size + 1;
  template <bool Energy, Real R, class Types>
  static GSIM_HD BondResponse<R> respond(const md::BondedJob& job, Types type, R r2, Types, Types) {
    R c[constants];
    for (int k = 0; k < constants; ++k) c[k] = constant<R>(job, type, constants, k);
    const R r = sqrt(r2);
    const LawTerms<R> u = Struct::bond(r, c);
    return {-u.slope / r, u.energy, r2 > c[Struct::size]};
  }
};

}  // namespace md_kernels
GSIM_TARGET_END

/// The launcher bonded_NAME of a bond or an angle.
#define GSIM_DECLARE_BONDED(name) GSIM_DECLARE_LAUNCHER(bonded_##name, md::BondedJob)
#define GSIM_DEFINE_BOND(name, Struct)                                  \
  GSIM_DEFINE_LAUNCHER(bonded_##name, md::BondedJob) {                  \
    using namespace md_kernels;                                         \
    run_bonded<Bond<OpenBond<Struct>>>(executor, #name " bonds", args); \
  }
