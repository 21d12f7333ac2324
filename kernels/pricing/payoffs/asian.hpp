#pragma once
// Payoffs on an average over the fixings: options on the average, or options with the average as
// strike (average_strike; terms as in Kemna and Vorst 1990).

#include "kernels/pricing/payoffs/terminal.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The average is arithmetic or geometric (the exponential of the mean logarithm).
template <class Policy, class P, class U, class T, bool geometric, bool weighted>
struct AsianPayoff {
  struct State {
    P sum, last;
  };
  const PayoffView<T>* terms;
  U underlying;

  GSIM_HD explicit AsianPayoff(const PayoffView<T>& p) : terms(&p), underlying(p) {}
  GSIM_HD State start() const { return {P(T(0)), P(T(0))}; }

  template <class Spots>
  GSIM_HD void on_fixing(State& s, Index i, const Spots& spots) const {
    P term;
    if constexpr (geometric) {
      term = underlying.log_spot(spots);
      if (terms->average_strike) s.last = underlying.spot(spots);
    } else {
      term = s.last = underlying.spot(spots);
    }
    if constexpr (weighted) {
      s.sum = fma(P(terms->fixing_weight[i]), term, s.sum);
    } else {
      s.sum = s.sum + term;
    }
  }
  GSIM_HD P value(const State& s) const {
    const PayoffView<T>& p = *terms;
    P average = fma(s.sum, P(p.inverse_count), P(p.past_average));
    if constexpr (geometric) average = exp<Policy>(average);
    return p.average_strike ? call_or_put(s.last, average, p.sign)
                            : call_or_put(average, P(p.strike), p.sign);
  }
};

template <>
struct PayoffOf<PayoffFormula::asian_arithmetic> {
  template <class Policy, class P, class U, class T, class Use>
  static GSIM_HD void with_functor(const PayoffView<T>& terms, const Use& use) {
    if (terms.fixing_weight != nullptr)
      return use(AsianPayoff<Policy, P, U, T, false, true>(terms));
    use(AsianPayoff<Policy, P, U, T, false, false>(terms));
  }
};

template <>
struct PayoffOf<PayoffFormula::asian_geometric> {
  static constexpr bool reads_logs = true;
  template <class Policy, class P, class U, class T, class Use>
  static GSIM_HD void with_functor(const PayoffView<T>& terms, const Use& use) {
    if (terms.fixing_weight != nullptr) return use(AsianPayoff<Policy, P, U, T, true, true>(terms));
    use(AsianPayoff<Policy, P, U, T, true, false>(terms));
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
