#pragma once
// Derivatives of payoffs with respect to the underlying at each fixing. GradientOf<formula> holds a
// functor that is constructed from the constants and the final state of the payoff's functor, and
// called for the fixings from the last to the first:
//   P at(Index i, const Fixings& u)   with respect to the underlying at fixing i, or to its
//                                     logarithm where the payoff reads logarithms;
// u.spot(i) and u.log(i) are the underlying and its logarithm. At a kink it is the derivative on
// one side.

#include "kernels/pricing/payoffs/dispatch.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// `a` where gain > 0, else 0: the derivative of max(gain, 0) where that of the gain is `a`.
template <class P, class T>
GSIM_HD P where_positive(P gain, T a) {
  return select(gain > P(T(0)), P(a), P(T(0)));
}

/// Formulas without a gradient have no specialisation.
template <PayoffFormula formula>
struct GradientOf;

template <PayoffFormula formula>
concept HasGradient = requires {
  sizeof(GradientOf<formula>);  // not for an incomplete type
};

template <>
struct GradientOf<PayoffFormula::forward> {
  template <class Policy, class P, class T>
  struct Gradient {
    std::int32_t last;
    GSIM_HD Gradient(const PayoffView<T>& p, const P&) : last(p.fixings - 1) {}
    template <class Fixings>
    GSIM_HD P at(Index i, const Fixings&) {
      return P(i == last ? T(1) : T(0));
    }
  };
};

template <>
struct GradientOf<PayoffFormula::vanilla> {
  template <class Policy, class P, class T>
  struct Gradient {
    std::int32_t last;
    P slope;
    GSIM_HD Gradient(const PayoffView<T>& p, const P& spot)
        : last(p.fixings - 1), slope(where_positive(P(p.sign) * (spot - P(p.strike)), p.sign)) {}
    template <class Fixings>
    GSIM_HD P at(Index i, const Fixings&) {
      return i == last ? slope : P(T(0));
    }
  };
};

template <bool geometric>
struct AsianGradientOf {
  template <class Policy, class P, class T>
  struct Gradient {
    const PayoffView<T>* terms;
    P by_term, by_last;  ///< with respect to a term of the sum, and to the last spot
    template <class State>
    GSIM_HD Gradient(const PayoffView<T>& p, const State& s) : terms(&p) {
      P average = fma(s.sum, P(p.inverse_count), P(p.past_average));
      if constexpr (geometric) average = exp<Policy>(average);
      const P gain =
          p.average_strike ? P(p.sign) * (s.last - average) : P(p.sign) * (average - P(p.strike));
      const P slope = where_positive(gain, p.sign);
      by_last = p.average_strike ? slope : P(T(0));
      by_term = (p.average_strike ? -slope : slope) * P(p.inverse_count);
      if constexpr (geometric) by_term = by_term * average;
    }
    template <class Fixings>
    GSIM_HD P at(Index i, const Fixings& u) {
      P g = terms->fixing_weight != nullptr ? P(terms->fixing_weight[i]) * by_term : by_term;
      if (terms->average_strike && i == terms->fixings - 1)
        g = g + (geometric ? by_last * u.spot(i) : by_last);
      return g;
    }
  };
};
template <>
struct GradientOf<PayoffFormula::asian_arithmetic> : AsianGradientOf<false> {};
template <>
struct GradientOf<PayoffFormula::asian_geometric> : AsianGradientOf<true> {};

template <>
struct GradientOf<PayoffFormula::forward_start> {
  template <class Policy, class P, class T>
  struct Gradient {
    std::int32_t last;
    P by_first, by_last;
    template <class State>
    GSIM_HD Gradient(const PayoffView<T>& p, const State& s) : last(p.fixings - 1) {
      by_last = where_positive(P(p.sign) * (s.last - P(p.strike) * s.first), p.sign);
      by_first = -by_last * P(p.strike);
    }
    template <class Fixings>
    GSIM_HD P at(Index i, const Fixings&) {
      const P g = i == last ? by_last : P(T(0));
      return i == 0 ? g + by_first : g;
    }
  };
};

/// Lookbacks on fixings. The derivative belongs to the last of the fixings with the extreme.
template <bool floating>
struct LookbackGradientOf {
  template <class Policy, class P, class T>
  struct Gradient {
    const PayoffView<T>* terms;
    P extreme, by_extreme, by_last;
    template <class State>
    GSIM_HD Gradient(const PayoffView<T>& p, const State& s) : terms(&p), extreme(s.extreme) {
      const P reached = P(p.orientation) * at_least(s.extreme, P(p.past_extreme));
      const P gain =
          floating ? P(p.sign) * (s.last - reached) : P(p.sign) * (reached - P(p.strike));
      const P slope = where_positive(gain, p.sign);
      by_last = floating ? slope : P(T(0));
      const P of_extreme = floating ? -slope : slope;
      by_extreme = select(P(p.past_extreme) > s.extreme, P(T(0)), of_extreme);
    }
    template <class Fixings>
    GSIM_HD P at(Index i, const Fixings& u) {
      const auto is_extreme = P(terms->orientation) * u.spot(i) == extreme;
      const P g = select(is_extreme, by_extreme, P(T(0)));
      by_extreme = select(is_extreme, P(T(0)), by_extreme);
      return floating && i == terms->fixings - 1 ? g + by_last : g;
    }
  };
};
template <>
struct GradientOf<PayoffFormula::lookback_fixed> : LookbackGradientOf<false> {};
template <>
struct GradientOf<PayoffFormula::lookback_floating> : LookbackGradientOf<true> {};

template <>
struct GradientOf<PayoffFormula::cliquet> {
  template <class Policy, class P, class T>
  struct Gradient {
    const PayoffView<T>* terms;
    P slope;  ///< with respect to the sum
    P later;  ///< with respect to the spot at the fixing by the return that begins there
    template <class State>
    GSIM_HD Gradient(const PayoffView<T>& p, const State& s) : terms(&p), later(T(0)) {
      slope = select((s.sum > P(p.global_floor)) & (s.sum < P(p.global_cap)), P(p.sign), P(T(0)));
    }
    template <class Fixings>
    GSIM_HD P at(Index i, const Fixings& u) {
      const PayoffView<T>& p = *terms;
      P g = later;
      if (i > 0 || p.has_past_last) {
        const P spot = u.spot(i), previous = i > 0 ? u.spot(i - 1) : P(p.past_last);
        const P ratio = spot / previous, gain = P(p.sign) * (ratio - P(p.strike));
        const P by_ratio =
            select((gain > P(p.local_floor)) & (gain < P(p.local_cap)), slope, P(T(0)));
        const P by_spot = by_ratio / previous;
        g = g + by_spot;
        later = -by_spot * ratio;
      }
      return g;
    }
  };
};

template <>
struct GradientOf<PayoffFormula::variance_swap> {
  template <class Policy, class P, class T>
  struct Gradient {
    const PayoffView<T>* terms;
    P later;  ///< as for cliquets
    template <class State>
    GSIM_HD Gradient(const PayoffView<T>& p, const State&) : terms(&p), later(T(0)) {}
    template <class Fixings>
    GSIM_HD P at(Index i, const Fixings& u) {
      const PayoffView<T>& p = *terms;
      P g = later;
      if (i > 0 || p.has_past_last) {
        const P change = u.log(i) - (i > 0 ? u.log(i - 1) : P(p.past_last_log));
        const P by_change = P(T(2) * p.sign * p.annualisation) * change;
        g = g + by_change;
        later = -by_change;
      }
      return g;
    }
  };
};

/// Whether a formula has a gradient.
GSIM_HD bool has_gradient(PayoffFormula formula) {
  switch (formula) {
#define GSIM_CASE(name)     \
  case PayoffFormula::name: \
    return HasGradient<PayoffFormula::name>;
    GSIM_PAYOFF_FORMULAS(GSIM_CASE)
#undef GSIM_CASE
    case PayoffFormula::launched:
      return false;
  }
  return false;
}

}  // namespace pricing_kernels
GSIM_TARGET_END
