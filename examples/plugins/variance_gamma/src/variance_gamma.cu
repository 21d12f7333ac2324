// The variance gamma process over a time step, exact for steps of any length: one source for all
// processors and for GPUs.

#include <gsim/pricing/simulate_path.hpp>

#include "terms.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// X' = X + theta G + sigma sqrt(G) z, with G the gamma time of the step: a Brownian motion with
/// drift, evaluated at a random time (Madan, Carr and Chang 1998, eq. 6).
template <class Policy, class P, class T>
struct VarianceGamma {
  using State = P;  ///< the log-spot
  static constexpr int normals = 1;
  PathModelTerms<T> terms;
  T sigma, theta, nu;

  GSIM_HD explicit VarianceGamma(const PathModelTerms<T>& t)
      : terms(t),
        sigma(t.number[variance_gamma::sigma]),
        theta(t.number[variance_gamma::theta]),
        nu(t.number[variance_gamma::nu]) {}

  GSIM_HD State start() const { return P(T(0)); }

  template <class Draws>
  GSIM_HD void step(Index k, State& x, const Draws& draws) const {
    const T* const c = terms.of_step(k);
    const P time = P(nu) * standard_gamma(c, draws);
    const P increment = fma(P(sigma) * sqrt(time), draws.normal(0), P(c[variance_gamma::drift]));
    x = x + fma(P(theta), time, increment);
  }

  GSIM_HD P log_spot(const State& x) const { return x; }

 private:
  /// A gamma variate of the step's shape by rejection (Marsaglia and Tsang, ACM Transactions on
  /// Mathematical Software 26, 363 (2000)). Attempt i uses draws i, so that the result of a path
  /// does not depend on the number of attempts of other paths. Fewer than one path in 10^9 needs 20
  /// attempts.
  template <class Draws>
  GSIM_HD P standard_gamma(const T* c, const Draws& draws) const {
    constexpr Index max_attempts = 64;
    const P one(T(1)), zero(T(0)), d(c[variance_gamma::offset]);
    P gamma = d;
    auto is_pending = one > zero;  // true everywhere
    for (Index i = 0; i < max_attempts && any(is_pending); ++i) {
      const P z = draws.further_normal(i);
      const P root = fma(P(c[variance_gamma::scale]), z, one);
      const P v = root * root * root;
      const P log_v = log<Policy>(at_least(v, P(tiny<T>())));
      const P bound = fma(P(T(0.5)) * z, z, d * ((one - v) + log_v));
      const auto accepted =
          is_pending & (v > zero) & (log_unit<Policy>(draws.uniform(i + 1)) < bound);
      gamma = select(accepted, d * v, gamma);
      is_pending = is_pending & !accepted;
    }
    const T inverse = c[variance_gamma::inverse_shape];
    if (inverse == T(0)) return gamma;
    // A variate of shape a < 1 is one of shape a + 1 multiplied by u^(1/a).
    // The argument of exp_bounded() is bounded below, where the factor is negligible.
    const P lowest_log(sizeof(T) == 8 ? T(-600) : T(-80));
    const P logarithm = at_least(P(inverse) * log_unit<Policy>(draws.uniform(0)), lowest_log);
    return gamma * exp_bounded<Policy>(logarithm);
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END

GSIM_DEFINE_PATH_MODEL(variance_gamma, VarianceGamma)
