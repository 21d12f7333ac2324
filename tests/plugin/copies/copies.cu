// European and arithmetic Asian options, copied from gsim's own: as a plugin they must give the
// same bits, and take no longer.

#include <gsim/pricing/sample_payoff.hpp>

GSIM_TARGET_BEGIN
namespace pricing_kernels {

// Numbers: sign, strike, and 1 / fixings.
template <class P, class T>
GSIM_HD P paid(const PayoffTerms<T>& t, P spot) {
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
  GSIM_HD P value(const State& last) const { return paid(*terms, last); }
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
    return paid(*terms, fma(sum, P(terms->number[2]), P(T(0))));
  }
};

/// The sum of the logarithms, relative to the spot today.
template <class Policy, class P, class T>
struct LogSum {
  using State = P;
  const PayoffTerms<T>* terms;

  GSIM_HD explicit LogSum(const PayoffTerms<T>& t) : terms(&t) {}
  GSIM_HD State start() const { return P(T(0)); }
  template <class Spots>
  GSIM_HD void on_fixing(State& sum, Index, const Spots& spots) const {
    sum = sum + spots.log(terms->asset[0]);
  }
  GSIM_HD P value(const State& sum) const { return sum; }
};

}  // namespace pricing_kernels
GSIM_TARGET_END

GSIM_DEFINE_PAYOFF(european_copy, EuropeanCopy)
GSIM_DEFINE_PAYOFF(asian_copy, AsianCopy)
GSIM_DEFINE_PAYOFF(log_sum, LogSum)
