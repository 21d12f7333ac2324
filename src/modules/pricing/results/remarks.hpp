#pragma once
// Remarks without which a price could be misread. They are printed beside it in the table, the
// results and the log.

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
  Index samples = 0;  ///< most samples of a trade; 0: not known
};

/// The state of a trade when it is reported.
struct TradeState {
  const TradeConfig* trade;
  const TradeSetup* setup;
  const PriceEstimate* estimate;
  bool is_certain;
  double deviation;        ///< control_deviation()
  bool is_tilted = false;  ///< priced by importance sampling, and without a control
  bool has_converged = false;
  bool has_failed = false;  ///< skipped: a payoff or the price was no number
};

/// How many samples would bring the error of an estimate to the run's targets, as it falls with the
/// root of their number; infinite where none would (a relative target of the price 0), NaN without
/// targets or an error.
double samples_to_targets(const PriceEstimate& estimate, const StopRule& stop);

/// The trade's remarks, joined by "; ", or nothing: certain; an error that the samples do not show,
/// with the bound that they do give (with 95 % confidence at most 3 in n paths pay otherwise:
/// Hanley and Lippman-Hand 1983, the rule of three); an error target that the run cannot meet, and
/// what to set instead; a control far from its expectation; discretisation.
std::string remark(const PricingConfig& config, const RunLimits& limits, const TradeState& state);

/// The line for all discretised trades of the portfolio, or nothing: how their bias can be seen.
std::string discretisation_note(const PricingConfig& config);

/// One warning for each underlying (or basket of them) on which some trade's control lies more than
/// five standard errors from its known expectation, naming the likely cause.
std::vector<std::string> bias_warnings(const PricingConfig& config,
                                       std::span<const TradeState> states);

}  // namespace gsim::pricing
