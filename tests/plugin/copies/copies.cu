// Copies of gsim's own European and arithmetic Asian options and of its Black-Scholes and Heston
// models. As parts of a plugin they must give bitwise the same results, and must not be slower.
// LogSum tests payoffs that read logarithms of spots.

#include <gsim/pricing/sample_payoff.hpp>
#include <gsim/pricing/simulate_path.hpp>

GSIM_TARGET_BEGIN
namespace pricing_kernels {

// The elements of t.number are: 1 for a call or -1 for a put, the strike, and 1 / number of
// fixings.
template <class P, class T>
GSIM_HD P option_payoff(const PayoffTerms<T>& t, P spot) {
  return at_least(P(t.number[0]) * (spot - P(t.number[1])), P(T(0)));
}

template <class Policy, class P, class T>
struct EuropeanCopy {
  using State = P;
  static constexpr bool last_fixing_only = true;
  const PayoffTerms<T>* terms;

  GSIM_HD explicit EuropeanCopy(const PayoffTerms<T>& t) : terms(&t) {}
  GSIM_HD State start() const { return P(T(0)); }
  template <class Spots>
  GSIM_HD void on_fixing(State& last, Index, const Spots& spots) const {
    last = spots[terms->asset[0]];
  }
  GSIM_HD P value(const State& last) const { return option_payoff(*terms, last); }
};

template <class Policy, class P, class T>
struct AsianCopy {
  using State = P;
  const PayoffTerms<T>* terms;
  Index asset;

  GSIM_HD explicit AsianCopy(const PayoffTerms<T>& t) : terms(&t), asset(t.asset[0]) {}
  GSIM_HD State start() const { return P(T(0)); }
  template <class Spots>
  GSIM_HD void on_fixing(State& sum, Index, const Spots& spots) const {
    sum = sum + spots[asset];
  }
  GSIM_HD P value(const State& sum) const {
    return option_payoff(*terms, fma(sum, P(terms->number[2]), P(T(0))));
  }
};

/// Payoff: the sum over fixings of the logarithm of the spot, relative to today's spot.
template <class Policy, class P, class T>
struct LogSum {
  using State = P;
  static constexpr bool reads_logs = true;
  const PayoffTerms<T>* terms;

  GSIM_HD explicit LogSum(const PayoffTerms<T>& t) : terms(&t) {}
  GSIM_HD State start() const { return P(T(0)); }
  template <class Spots>
  GSIM_HD void on_fixing(State& sum, Index, const Spots& spots) const {
    sum = sum + spots.log(terms->asset[0]);
  }
  GSIM_HD P value(const State& sum) const { return sum; }
};

/// The constants of a step are the drift and the standard deviation of the log return.
template <class Policy, class P, class T>
struct BlackScholesCopy {
  using State = P;
  static constexpr int normals = 1;
  static constexpr bool bridged = true;
  PathModelTerms<T> terms;

  GSIM_HD explicit BlackScholesCopy(const PathModelTerms<T>& t) : terms(t) {}
  GSIM_HD State start() const { return P(T(0)); }
  template <class Draws>
  GSIM_HD P step(Index k, State& x, const Draws& draws) const {
    const T* const c = terms.of_step(k);
    x = x + fma(P(c[1]), draws.normal(0), P(c[0]));
    return P(c[1]) * P(c[1]);
  }
  GSIM_HD P log_spot(const State& x) const { return x; }
};

/// Andersen's QE scheme, as in kernels/pricing/path_models/heston_qe.hpp, which cites the sources.
template <class Policy, class P, class T>
struct HestonCopy {
  struct State {
    P x, v;
  };
  struct Constants {  // in the order of heston_step() in plugin.cpp
    T decay, mean_offset, s2_slope, s2_offset, k0, k1, k2, k3, k4, a, half_k3, half_dt, drift;
  };
  static constexpr int normals = 2;
  // vector registers of paths that are simulated together
  static constexpr int registers = sizeof(T) == 8 ? 4 : 2;
  static constexpr bool bridged = true;
  PathModelTerms<T> terms;

  GSIM_HD explicit HestonCopy(const PathModelTerms<T>& t) : terms(t) {}
  GSIM_HD State start() const { return {P(T(0)), P(terms.number[0])}; }
  template <class Draws>
  GSIM_HD P step(Index k, State& s, const Draws& draws) const {
    const auto& c = *reinterpret_cast<const Constants*>(terms.of_step(k));
    const P v = s.v, z_s = draws.normal(0), z_v = draws.normal(1);
    const P one(T(1)), two(T(2));
    const P m = at_least(fma(v, P(c.decay), P(c.mean_offset)), P(tiny<T>()));
    const P psi = fma(v, P(c.s2_slope), P(c.s2_offset)) / (m * m);
    const P psi_q = at_most(psi, two);
    const P g = two + sqrt(fma(psi_q, P(T(-2)), P(T(4))));
    const P scale = m / g, rest = g - psi_q;
    const P root = fma(sqrt(psi_q), z_v, sqrt(rest));
    P next = scale * (root * root);
    P existence = fma(scale * psi_q, P(T(-2) * c.a), one);
    P divisor = at_least(existence, P(tiny<T>())), log_argument = divisor;
    P dividend = (scale * P(c.a)) * rest;
    const auto exponential = psi > P(T(1.5));
    if (any(exponential)) {
      const P h = fma(psi, P(T(0.5)), P(T(0.5))), inverse_beta = m * h;
      const P tail = normal_cdf<Policy>(-z_v);
      const P drawn = at_least(inverse_beta * -log_unit<Policy>(tail * h), P(T(0)));
      next = select(exponential, drawn, next);
      existence = select(exponential, one - P(c.a) * inverse_beta, existence);
      const P safe = at_least(existence, P(tiny<T>()));
      dividend = select(exponential, h * safe, dividend);
      divisor = select(exponential, fma(h, safe, one - safe), divisor);
    }
    const P ratio = dividend / divisor;
    log_argument = select(exponential, ratio * ratio, log_argument);
    const P correction =
        fma(P(T(0.5)), log_unit<Policy>(log_argument), select(exponential, P(T(0)), -ratio));
    const P corrected = fma(P(-c.half_k3), v, correction);
    const P plain = fma(P(c.k1), v, P(c.k0));
    const P mean = select(existence > P(tiny<T>()), corrected, plain);
    const P spread = sqrt(fma(P(c.k3), v, P(c.k4) * next));
    s.x = s.x + fma(spread, z_s, fma(P(c.k2), next, mean) + P(c.drift));
    s.v = next;
    return P(c.half_dt) * (v + next);
  }
  GSIM_HD P log_spot(const State& s) const { return s.x; }
};

}  // namespace pricing_kernels
GSIM_TARGET_END

GSIM_DEFINE_PAYOFF(european_copy, EuropeanCopy)
GSIM_DEFINE_PAYOFF(asian_copy, AsianCopy)
GSIM_DEFINE_PAYOFF(log_sum, LogSum)
GSIM_DEFINE_PATH_MODEL(black_scholes_copy, BlackScholesCopy)
GSIM_DEFINE_PATH_MODEL(heston_copy, HestonCopy)
