// A range accrual: pays a coupon for every date on which the spot lies in a range.

#include <gsim/pricing/sample_payoff.hpp>

GSIM_TARGET_BEGIN
namespace pricing_kernels {

// P is a group of paths: a pack of them on a CPU, one on a GPU. T is double or float.
template <class Policy, class P, class T>
struct Skeleton {
  using State = P;  // sum of coupons so far, compounded to the payment date

  const PayoffTerms<T>* terms;
  T lower, upper, coupon;  // in the order of Number in skeleton_plugin.cpp

  GSIM_HD explicit Skeleton(const PayoffTerms<T>& t)
      : terms(&t), lower(t.number[0]), upper(t.number[1]), coupon(t.number[2]) {}

  GSIM_HD State start() const { return P(T(0)); }

  // Paths of a group never branch: a condition that holds for some of them is applied by select.
  template <class Spots>
  GSIM_HD void on_fixing(State& paid, Index i, const Spots& spots) const {
    const P spot = spots[terms->asset[0]];
    const auto inside = (spot >= P(lower)) & (spot <= P(upper));
    paid = paid + select(inside, P(coupon * terms->growth[i]), P(T(0)));
  }

  GSIM_HD P value(const State& paid) const { return paid; }
};

}  // namespace pricing_kernels
GSIM_TARGET_END

GSIM_DEFINE_PAYOFF(skeleton, Skeleton)
