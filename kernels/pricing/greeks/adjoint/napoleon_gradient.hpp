#pragma once
// The derivative of a Napoleon cliquet (src/modules/pricing/payoffs/napoleon.cpp), in the form of
// smoothed_gradients.hpp: payments are Lipschitz continuous, so that no jump is smoothed.

#include "gsim/math/elementary.hpp"
#include "kernels/pricing/greeks/adjoint/reverse_sweep.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// With r_k the logarithm of the return of period k, a coupon pays N g max(c + e^min r_k - 1,
/// floor), g its value at the trade's payment date per unit, so that it is derived by the smallest
/// of its r_k.
/// Numbers: N, c, floor, periods of a coupon, and before the first fixing those of its coupon that
/// are over and the logarithm of their smallest return (positive and large: there are none); 1 if a
/// period begins before the first fixing, else 0, and the logarithm of the spot there relative to
/// S(0); then g of each fixing.
template <class Policy, class P, class T>
struct NapoleonGradient {
  static constexpr int first_growth = 8;
  const T* n;
  Index periods, over;  ///< periods of a coupon; those over at fixing i are i + over
  P worst{};            ///< logarithm of the smallest return of the coupon that is visited
  P by_worst{};         ///< with respect to it; 0 after it was found
  P later{};            ///< with respect to the log-spot by the return that begins there
  P further{};          ///< the payment at the fixing

  template <class Fixings>
  GSIM_HD NapoleonGradient(const PayoffView<T>&, const T* number, const Fixings&)
      : n(number),
        periods(static_cast<Index>(number[3])),
        over(static_cast<Index>(number[4] + number[6])) {}

  GSIM_HD bool has_return(Index i) const { return i > 0 || n[6] != T(0); }
  template <class Fixings>
  GSIM_HD P log_return(Index i, const Fixings& u) const {
    return u.log(i) - (i > 0 ? u.log(i - 1) : P(n[7]));
  }
  /// Begins the coupon that is paid at fixing i.
  template <class Fixings>
  GSIM_HD void begin(Index i, const Fixings& u) {
    worst = log_return(i, u);
    const Index first = i - periods + 1;
    GSIM_NO_UNROLL
    for (Index k = i; k-- > 0 && k >= first && has_return(k);)
      worst = at_most(worst, log_return(k, u));
    if (first < 0 || (first == 0 && !has_return(0))) worst = at_most(worst, P(n[5]));
    const P ratio = exp<Policy>(worst), rate = ratio + P(n[1] - T(1));
    const T unit = n[0] * n[first_growth + i];
    further = P(unit) * at_least(rate, P(n[2]));
    by_worst = where_positive(rate - P(n[2]), unit) * ratio;
  }
  template <class Fixings>
  GSIM_HD P at(Index i, const Fixings& u) {
    P g = later;
    later = further = P(T(0));
    if (!has_return(i)) return g;
    if ((i + over) % periods == 0) begin(i, u);
    const auto is_worst = log_return(i, u) == worst;
    const P by_return = select(is_worst, by_worst, P(T(0)));
    by_worst = select(is_worst, P(T(0)), by_worst);
    later = -by_return;
    return g + by_return;
  }
  GSIM_HD P at_start() const { return later; }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
