// The payoff of an autocallable note on a path: one source for all processors and for GPUs.

#include <gsim/pricing/sample_payoff.hpp>

#include "terms.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

template <class Policy, class P, class T>
struct Autocallable {
  struct State {
    P paid;    ///< coupons and redemption so far, per unit notional, compounded to the payment date
    P alive;   ///< 1, or 0 after the note was called
    P missed;  ///< missed coupons that may still be paid
    P level;   ///< of the worst underlying, relative to its initial level
  };
  const PayoffTerms<T>* terms;
  const T *inverse_initial, *call;

  GSIM_HD explicit Autocallable(const PayoffTerms<T>& t)
      : terms(&t),
        inverse_initial(t.number + autocallable::shared_numbers),
        call(inverse_initial + t.assets) {}

  GSIM_HD P number(autocallable::Number which) const { return P(terms->number[which]); }

  GSIM_HD State start() const { return {P(T(0)), P(T(1)), number(autocallable::missed), P(T(0))}; }

  template <class Spots>
  GSIM_HD void on_fixing(State& s, Index i, const Spots& spots) const {
    s.level = spots[terms->asset[0]] * P(inverse_initial[0]);
    for (std::int32_t a = 1; a < terms->assets; ++a)
      s.level = at_most(spots[terms->asset[a]] * P(inverse_initial[a]), s.level);
    const P zero(T(0)), one(T(1));
    const auto pays_coupon = s.level >= number(autocallable::coupon_barrier);
    const P coupons = select(pays_coupon, s.missed + one, zero);
    s.missed = select(pays_coupon, zero, s.missed + number(autocallable::memory));
    const auto called = s.level >= P(call[i]);
    const P payment = fma(number(autocallable::coupon), coupons, select(called, one, zero));
    s.paid = fma(s.alive * P(terms->growth[i]), payment, s.paid);
    s.alive = select(called, zero, s.alive);
  }

  GSIM_HD P value(const State& s) const {
    const P one(T(1));
    const P reduced = at_most(s.level * number(autocallable::inverse_strike), one);
    const P redemption = select(s.level >= number(autocallable::knock_in), one, reduced);
    return number(autocallable::notional) * fma(s.alive, redemption, s.paid);
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END

GSIM_DEFINE_PAYOFF(autocallable, Autocallable)
