#pragma once
// The derivative of the expectation of a phoenix note (src/modules/pricing/payoffs/phoenix.cpp) on
// lognormal assets, in the form of smoothed_gradients.hpp.

#include <limits>
#include <type_traits>

#include "gsim/math/elementary.hpp"
#include "kernels/pricing/greeks/adjoint/normal_functions.hpp"
#include "kernels/pricing/greeks/adjoint/reverse_sweep.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// What a date of a phoenix note contributes on some paths, by whichever asset it is derived.
template <class P>
struct PhoenixDate {
  P worst, second;  ///< the worst performance, and the worst of the other assets
  P due;            ///< number of coupons that the next payment contains, before the date
  P jump[3];        ///< the sizes of its jumps; 0 where the note was called before
  P paid;           ///< the payment, the redemption at maturity excepted
};
/// The dates of a note on a group of paths, on hosts, where they are computed once for all assets.
template <class P>
struct PhoenixTape {
  static constexpr Index most = 64;  ///< longer notes have none
  PhoenixDate<P> date[most];
};

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
  static constexpr bool can_have_tape = !std::is_same_v<P, T>;
  const PayoffView<T>* terms;
  const T* n;
  PhoenixDate<P>* tape;  ///< null: dates are computed where they are visited
  Index assets, last;
  Index asset = 0;   ///< by whose log-spots the payments are derived
  P end;             ///< the first date at which the note is called; last + 1: none
  P due;             ///< d before the date that is visited
  P slope{};         ///< of the redemption by the worst performance
  P rest{}, more{};  ///< A and B of the date after it
  P further{};       ///< of the jumps, times the distance of the level from the log-performance
  P paid{};          ///< PhoenixDate::paid

  template <class Fixings>
  GSIM_HD PhoenixGradient(const PayoffView<T>& p, const T* number, const Fixings& u,
                          PhoenixTape<P>* memory)
      : terms(&p),
        n(number),
        tape(can_have_tape && p.fixings <= PhoenixTape<P>::most ? memory->date : nullptr),
        assets(static_cast<Index>(number[0])),
        last(p.fixings - 1),
        end(T(p.fixings)),
        due(number[2]) {
    GSIM_NO_UNROLL
    for (Index i = 0; i <= last; ++i) {
      const T* const date = numbers_at(i);
      PhoenixDate<P> computed;
      PhoenixDate<P>& here = tape != nullptr ? tape[i] : computed;
      observe(i, u, here);
      here.due = due;
      end = at_most(end, select(here.worst >= P(date[3]), P(T(i)), end));
      if (i < last && n[1] != T(0)) due = select(here.worst >= P(date[2]), P(T(1)), due + P(T(1)));
    }
    if constexpr (can_have_tape)
      for (Index i = tape != nullptr ? last : -1; i >= 0; --i) {
        due = tape[i].due;
        visit(i, tape[i]);
      }
  }
  GSIM_HD void select_asset(Index position) { asset = position; }
  GSIM_HD P at_start() const { return P(T(0)); }

  template <class Fixings>
  GSIM_HD P at(Index i, const Fixings& u) {
    if constexpr (can_have_tape)
      if (tape != nullptr) return derive(i, u, tape[i]);
    PhoenixDate<P> date;
    observe(i, u, date);
    visit(i, date);
    const P g = derive(i, u, date);
    if (i > 0 && n[1] != T(0)) step_back(i, u);
    return g;
  }

 private:
  GSIM_HD const T* numbers_at(Index i) const {
    return n + header + 2 * assets + i * (first_asset + assets * (2 + 2 * assets));
  }
  template <class Fixings>
  GSIM_HD P performance(Index i, Index a, const Fixings& u) const {
    return u.spots(i)[terms->asset[a]] * P(n[header + a]);
  }
  /// Sets the performances of a date.
  template <class Fixings>
  GSIM_HD void observe(Index i, const Fixings& u, PhoenixDate<P>& date) const {
    date.worst = performance(i, 0, u);
    date.second = P(std::numeric_limits<T>::infinity());
    GSIM_NO_UNROLL
    for (Index a = 1; a < assets; ++a) {
      const P next = performance(i, a, u);
      date.second = at_most(at_least(date.worst, next), date.second);
      date.worst = at_most(next, date.worst);
    }
  }

  /// Sets the jumps and the payment of a date, the last one first.
  GSIM_HD void visit(Index i, PhoenixDate<P>& here) {
    const T* const date = numbers_at(i);
    const P worst = here.worst, none(T(0)), one(T(1));
    if (i == last) {
      const P part = worst * P(n[5]);
      const auto is_repaid = worst >= P(n[4]), is_whole = part >= one;
      rest = P(n[3]) * select(is_repaid, one, at_most(part, one));
      slope = select(is_repaid | is_whole | (end <= P(T(last))), none, P(n[3] * n[5]));
    }
    const auto is_alive = end >= P(T(i));
    const auto count = static_cast<int>(date[4]);
    GSIM_NO_UNROLL
    for (int k = 0; k < count; ++k) {
      const T* const jump = date + date_header + jump_numbers * k;
      const P by_due = fma(P(jump[5]), more, P(jump[3]));
      here.jump[k] = select(is_alive, fma(due, by_due, fma(P(jump[4]), rest, P(jump[2]))), none);
    }
    const auto has_coupon = worst >= P(date[2]), is_called = worst >= P(date[3]);
    const P coupons = select(has_coupon, P(date[0]) * due, none);
    here.paid = select(is_alive, coupons + select(is_called, P(date[1]), none), none);
    const P after = select(is_called, P(date[1]), rest);
    rest = select(has_coupon, P(date[0]) + after, select(is_called, after, rest + more));
    more = select(has_coupon, P(n[1] * date[0]), select(is_called, none, more));
  }

  /// The derivative at a date by the log-spot of the asset.
  template <class Fixings>
  GSIM_HD P derive(Index i, const Fixings& u, const PhoenixDate<P>& here) {
    constexpr double inverse_sqrt_2pi = 0.3989422804014326779;
    const T *const date = numbers_at(i), *const m = date + first_asset + asset * (2 + 2 * assets);
    const P own = performance(i, asset, u), none(T(0));
    const auto is_worst = own == here.worst;
    P g = none;
    if (i == last) g = select(is_worst, slope * own, none);
    paid = here.paid;
    further = none;
    const auto count = static_cast<int>(date[4]);
    if (count == 0) return g;
    const P others = select(is_worst, here.second, here.worst);
    P distance(m[0]);  // of the mean from the log-performance
    GSIM_NO_UNROLL
    for (Index b = 0; b < assets; ++b) {
      const Index which = terms->asset[b];
      const P x = u.spots(i).log(which);
      distance = fma(P(m[2 + b]), i > 0 ? u.spots(i - 1).log(which) - x : -x, distance);
      if (i < last) distance = fma(P(m[2 + assets + b]), u.spots(i + 1).log(which) - x, distance);
    }
    const P y = u.spots(i).log(terms->asset[asset]) + P(n[header + assets + asset]);
    const P unit(m[1] * T(inverse_sqrt_2pi));
    GSIM_NO_UNROLL
    for (int k = 0; k < count; ++k) {
      const T* const jump = date + date_header + jump_numbers * k;
      const P to_level = P(jump[1]) - y, z = (to_level - distance) * P(m[1]);
      const P part =
          select(others >= P(jump[0]), here.jump[k] * (unit * normal_bell<Policy>(z)), none);
      g = g + part;
      further = fma(part, to_level, further);
    }
    return g;
  }

  /// Sets `due` to that before date i - 1.
  template <class Fixings>
  GSIM_HD void step_back(Index i, const Fixings& u) {
    const P one(T(1));
    // Where it is 1 now, the coupon of date i - 1 was paid, and those missed before are counted.
    auto is_open = due == one;
    const P before = select(is_open, one, due - one);
    P missed(T(0));
    Index k = i - 1;
    GSIM_NO_UNROLL
    for (; k-- > 0 && any(is_open);) {
      PhoenixDate<P> date;
      observe(k, u, date);
      is_open = is_open & (date.worst < P(numbers_at(k)[2]));
      missed = missed + select(is_open, one, P(T(0)));
    }
    if (k < 0) missed = missed + select(is_open, P(n[2] - T(1)), P(T(0)));
    due = before + missed;
  }
};

/// with_gradient() of a phoenix note.
template <class Policy, class P, class T, class Use>
GSIM_HD void with_phoenix(const PayoffView<T>& terms, const T* number, const Tile<T>& tile,
                          const Use& use) {
  using U = SingleUnderlying<P, T>;
  using Gradient = PhoenixGradient<Policy, P, T>;
  const auto evaluate = [&](Index path, const auto& of_group) {
    const PayoffFixings<P, U, T, true> fixings{terms, tile, path, U(terms)};
    if constexpr (Gradient::can_have_tape) {
      PhoenixTape<P> tape;
      of_group(Gradient(terms, number, fixings, &tape), fixings, P(T(0)));
    } else {
      of_group(Gradient(terms, number, fixings, nullptr), fixings, P(T(0)));
    }
  };
  use(evaluate, std::false_type());
}

}  // namespace pricing_kernels
GSIM_TARGET_END
