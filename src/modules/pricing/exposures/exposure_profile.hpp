#pragma once
// Exposures of one netting set through time, and its valuation adjustments, from its values on the
// paths of one unit (Gregory, "The xVA Challenge", 3rd ed. 2015; Brigo, Morini and Pallavicini,
// "Counterparty Credit Risk, Collateral and Funding", 2013). Amounts are in currency.

#include <cstdint>
#include <vector>

#include "src/modules/pricing/exposures/exposure_options.hpp"
#include "src/modules/pricing/exposures/netting_set_values.hpp"

namespace gsim::pricing {

/// The dates of exposures among the dates of values.
struct ExposureDates {
  std::vector<double> times;       ///< years, of exposures, the first one 0
  std::vector<double> valuations;  ///< years, increasing
  std::vector<Index> valuation;    ///< [time] index in valuations; -1: today
  /// [set][time] index in valuations of the last transfer of collateral; -1: today.
  std::vector<std::vector<Index>> transfer;
};
ExposureDates make_exposure_dates(const ExposureOptions& options);

/// The exposures of one netting set, [time], with V the value less the collateral, under the
/// measure of payments at that time (path_measure.hpp), which is the risk-neutral measure where
/// interest rates are certain. Payments of a date are part of V at that date and not after it: a
/// sum over intervals uses the exposure after the payments of the first date, and before those of
/// the second.
struct ExposureProfile {
  std::vector<double> expected_positive;  ///< E[max(V, 0)]
  std::vector<double> expected_negative;  ///< E[max(-V, 0)]
  std::vector<double> future;             ///< potential future exposure: quantile of max(V, 0)
  std::vector<double> discounted_positive, discounted_negative;
  double average_positive = 0;  ///< EPE: time average of expected_positive
  /// CVA = (1 - R) sum_k (E_(k-1) + E_k) / 2 P(default in (t_(k-1), t_k]) with the discounted
  /// expected positive exposures E; DVA the same of the negative ones and this party's default.
  /// Both are positive numbers; 0 without a credit curve.
  double cva = 0, dva = 0;
  /// Costs of funding positive exposures, and benefits of negative ones: sum_k s (t_k - t_(k-1))
  /// (E_(k-1) + E_k) / 2 with the spreads s.
  double funding_cost = 0, funding_benefit = 0;
};

/// The profile of set `set`. `default_weights` are the path's
/// probability of default in each interval divided by that of the credit curve, [interval][path],
/// or empty without wrong-way risk.
ExposureProfile exposure_profile(const PricingConfig& config, const ExposureOptions& options,
                                 const ExposureDates& dates, const NettingSetValues& values,
                                 Index set, const std::vector<double>& default_weights);

/// Wrong-way risk of set `set`: probabilities of default in the intervals between the exposure
/// times on the paths of unit `unit`, divided by their means over the paths: [interval][path]. The
/// hazard rate is that of the credit curve times exp(volatility W - volatility^2 t / 2), constant
/// between the dates of values; W has the configured correlation with the Brownian motion of the
/// spot, whose increments are `spot_normals`.
std::vector<double> wrong_way_weights(const ExposureOptions& options, const ExposureDates& dates,
                                      Index set, Index unit, std::uint64_t seed,
                                      const std::vector<double>& spot_normals);

}  // namespace gsim::pricing
