#pragma once
// Derivatives of payoffs with respect to the underlying at each fixing. GradientOf<formula> holds a
// functor that is constructed from the constants and the final state of the payoff's functor, and
// called for the fixings from the last to the first:
//   P at(Index i, const Fixings& u)   with respect to the underlying at fixing i, or to its
//                                     logarithm where the payoff reads logarithms;
// u.spot(i) and u.log(i) are the underlying and its logarithm. At a kink it is the derivative on
// one side. The functor of rate claims, which are functions of the log-spots of two factors and of
// amounts that change with the market, has by_asset() in its place, and needs no state.

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

/// Claims on rates (RateClaimsPayoff): by the log-spot of each factor, and by the amounts of the
/// terms.
template <>
struct GradientOf<PayoffFormula::rate_claims> {
  static constexpr bool needs_no_state = true;
  template <class Policy, class P, class T>
  struct Gradient {
    /// Exponentials that are kept until the sign of a date's sum is known; on devices, where a
    /// group is one path, they are computed twice.
    static constexpr int kept_terms = lanes_of<P> > 1 ? 16 : 1;
    const PayoffView<T>* terms;
    template <class State>
    GSIM_HD Gradient(const PayoffView<T>& p, const State&) : terms(&p) {}
    /// The derivative by the log-spot of the a-th asset at fixing i; with `has_amounts` put(t, g)
    /// receives the derivative by the amount of each term t of the fixing.
    template <class Fixings, class Put>
    GSIM_HD P by_asset(Index i, Index a, const Fixings& u, bool has_amounts, const Put& put) const {
      const T* const date = terms->number + 3 * i;
      const bool has_two = terms->assets == 2;
      const auto spots = u.spots(i);
      const P x = spots.log(terms->asset[0]), y = has_two ? spots.log(terms->asset[1]) : x;
      const Index length = has_two ? 3 : 2, count = static_cast<Index>(date[1]);
      const T* const first = terms->number + static_cast<Index>(date[0]);
      const auto growth = [&](const T* term) {
        P exponent = P(-term[1]) * x;
        if (has_two) exponent = fma(P(-term[2]), y, exponent);
        return exp<Policy>(exponent);
      };
      P kept[kept_terms], sum(T(0)), derivative(T(0));
      GSIM_NO_UNROLL
      for (Index t = 0; t < count; ++t) {
        const T* const term = first + t * length;
        const P g = growth(term);
        if constexpr (kept_terms > 1)
          if (t < kept_terms) kept[t] = g;
        sum = fma(P(term[0]), g, sum);
        derivative = fma(P(-term[0] * term[1 + a]), g, derivative);
      }
      const bool is_option = date[2] > T(0);
      const auto is_paid = sum > P(T(0));
      if (has_amounts) {
        const Index before = (static_cast<Index>(date[0]) - 3 * terms->fixings) / length;
        GSIM_NO_UNROLL
        for (Index t = 0; t < count; ++t) {
          P g;
          if constexpr (kept_terms > 1)
            g = t < kept_terms ? kept[t] : growth(first + t * length);
          else
            g = growth(first + t * length);
          put(before + t, is_option ? select(is_paid, g, P(T(0))) : g);
        }
      }
      return is_option ? select(is_paid, derivative, P(T(0))) : derivative;
    }
  };
};

/// Whether a gradient has by_asset(), as that of rate claims.
template <class Gradient>
inline constexpr bool derives_by_assets = requires(const Gradient g) {
  g.terms;
  Gradient::kept_terms;
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
