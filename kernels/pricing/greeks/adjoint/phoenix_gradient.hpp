#pragma once
// The derivative of the expectation of a phoenix note (src/modules/pricing/payoffs/phoenix.cpp) on
// lognormal assets, in the form of smoothed_gradients.hpp.

#include <limits>

#include "gsim/math/elementary.hpp"
#include "kernels/pricing/greeks/adjoint/reverse_sweep.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The payments depend on the worst performance, the smallest of the spots relative to initial
/// levels, and jump where it crosses a level: that of the coupon or of the call at a date, or of
/// the knock-in at the last one. As for CrossingsGradient, the derivative of the expectation is the
/// mean of that of the payments between the jumps, and of each jump times the density of the
/// logarithm of the performance at the level, given all other log-spots of the path: of the asset
/// at the date before and after, and of the other assets. It counts where these perform better than
/// the level, so that the asset's performance is the worst.
///
/// The jump is the difference of the payments with the performance just above and just below the
/// level, on the other fixings as they are. With d the number of coupons that the next payment
/// contains, the payments from date i on are A_i + (d - 1) B_i, linear in d with memory: A_i those
/// with d = 1, and B_i those of one further coupon. They follow from the last date to the first.
///
/// Numbers: assets, memory (0 or 1), d before the first date, notional, knock-in level, gearing; of
/// each asset 1 / initial level, and then the logarithm of S(0) / initial level; and of each date
///   0       coupon and call payments, their levels (infinite: none), and the number of jumps,
///   5 + 6k  of jump k its level L, ln L, and the factors of 1, d, A and d B of the next date;
///   23      of each asset a shift c, 1/s, and for each asset weights v and w: the logarithm of the
///           performance has the mean y + c + sum_b v_b (x_b' - x_b) + w_b (x_b'' - x_b) and the
///           standard deviation s, with y its own value and x_b', x_b, x_b'' the log-spots of asset
///           b at the date before, at the date and at the date after.
/// All payments are values at the trade's payment date.
template <class Policy, class P, class T>
struct PhoenixGradient {
  static constexpr int header = 6, date_header = 5, jump_numbers = 6, jumps = 3,
                       first_asset = date_header + jump_numbers * jumps;
  const PayoffView<T>* terms;
  const T* n;
  Index assets, last;
  Index asset = 0;   ///< by whose log-spots the payments are derived
  P end;             ///< the first date at which the note is called; last + 1: none
  P due;             ///< d before the date that is visited
  P rest{}, more{};  ///< A and B of the date after it
  P further{};       ///< of the jumps, times the distance of the level from the log-performance
  P paid{};          ///< the payment at the date, the redemption at maturity excepted

  template <class Fixings>
  GSIM_HD PhoenixGradient(const PayoffView<T>& p, const T* number, const Fixings& u)
      : terms(&p),
        n(number),
        assets(static_cast<Index>(number[0])),
        last(p.fixings - 1),
        end(T(p.fixings)),
        due(number[2]) {
    GSIM_NO_UNROLL
    for (Index i = 0; i <= last; ++i) {
      const T* const date = date_at(i);
      const P worst = worst_at(i, u);
      end = at_most(end, select(worst >= P(date[3]), P(T(i)), end));
      if (i < last && n[1] != T(0)) due = select(worst >= P(date[2]), P(T(1)), due + P(T(1)));
    }
  }
  GSIM_HD void select_asset(Index position) { asset = position; }
  GSIM_HD P at_start() const { return P(T(0)); }

  GSIM_HD const T* date_at(Index i) const {
    return n + header + 2 * assets + i * (first_asset + assets * (2 + 2 * assets));
  }
  template <class Fixings>
  GSIM_HD P performance(Index i, Index a, const Fixings& u) const {
    return u.spots(i)[terms->asset[a]] * P(n[header + a]);
  }
  template <class Fixings>
  GSIM_HD P worst_at(Index i, const Fixings& u) const {
    P worst = performance(i, 0, u);
    GSIM_NO_UNROLL
    for (Index a = 1; a < assets; ++a) worst = at_most(worst, performance(i, a, u));
    return worst;
  }
  /// The worst performance of the assets but the one by which is derived.
  template <class Fixings>
  GSIM_HD P others_at(Index i, const Fixings& u) const {
    P worst(std::numeric_limits<T>::infinity());
    GSIM_NO_UNROLL
    for (Index a = 0; a < assets; ++a)
      if (a != asset) worst = at_most(performance(i, a, u), worst);
    return worst;
  }
  GSIM_HD P redemption(P worst) const {
    const P part = at_most(worst * P(n[5]), P(T(1)));
    return P(n[3]) * select(worst >= P(n[4]), P(T(1)), part);
  }

  template <class Fixings>
  GSIM_HD P at(Index i, const Fixings& u) {
    const T* const date = date_at(i);
    const P own = performance(i, asset, u), others = others_at(i, u), worst = at_most(own, others);
    const P none(T(0));
    P g = none;
    further = none;
    if (i == last) {
      rest = redemption(worst);
      const auto is_lower = (worst < P(n[4])) & (worst * P(n[5]) < P(T(1))) & (own <= others);
      g = select(is_lower & (end > P(T(last))), P(n[3] * n[5]) * own, none);
    }
    const auto is_alive = end >= P(T(i));
    if (date[4] != T(0) && any(is_alive)) {
      const P crossing = select(is_alive, P(T(1)), none);
      add_jumps(i, u, crossing, others, g);
    }
    const auto has_coupon = worst >= P(date[2]), is_called = worst >= P(date[3]);
    paid = select(is_alive,
                  select(has_coupon, P(date[0]) * due, none) + select(is_called, P(date[1]), none),
                  none);
    const P after = select(is_called, P(date[1]), rest);
    rest = select(has_coupon, P(date[0]) + after, select(is_called, after, rest + more));
    more = select(has_coupon, P(n[1] * date[0]), select(is_called, none, more));
    if (i > 0 && n[1] != T(0)) step_back(i, u);
    return g;
  }

 private:
  /// Adds those at date i to the derivative and to `further`; `crossing` is 1 where the note is
  /// alive, else 0.
  template <class Fixings>
  GSIM_HD void add_jumps(Index i, const Fixings& u, P crossing, P others, P& g) {
    constexpr double inverse_sqrt_2pi = 0.3989422804014326779;
    const T *const date = date_at(i), *const m = date + first_asset + asset * (2 + 2 * assets);
    P distance(m[0]);  // of the mean from the log-performance
    GSIM_NO_UNROLL
    for (Index b = 0; b < assets; ++b) {
      const Index which = terms->asset[b];
      const P x = u.spots(i).log(which);
      distance = fma(P(m[2 + b]), i > 0 ? u.spots(i - 1).log(which) - x : -x, distance);
      if (i < last) distance = fma(P(m[2 + assets + b]), u.spots(i + 1).log(which) - x, distance);
    }
    const P y = u.spots(i).log(terms->asset[asset]) + P(n[header + assets + asset]);
    const auto jumps_of_date = static_cast<int>(date[4]);
    GSIM_NO_UNROLL
    for (int k = 0; k < jumps_of_date; ++k) {
      const T* const jump = date + date_header + jump_numbers * k;
      const P size = fma(due, fma(P(jump[5]), more, P(jump[3])), fma(P(jump[4]), rest, P(jump[2])));
      const P to_level = P(jump[1]) - y, z = (to_level - distance) * P(m[1]);
      const P density = P(m[1] * T(inverse_sqrt_2pi)) * exp<Policy>(P(T(-0.5)) * z * z);
      const P part = select(others >= P(jump[0]), crossing * size * density, P(T(0)));
      g = g + part;
      further = fma(part, to_level, further);
    }
  }
  /// Sets `due` to that before date i - 1.
  template <class Fixings>
  GSIM_HD void step_back(Index i, const Fixings& u) {
    const P one(T(1));
    // Where it is 1 now, the coupon of date i - 1 was paid, and those missed before are counted.
    auto is_open = due == one;
    if (!any(is_open)) {
      due = due - one;
      return;
    }
    const P before = select(is_open, one, due - one);
    P missed(T(0));
    Index k = i - 1;
    GSIM_NO_UNROLL
    for (; k-- > 0 && any(is_open);) {
      is_open = is_open & (worst_at(k, u) < P(date_at(k)[2]));
      missed = missed + select(is_open, one, P(T(0)));
    }
    if (k < 0) missed = missed + select(is_open, P(n[2] - T(1)), P(T(0)));
    due = before + missed;
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
