#pragma once
// Derivatives of payoffs with jumps, on one lognormal asset: those of their conditional
// expectations, which are smooth. A gradient is constructed from its numbers (AdjointEntry::number)
// and the fixings of a path, and called for the fixings from the last to the first:
//   P at(Index i, const Fixings& u)   with respect to the log-spot at fixing i; it sets `further`,
//                                     the quantity of the fixing that AdjointSweep::further sums;
//   P at_start()                      with respect to the logarithm of S(0), besides those at the
//                                     fixings, after the first fixing;
//   void select_asset(Index a)        before the first fixing, where there are several assets: the
//                                     one by whose log-spots it is derived;
//   P value()                         the smoothed payoff, where it is not the trade's own.
// u.spot(i) is the spot at a fixing, u.log(i) its logarithm relative to S(0).

#include "gsim/math/elementary.hpp"
#include "kernels/pricing/greeks/adjoint/napoleon_gradient.hpp"
#include "kernels/pricing/greeks/adjoint/normal_functions.hpp"
#include "kernels/pricing/greeks/adjoint/phoenix_gradient.hpp"
#include "kernels/pricing/greeks/adjoint/reverse_sweep.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Of a cash digital given the spot at its first fixing (SmoothedDigital, whose numbers it has).
template <class Policy, class P, class T>
struct DigitalGradient {
  const T* n;
  P d;            ///< times the sign of the option
  P exponential;  ///< e^(-d^2 / 2)
  P further{};

  template <class Fixings>
  GSIM_HD DigitalGradient(const PayoffView<T>&, const T* number, const Fixings& u)
      : n(number),
        d((u.log(0) + P(n[4])) * P(n[0] / n[5])),
        exponential(exp_not_positive<Policy>(P(T(-0.5)) * d * d)) {}
  template <class Fixings>
  GSIM_HD P at(Index i, const Fixings&) {
    constexpr double inverse_sqrt_2pi = 0.3989422804014326779;
    if (i > 0) return P(T(0));
    return P(n[0] * n[2] * T(inverse_sqrt_2pi) / n[5]) * exponential;
  }
  GSIM_HD P value() const { return P(n[2]) * normal_cdf_given_exp(d, exponential); }
  GSIM_HD P at_start() const { return P(T(0)); }
};

/// Of a continuously monitored barrier given the spots at its fixings (SmoothedBarrier, whose
/// numbers it has). `further` is the derivative with respect to the logarithm of the number of the
/// interval that ends at the fixing.
template <class Policy, class P, class T>
struct BarrierGradient {
  const T* n;
  Index last;
  P survival, option, by_survival, by_last;
  P last_touch{};  ///< probability of a touch in the interval that ends at the last fixing
  P later{};       ///< S r_i+1 c_i+1 D_i+1: of the interval that begins at the fixing
  P distance;      ///< D_i of the fixing that comes next
  P further{};

  template <class Fixings>
  GSIM_HD BarrierGradient(const PayoffView<T>& p, const T* number, const Fixings& u)
      : n(number), last(p.fixings - 1), survival(T(1)), distance(distance_at(-1, u)) {
    GSIM_NO_UNROLL
    for (Index i = 0; i <= last; ++i) {
      const P here = distance_at(i, u);
      if (n[6 + i] != T(0)) {
        last_touch = exp_not_positive<Policy>(P(n[6 + i]) * distance * here);
        survival = survival * (P(T(1)) - last_touch);
      }
      distance = here;
    }
    const P spot = u.spot(last), gain = P(n[0]) * (spot - P(n[1]));
    const bool knock_in = n[4] != T(0);
    option = at_least(gain, P(T(0)));
    const P difference = option - P(n[5]);
    by_survival = knock_in ? -difference : difference;
    by_last = where_positive(gain, n[0]) * spot * (knock_in ? P(T(1)) - survival : survival);
  }
  /// D_i, that of the start for i = -1.
  template <class Fixings>
  GSIM_HD P distance_at(Index i, const Fixings& u) const {
    return at_least(i < 0 ? P(n[3]) : P(n[3]) - P(n[2]) * u.log(i), P(T(0)));
  }
  /// With c the number of an interval, D the distances at its ends, and r = t / (1 - t) for the
  /// probability t = exp(c D D') of a touch, the survival S changes by -S r (dc D D' + c dD D' + c
  /// D dD').
  template <class Fixings>
  GSIM_HD P at(Index i, const Fixings& u) {
    P by_distance = later;
    later = further = P(T(0));
    const P here = distance;
    distance = distance_at(i - 1, u);
    if (n[6 + i] != T(0)) {
      const P c(n[6 + i]);
      const P touch = i == last ? last_touch : exp_not_positive<Policy>(c * distance * here);
      const P ratio =
          select(survival > P(T(0)), survival * touch / (P(T(1)) - touch), P(T(0))) * by_survival;
      const P scaled = ratio * c;
      by_distance = fma(scaled, distance, by_distance);
      later = scaled * here;
      further = -(later * distance);
    }
    const P g = P(n[2]) * by_distance;
    return i == last ? g + by_last : g;
  }
  GSIM_HD P at_start() const { return P(n[2]) * later; }
  GSIM_HD P value() const { return fma(survival, by_survival, n[4] == T(0) ? P(n[5]) : option); }
};

/// Of a barrier option that is monitored at its fixings, apart from the last one, the maturity,
/// where that is not monitored: it is knocked in or out by a number c of consecutive fixings beyond
/// the barrier, of which r may come before the first one. Its payoff jumps by J_i where the spot at
/// fixing i crosses the barrier and c consecutive fixings are beyond it with fixing i alone; the
/// derivative of its expectation is the mean of that of the payoff between the jumps, and of J_i
/// times the density of the log-spot at the barrier, given those at the fixings before and after,
/// for each fixing i, with the log-spot of the fixing at the barrier (Fu and Hu, "Conditional Monte
/// Carlo: Gradient Estimation and Optimization Applications", 1997; Lyuu and Teng 2011, "Unbiased
/// and efficient Greeks of financial options", Finance and Stochastics 15, 141). `further` is the
/// latter times the distance of the barrier from the log-spot.
/// Numbers: sign, strike, orientation (1: up, -1: down), orientation times the barrier, knock-in (0
/// or 1), rebate, b (the logarithm of the barrier relative to S(0)), payoff of the option at the
/// barrier, c, r, knocked in or out already (0 or 1), number of monitored fixings, and of each
/// fixing w, a and 1/s: given the log-spots x before and y after it, that of the fixing has the
/// mean x + a + w (y - x) and the standard deviation s.
template <class Policy, class P, class T>
struct CrossingsGradient {
  static constexpr int first = 12, each = 3;  ///< of the numbers of the fixings
  const T* n;
  Index last, monitored;
  P knocked;   ///< the fixing that knocks the option in or out; -1: one before; `monitored`: none
  P after{};   ///< number of consecutive fixings beyond the barrier from the next one on
  P is_later;  ///< 1 where c of the later fixings alone knock the option in or out, else 0
  P option, by_last;
  P further{};

  template <class Fixings>
  GSIM_HD CrossingsGradient(const PayoffView<T>& p, const T* number, const Fixings& u)
      : n(number), last(p.fixings - 1), monitored(static_cast<Index>(number[11])), is_later(T(0)) {
    const P none(T(0)), never(n[11]);
    P run(n[9]);
    knocked = n[10] != T(0) ? P(T(-1)) : never;
    GSIM_NO_UNROLL
    for (Index i = 0; i < monitored; ++i) {
      run = select(is_beyond(i, u), run + P(T(1)), none);
      knocked = at_most(select(run >= P(n[8]), P(static_cast<T>(i)), never), knocked);
    }
    const P spot = u.spot(last), gain = P(n[0]) * (spot - P(n[1]));
    option = at_least(gain, none);
    const P slope = where_positive(gain, n[0]) * spot;
    const auto is_out = knocked == never;
    by_last = n[4] == T(0) ? select(is_out, slope, none) : select(is_out, none, slope);
  }
  /// Whether the spot at fixing i is beyond the barrier.
  template <class Fixings>
  GSIM_HD auto is_beyond(Index i, const Fixings& u) const {
    return P(n[2]) * u.spot(i) >= P(n[3]);
  }
  /// Whether fixing i alone decides on the knock-in or knock-out.
  template <class Fixings>
  GSIM_HD auto is_decisive(Index i, const Fixings& u) const {
    const P needed(n[8]);
    const auto is_open = (knocked >= P(static_cast<T>(i))) & (is_later == P(T(0)));
    auto is_run = is_open;
    P run = after + P(T(1));
    GSIM_NO_UNROLL
    for (Index k = i - 1; any(is_run & (run < needed)); --k) {
      if (k < 0) {
        run = select(is_run, run + P(n[9]), run);
        break;
      }
      is_run = is_run & is_beyond(k, u);
      run = select(is_run, run + P(T(1)), run);
    }
    return is_open & (run >= needed);
  }
  template <class Fixings>
  GSIM_HD P at(Index i, const Fixings& u) {
    const P none(T(0));
    further = none;
    if (i >= monitored) return by_last;
    P g = none;
    const auto decides = is_decisive(i, u);
    if (any(decides)) {
      g = select(decides, by_crossing(i, u), none);
      further = g * (P(n[6]) - u.log(i));
    }
    after = select(is_beyond(i, u), after + P(T(1)), none);
    is_later = select(after >= P(n[8]), P(T(1)), is_later);
    return i == last ? g + by_last : g;
  }
  /// J_i times the density.
  template <class Fixings>
  GSIM_HD P by_crossing(Index i, const Fixings& u) const {
    constexpr double inverse_sqrt_2pi = 0.3989422804014326779;
    const T* const m = n + first + each * i;
    const P before = i > 0 ? u.log(i - 1) : P(T(0));
    const P next = i < last ? u.log(i + 1) : u.log(i);
    const P mean = before + fma(P(m[0]), next - before, P(m[1]));
    const P z = (P(n[6]) - mean) * P(m[2]);
    const T sign = n[4] == T(0) ? -n[2] : n[2];
    const P jump = (i == last ? P(n[7]) : option) - P(n[5]);
    return P(sign * T(inverse_sqrt_2pi) * m[2]) * jump * normal_bell<Policy>(z);
  }
  GSIM_HD P at_start() const { return P(T(0)); }
};

template <template <class, class, class> class Gradient, class Policy, class P, class T, class Use>
GSIM_HD void with_smoothed(const PayoffView<T>& terms, const T* number, const Tile<T>& tile,
                           const Use& use) {
  using U = SingleUnderlying<P, T>;
  const auto evaluate = [&](Index path, const auto& of_group) {
    const PayoffFixings<P, U, T, true> fixings{terms, tile, path, U(terms)};
    of_group(Gradient<Policy, P, T>(terms, number, fixings), fixings, P(T(0)));
  };
  use(evaluate, std::false_type());
}

/// with_gradient() of the payoff of an entry.
template <class Policy, class P, class T, class Use>
GSIM_HD void with_swept_payoff(const PayoffView<T>& terms, SweptPayoff swept, const T* number,
                               const Tile<T>& tile, const Use& use) {
  switch (swept) {
    case SweptPayoff::own:
      return with_gradient<Policy, P>(terms, tile, use);
    case SweptPayoff::digital:
      return with_smoothed<DigitalGradient, Policy, P>(terms, number, tile, use);
    case SweptPayoff::barrier:
      return with_smoothed<BarrierGradient, Policy, P>(terms, number, tile, use);
    case SweptPayoff::crossings:
      return with_smoothed<CrossingsGradient, Policy, P>(terms, number, tile, use);
    case SweptPayoff::napoleon:
      return with_smoothed<NapoleonGradient, Policy, P>(terms, number, tile, use);
    case SweptPayoff::phoenix:
      return with_phoenix<Policy, P>(terms, number, tile, use);
    case SweptPayoff::script:  // whose derivatives are stored
      return;
  }
}

}  // namespace pricing_kernels
GSIM_TARGET_END
