// Heston's variance and log-spot, with the jumps of Bates' model, under the measure of a short
// rate's numeraire with which the spot is correlated. Given the path of the variance, the log-spot
// and the factors of the rate are jointly normal; the measure moves the log-spot by a sum of their
// covariances, which this model simulates with the variance (exposures/random_covariance.hpp).
// It also simulates a rate that is correlated with such a spot, an exchange rate, whose variance
// the normals are those of.

#include "gsim/pricing/simulate_path.hpp"
#include "kernels/pricing/path_models/heston_qe.hpp"
#include "kernels/pricing/path_models/jumps.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The numbers of the asset are v0, mean and standard deviation of a jump, and n, the number of
/// terms of the distributions of the number of jumps. Those of a step are the drift of the
/// log-spot, the members of QeStep, for each of two factors of the rate what is left of a
/// covariance, the covariance of the step per unit of a deviation d, and the weight of the
/// covariance in the log-spot; the factor of the first normal that is added to what the log-spot
/// has by QeStep; the factors of the variances at the ends of the step in d^2; and n terms P(jumps
/// <= j).
template <class Policy, class P, class T>
struct HestonWithRates {
  struct State {
    P x, v;           ///< the log-spot without `shift`, and the variance
    P covariance[2];  ///< with the factors of the rate
    P shift;          ///< their weighted sum
  };
  static constexpr int normals = 2;
  static constexpr bool bridged = true;
  static constexpr int first_of_factors = 13, of_factor = 3, own = 19, of_deviation = 20,
                       first_of_jumps = 22;
  PathModelTerms<T> terms;

  GSIM_HD explicit HestonWithRates(const PathModelTerms<T>& t) : terms(t) {}
  GSIM_HD State start() const {
    const P zero(T(0));
    return {zero, P(terms.number[0]), {zero, zero}, zero};
  }
  template <class Draws>
  GSIM_HD P step(Index k, State& s, const Draws& draws) const {
    const T* const c = terms.of_step(k);
    const QeStep<T> qe{c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10], c[11], c[12]};
    const auto moved = heston_qe_step<Policy>(qe, s.x, s.v, draws.normal(0), draws.normal(1), c[0]);
    const T* const d = c + of_deviation;
    const P deviation = sqrt_by_iteration<Policy>(fma(P(d[0]), s.v, P(d[1]) * moved.v));
    s.shift = P(T(0));
    for (int i = 0; i < 2; ++i) {
      const T* const f = c + first_of_factors + i * of_factor;
      s.covariance[i] = fma(P(f[0]), s.covariance[i], P(f[1]) * deviation);
      s.shift = fma(P(f[2]), s.covariance[i], s.shift);
    }
    s.x = fma(P(c[own]), draws.normal(0), moved.x);
    s.v = moved.v;
    const int jump_terms = static_cast<int>(terms.number[3]);
    if (jump_terms > 0) {
      const P n = jump_count(draws.uniform(0), c + first_of_jumps, jump_terms);
      if (any(n > P(T(0))))
        s.x = s.x + jump_sum(n, draws.further_normal(0), terms.number[1], terms.number[2]);
    }
    return moved.variance;
  }
  GSIM_HD P log_spot(const State& s) const { return s.x + s.shift; }
  GSIM_HD P variance(const State& s) const { return s.v; }
};

}  // namespace pricing_kernels
GSIM_TARGET_END

GSIM_DEFINE_PATH_MODEL(heston_with_rates, HestonWithRates)
