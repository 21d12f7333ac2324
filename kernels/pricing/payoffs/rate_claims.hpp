#pragma once
// Claims on interest rates in Gaussian models: sums of exponentials of the state at each date, or
// their positive parts.

#include "kernels/pricing/payoffs/payoff_of.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The sum over the dates of the trade of A, or of max(A, 0), with A = sum_j c_j exp(-sum_i h_ij ln
/// S_i) over its one or two assets, and S_i(0) = 1. PayoffView::number holds three numbers per
/// date, the position of the first c_j, the number of terms, and 1 if the date has the positive
/// part; then the terms c_j, h_1j and, with two assets, h_2j.
template <class Policy, class P, class T>
struct RateClaimsPayoff {
  struct State {
    P sum;
  };
  const PayoffView<T>* terms;

  GSIM_HD explicit RateClaimsPayoff(const PayoffView<T>& p) : terms(&p) {}
  GSIM_HD State start() const { return {P(T(0))}; }
  template <class Spots>
  GSIM_HD void on_fixing(State& s, Index i, const Spots& spots) const {
    const T* const date = terms->number + 3 * i;
    const bool has_two = terms->assets == 2;
    const P x = spots.log(terms->asset[0]), y = has_two ? spots.log(terms->asset[1]) : x;
    const Index length = has_two ? 3 : 2;
    const T* term = terms->number + static_cast<Index>(date[0]);
    const T* const end = term + length * static_cast<Index>(date[1]);
    P sum(T(0));
    for (; term != end; term += length) {
      P exponent = P(-term[1]) * x;
      if (has_two) exponent = fma(P(-term[2]), y, exponent);
      sum = fma(P(term[0]), exp<Policy>(exponent), sum);
    }
    s.sum = s.sum + (date[2] > T(0) ? at_least(sum, P(T(0))) : sum);
  }
  GSIM_HD P value(const State& s) const { return s.sum; }
};

template <>
struct PayoffOf<PayoffFormula::rate_claims> {
  static constexpr bool reads_logs = true;
  static constexpr bool is_fused = false;
  template <class Policy, class P, class U, class T, class Use>
  static GSIM_HD void with_functor(const PayoffView<T>& terms, const Use& use) {
    use(RateClaimsPayoff<Policy, P, T>(terms));
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
