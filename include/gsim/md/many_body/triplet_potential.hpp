#pragma once
// A triplet potential: U = sum over pairs of u(r) + sum over atoms i and pairs j, k of their
// neighbours of h(r_ij, r_ik, cos theta_jik), both sums within a cutoff where u and h have come to
// 0. One is a struct; md/triplet_forces.hpp has the loop that a plugin compiles around it for every
// kind of processor and for GPUs, and md/triplet_kind.hpp what gsim is told of it.
//
//   namespace md_kernels, between GSIM_TARGET_BEGIN and GSIM_TARGET_END:
//   struct Name {
//     static constexpr char name[] = "its_word_in_configurations", doc[] = "one line";
//     static constexpr md::PotentialParameter parameters[] = {…};
//     // What is wrong with parameters that are in their ranges each; null: nothing.
//     static const char* problem(const double* p);
//     static constexpr int size = 7;      // coefficients that the functions read
//     // The coefficients for parameters p, of energies times `scale`.
//     static void coefficients(const double* p, double scale, double* c);
//     static double cutoff(const double* p);
//     // Atoms nearer to each other than this overlap, in no sound run.
//     static double closest(const double* p);
//     template <Real R> static PairTerms<R> pair(R r, const R* c);
//     // What h needs of one of its distances alone: computed once a neighbour, not once a triplet.
//     template <class R> struct Leg {…};
//     template <Real R> static Leg<R> leg(R r, const R* c);
//     template <Real R> static TripletTerms<R> triplet(R r1, const Leg<R>& leg1, R r2,
//                                                      const Leg<R>& leg2, R cosine, const R* c);
//   };
//
// h is the same with j and k exchanged (which of them comes first is decided by their ids, so that
// the last bit is, too). `gsim plugin check` holds slopes against energies, and what the potential
// is at its cutoff.

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
struct TripletTerms {
  R energy, by_r1, by_r2, by_cosine;
};

}  // namespace md_kernels
GSIM_TARGET_END
