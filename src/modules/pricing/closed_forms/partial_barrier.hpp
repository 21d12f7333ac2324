#pragma once
// Barriers that are monitored continuously in the first or the last part of an option's life.

#include "src/modules/pricing/closed_forms/closed_forms.hpp"

namespace gsim::pricing {

/// The value of a single barrier with a rebate paid at maturity that is monitored from today until
/// `until` < maturity (Heynen and Kat 1994, "Partial barrier options"; type A in Haug 2007, section
/// 4.17.4). The spot must be inside of the barrier.
double barrier_until(const FlatMarket& market, const BarrierTerms& terms, double until);
/// The same for monitoring from `from` > 0 until the maturity, where a spot at or beyond the
/// barrier at `from` counts as a touch (type B2). The spot today may be beyond the barrier.
double barrier_from(const FlatMarket& market, const BarrierTerms& terms, double from);

}  // namespace gsim::pricing
