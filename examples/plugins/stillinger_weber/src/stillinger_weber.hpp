#pragma once
// F. H. Stillinger and T. A. Weber, Phys. Rev. B 31, 5262 (1985), section II, with lengths in
// sigma and energies in epsilon:
//   u(r) = A (B r^-p - r^-q) exp(1 / (r - a)),
//   h(r1, r2, cos) = lambda exp(gamma / (r1 - a) + gamma / (r2 - a)) (cos + 1/3)^2,
// for distances r, r1 and r2 below a; beyond, both are 0, as are all their derivatives at a.
// gsim/md/many_body/three_body_potential.hpp describes the members.

#include <gsim/math/exp.hpp>
#include <gsim/md/many_body/three_body_potential.hpp>

GSIM_TARGET_BEGIN
namespace md_kernels {

struct StillingerWeber {
  static constexpr char name[] = "stillinger_weber";
  static constexpr char doc[] =
      "pairs, and three-body terms that are zero where the cosine of the angle is -1/3 (Stillinger "
      "and Weber 1985); the defaults are silicon";
  // Silicon: epsilon is 50 kcal/mol, sigma gives the lattice constant 5.431 Angstrom.
  static constexpr md::PotentialParameter parameters[] = {
      {"epsilon", "energy scale: depth of the well of a pair", md::ParameterUnit::energy,
       md::ParameterRange::positive, 2.1683},
      {"sigma", "length scale; a pair's well is at 2^(1/6) of it", md::ParameterUnit::length,
       md::ParameterRange::positive, 2.0951},
      {"A", "strength of pairs", md::ParameterUnit::none, md::ParameterRange::positive,
       7.049556277},
      {"B", "weight of the repulsion", md::ParameterUnit::none, md::ParameterRange::not_negative,
       0.6022245584},
      {"p", "exponent of the repulsion, a whole number", md::ParameterUnit::none,
       md::ParameterRange::not_negative, 4},
      {"q", "exponent of the attraction, a whole number below p", md::ParameterUnit::none,
       md::ParameterRange::not_negative, 0},
      {"a", "cutoff, in sigma", md::ParameterUnit::none, md::ParameterRange::positive, 1.8},
      {"lambda", "strength of the three-body terms", md::ParameterUnit::none,
       md::ParameterRange::not_negative, 21},
      {"gamma", "range of the three-body terms, in sigma", md::ParameterUnit::none,
       md::ParameterRange::positive, 1.2}};
  static constexpr int max_exponent = 12;
  /// exp(gamma / (r - a)) falls from 0.9 to 0 within 10 gamma of the cutoff, with a slope of up to
  /// 0.54 / gamma. For smaller gamma it is not yet 0 where inverse_to_cutoff()
  /// becomes constant next to the cutoff, and no practical time step resolves its decrease.
  static constexpr double min_gamma = 0.025;

  /// p: the values of `parameters`, in their order, as in all functions below.
  static const char* problem(const double* p) {
    const auto is_whole = [](double x) { return x == static_cast<double>(static_cast<int>(x)); };
    if (p[4] > max_exponent || !is_whole(p[4]) || !is_whole(p[5]))
      return "p and q must be whole numbers, and p at most 12";
    if (!(p[4] > p[5])) return "p must be above q: the repulsion is the steeper part";
    if (!(p[6] > 0.7)) return "a must be above 0.7: nearer atoms overlap";
    return p[8] >= min_gamma ? nullptr
                             : "gamma must be at least 0.025: the three-body terms would end in "
                               "a step at the cutoff";
  }

  // c = {1 / sigma, A epsilon, B, p, q, a, lambda epsilon, gamma}
  static constexpr int size = 8;
  static void coefficients(const double* p, double scale, double* c) {
    c[0] = 1 / p[1];
    c[1] = p[2] * p[0] * scale;
    for (int k = 2; k < 6; ++k) c[k] = p[k + 1];
    c[6] = p[7] * p[0] * scale;
    c[7] = p[8];
  }
  static double cutoff(const double* p) { return p[6] * p[1]; }
  /// 1.26 Angstrom in silicon, whose bonds are 2.35 long; u is 11 epsilon there.
  static double closest(const double* p) { return 0.6 * p[1]; }

  template <Real R>
  static GSIM_HD PairTerms<R> pair(R r, const R* c) {
    const R x = r * c[0], i = R(1) / x, end = inverse_to_cutoff(x, c);
    const R repulsion = c[2] * power(i, c[3]), attraction = power(i, c[4]);
    const R strength = c[1] * exp<Strict>(-end);
    // The derivative of each power is the power times its exponent over -x, and the derivative of
    // the exponential is the exponential times -1 / (x - a)^2.
    const R powers = repulsion - attraction;
    const R slope = fma(c[3], repulsion, -(c[4] * attraction)) * i;
    return {strength * powers, -strength * fma(end * end, powers, slope) * c[0]};
  }

  /// exp(gamma / (r - a)) and its derivative.
  template <class R>
  struct Leg {
    R value, slope;
  };
  template <Real R>
  static GSIM_HD Leg<R> leg(R r, const R* c) {
    const R end = inverse_to_cutoff(r * c[0], c);
    const R value = exp<Strict>(-c[7] * end);
    return {value, -c[7] * end * end * value * c[0]};
  }

  template <Real R>
  static GSIM_HD ThreeBodyTerms<R> three_body(R /*r1*/, const Leg<R>& leg1, R /*r2*/,
                                              const Leg<R>& leg2, R cosine, const R* c) {
    const R bend = cosine + R(1) / R(3), both = leg1.value * leg2.value;
    const R strength = c[6] * bend, square = strength * bend;
    return {square * both, square * leg1.slope * leg2.value, square * leg1.value * leg2.slope,
            R(2) * strength * both};
  }

 private:
  /// 1 / (a - x); next to the cutoff a number whose exponential is 0 and whose square is finite.
  template <Real R>
  static GSIM_HD R inverse_to_cutoff(R x, const R* c) {
    const R distance = c[5] - x, min_distance = R(0x1p-12f);
    return R(1) / (distance > min_distance ? distance : min_distance);
  }
  /// x to the power `exponent`, an integer.
  template <Real R>
  static GSIM_HD R power(R x, R exponent) {
    R result(1);
    for (R k(0); k < exponent; k = k + R(1)) result = result * x;
    return result;
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
