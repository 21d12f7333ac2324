#pragma once
// Three-body potentials: U = sum over pairs of u(r) + sum over atoms i and pairs j, k of their
// neighbours of h(r_ij, r_ik, cos theta_jik), both within a cutoff at which u and h are zero. A
// three-body potential is one struct; three_body_forces.hpp has the loop that a plugin compiles
// with it for every kind of processor and for GPUs, and three_body_kind.hpp the record that it
// registers.
//
//   namespace md_kernels, between GSIM_TARGET_BEGIN and GSIM_TARGET_END:
//   struct Name {
//     static constexpr char name[] = "its_name_in_configurations", doc[] = "one line";
//     static constexpr md::PotentialParameter parameters[] = {…};
//     // A problem of parameters that are within their ranges, for messages; null: none.
//     static const char* problem(const double* p);
//     static constexpr int size = 7;      // coefficients that the functions read
//     // The coefficients for parameters p, of energies times `scale`.
//     static void coefficients(const double* p, double scale, double* c);
//     static double cutoff(const double* p);
//     // Atoms nearer to each other than this overlap, which ends the run.
//     static double closest(const double* p);
//     template <Real R> static PairTerms<R> pair(R r, const R* c);
//     // The part of h that depends on one distance alone; computed once for each neighbour.
//     template <class R> struct Leg {…};
//     template <Real R> static Leg<R> leg(R r, const R* c);
//     template <Real R> static ThreeBodyTerms<R> three_body(R r1, const Leg<R>& leg1, R r2,
//                                                      const Leg<R>& leg2, R cosine, const R* c);
//   };
//
// h must be symmetric in j and k; the atom with the lower id is first, so that rounding is the same
// on all ranks. `gsim plugin check` compares the derivatives with differences of the energies, and
// checks that the potential vanishes at its cutoff.

#include "gsim/md/pair_potentials/pair_potential.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// u and du/dr.
template <class R>
struct PairTerms {
  R energy, slope;
};

/// h and its derivatives by r_ij, r_ik and the cosine of the angle between them.
template <class R>
struct ThreeBodyTerms {
  R energy, by_r1, by_r2, by_cosine;
};

}  // namespace md_kernels
GSIM_TARGET_END
