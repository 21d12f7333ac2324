#pragma once
// Remarks that are necessary for the interpretation of a price. They are printed in the table, and
// written to the results and the log.

#include <span>
#include <string>
#include <vector>

#include "gsim/engine/estimate.hpp"
#include "src/modules/pricing/pricing_setup.hpp"
#include "src/modules/pricing/statistics/estimator.hpp"

namespace gsim::pricing {

/// The stop rule of a run and its largest number of samples.
struct RunLimits {
  StopRule stop;
  Index samples = 0;  ///< largest number of samples of a trade; 0: not known
};

/// The state of a trade for its remarks.
struct TradeState {
  const TradeConfig* trade;
  const TradeSetup* setup;
  const PriceEstimate* estimate;
  bool is_certain;         ///< its price does not depend on random numbers
  double deviation;        ///< control_deviation()
  bool is_tilted = false;  ///< priced by importance sampling, without a control
  bool has_converged = false;
  bool has_failed = false;  ///< skipped: a payoff or the price was not finite
};

/// The number of samples at which the error of an estimate meets the run's targets, if it decreases
/// with the square root of the number; infinite if none does (a relative target for the price 0),
/// NaN without targets or an error.
double samples_to_targets(const PriceEstimate& estimate, const StopRule& stop);

/// The trade's remarks, joined by "; ", or an empty string: that its price is certain; an error
/// that cannot be estimated from the samples, with the bound that they give (with 95 % confidence
/// at most 3 in n paths have another payment: Hanley and Lippman-Hand 1983, the rule of three); an
/// error target that the run cannot meet, and what to change; a control far from its expectation;
/// discretisation.
std::string remark(const PricingConfig& config, const RunLimits& limits, const TradeState& state);

/// A remark for all discretised trades of the portfolio on how to assess their bias, or an empty
/// string.
std::string discretisation_note(const PricingConfig& config);

/// One warning for each underlying (or basket) on which the control of some trade deviates by more
/// than five standard errors from its known expectation, with the likely cause.
std::vector<std::string> bias_warnings(const PricingConfig& config,
                                       std::span<const TradeState> states);

}  // namespace gsim::pricing
