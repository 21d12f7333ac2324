#pragma once
// The underlying of a payoff: one asset, or a combination of several.

#include "gsim/pricing/lanes.hpp"
#include "kernels/pricing/job.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// One asset; log_spot() is relative to S(0).
template <class P, class T>
struct SingleUnderlying {
  Index asset;

  GSIM_HD explicit SingleUnderlying(const PayoffView<T>& terms) : asset(terms.asset[0]) {}
  template <class Spots>
  GSIM_HD P spot(const Spots& spots) const {
    return spots[asset];
  }
  template <class Spots>
  GSIM_HD P log_spot(const Spots& spots) const {
    return spots.log(asset);
  }
};

/// Several assets, combined by the `combination` of the payoff.
template <class Policy, class P, class T>
struct CombinedUnderlying {
  const PayoffView<T>* terms;

  GSIM_HD explicit CombinedUnderlying(const PayoffView<T>& p) : terms(&p) {}

  template <class Spots>
  GSIM_HD P spot(const Spots& spots) const {
    return terms->combination == Combination::geometric ? exp<Policy>(sum_of_logs(spots))
                                                        : combined(spots);
  }
  /// The logarithm of the underlying, not relative to S(0).
  template <class Spots>
  GSIM_HD P log_spot(const Spots& spots) const {
    return terms->combination == Combination::geometric ? sum_of_logs(spots)
                                                        : log<Policy>(combined(spots));
  }

 private:
  template <class Spots>
  GSIM_HD P sum_of_logs(const Spots& spots) const {
    P sum(terms->log_scale);
    for (std::int32_t a = 0; a < terms->assets; ++a)
      sum = fma(P(terms->weight[a]), spots.log(terms->asset[a]), sum);
    return sum;
  }
  template <class Spots>
  GSIM_HD P combined(const Spots& spots) const {
    P underlying = spots[terms->asset[0]] * P(terms->weight[0]);
    for (std::int32_t a = 1; a < terms->assets; ++a) {
      const P spot = spots[terms->asset[a]];
      const P weight(terms->weight[a]);
      if (terms->combination == Combination::weighted_sum)
        underlying = fma(weight, spot, underlying);
      else
        underlying = terms->combination == Combination::best_of
                         ? at_least(weight * spot, underlying)
                         : at_most(weight * spot, underlying);
    }
    return underlying;
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
