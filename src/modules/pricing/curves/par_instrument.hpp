#pragma once
// Instruments whose par rates are quoted, as cash flows at times.

#include <vector>

#include "gsim/core/types.hpp"
#include "src/modules/pricing/curves/discount_curve.hpp"

namespace gsim::pricing {

/// A payment of the quoted rate times `accrual` years.
struct FixedPayment {
  double accrual, time;
};
/// A payment of D(start) / D(end) - 1 by the forecast curve: the forward rate of the period, or the
/// compounded overnight rates within it.
struct FloatingPayment {
  double start, end, time;
};

/// A swap of fixed against floating payments; a deposit or an FRA has one of each, at the end of
/// its period. Times are years from today.
struct ParInstrument {
  std::vector<FixedPayment> fixed;
  std::vector<FloatingPayment> floating;

  /// The last time at which a discount factor is needed.
  double last_time() const;
  /// The fixed rate at which both sides have the same value.
  double par_rate(const DiscountCurve& forecast, const DiscountCurve& discount) const;
};

struct BootstrappedCurve {
  DiscountCurve curve;
  /// Position of a quote that no curve meets, given the quotes before it; -1: there is none.
  Index unmet_quote = -1;
};

/// The lowest and highest mean forward rate between two pillars that bootstrapping considers.
inline constexpr double lowest_forward = -1, highest_forward = 10;

/// The curve with one pillar at the last time of each instrument that gives each its quote as par
/// rate, up to rounding. Last times are positive and increasing. `discount` is the curve that
/// discounts payments; null: the new one. Local interpolations are solved from pillar to pillar;
/// monotone_cubic repeats this until nothing changes, at most 100 times.
BootstrappedCurve bootstrap(Interpolation interpolation,
                            const std::vector<ParInstrument>& instruments,
                            const std::vector<double>& quotes, const DiscountCurve* discount);

}  // namespace gsim::pricing
