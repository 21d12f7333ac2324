#pragma once
// The measures of risk of a portfolio from the gains of its trades in scenarios.

#include <span>
#include <vector>

#include "gsim/engine/module.hpp"
#include "src/modules/pricing/risk/risk_measures.hpp"
#include "src/modules/pricing/risk/risk_options.hpp"
#include "src/modules/pricing/risk/sensitivities.hpp"

namespace gsim::pricing {

/// Gains of all trades in some scenarios.
struct Gains {
  std::size_t trades = 0;
  std::vector<double> by_trade;  ///< [scenario][trade]
  /// [scenario][batch] the gains of the simulated trades together, from one batch of samples;
  /// empty: there are none.
  std::vector<double> batches;

  Index scenarios() const;
  double of(Index scenario, std::size_t trade) const {
    return by_trade[static_cast<std::size_t>(scenario) * trades + trade];
  }
  /// The gain of the portfolio in each scenario, and its standard error by the simulation of
  /// values.
  std::vector<double> totals() const;
  std::vector<double> total_errors() const;
};

/// VaR and ES of the portfolio by one method at one level.
struct MeasureRow {
  RiskMethod method = RiskMethod::monte_carlo;
  double level = 0;
  Index scenarios = 0;
  /// The standard errors include those of the simulated values; the intervals do not.
  TailRisk risk;
  /// The parts of the standard errors that result from the simulation of values.
  double var_simulation_error = 0, es_simulation_error = 0;
  /// Bootstrap; NaN without one.
  TailRisk resampled;
};

/// The contribution of one trade to a MeasureRow. The components of VaR and ES are
/// -E[gain of the trade | loss of the portfolio = VaR] and the same given a loss in the tail; their
/// sums over the trades are VaR and ES (Tasche 2000, "Risk contributions and performance
/// measurement"; McNeil, Frey and Embrechts 2015, section 8.5). The increment is what the VaR of
/// the portfolio loses without the trade.
struct ContributionRow {
  std::size_t measure = 0;  ///< index of the MeasureRow
  std::size_t trade = 0;
  double component_var = 0, component_var_error = 0;
  double component_es = 0, component_es_error = 0;  ///< without the errors of simulated values
  double incremental_var = 0;
  /// By the bootstrap, on whose resamples both VaR are computed; without the error of simulated
  /// values. NaN without a bootstrap.
  double incremental_var_error = unknown_error;
};

// The ranks share what follows by their speeds, `shares`.

/// The measures of `gains` at all levels, without a bootstrap. The ranks share the batches of
/// simulated values. Collective.
std::vector<MeasureRow> measure(RiskMethod method, const Gains& gains, const RiskOptions& options,
                                double confidence, const Communicator& ranks,
                                const WorkShares& shares);
/// Adds bootstrap intervals to the rows, which measure() gave for the same gains; not for
/// overlapping changes of fewer than five blocks. The ranks of `context` share the resamples.
/// Collective.
void add_bootstrap(std::span<MeasureRow> rows, const Gains& gains, const RiskOptions& options,
                   double confidence, const Context& context, const WorkShares& shares);
/// Replaces the errors and intervals of the rows by those of the bootstrap: for historical changes
/// that overlap and hence depend on each other. Without resamples they are unknown. Collective.
void use_bootstrap_errors(std::span<MeasureRow> rows, const Gains& gains,
                          const RiskOptions& options, double confidence, const Context& context,
                          const WorkShares& shares);
/// The contributions of all trades to the rows, which measure() gave for the same gains; `first` is
/// the index of the first row. The errors of increments are left unknown. The ranks share the
/// increments of the trades. Collective.
std::vector<ContributionRow> contributions(std::span<const MeasureRow> rows, std::size_t first,
                                           const Gains& gains, const Communicator& ranks,
                                           const WorkShares& shares);
/// Sets the errors of the increments in `list` = contributions(rows, first, gains) by the resamples
/// of add_bootstrap(): not where it leaves errors unknown. The ranks of `context` share the
/// resamples and the sorting of losses, and the threads of a rank the trades. Collective.
void add_increment_errors(std::span<ContributionRow> list, std::span<const MeasureRow> rows,
                          const Gains& gains, const RiskOptions& options, const Context& context,
                          const WorkShares& shares);
/// Memory that a rank needs for the resamples of `scenarios` scenarios, in bytes, where `ranks`
/// share them.
double resample_bytes(const RiskOptions& options, Index scenarios, std::size_t trades, int ranks);

/// The measures of normally distributed gains, sum_f first[f] change[f]: VaR = z_alpha sd, ES =
/// phi( z_alpha) / (1 - alpha) sd, and their Euler allocations (McNeil, Frey and Embrechts 2015,
/// sections 2.3 and 8.5). `covariance` is that of the changes over the horizon; `batches` are the
/// derivatives of the simulated trades together, from each batch of samples, whose spread gives the
/// errors, 0 without such trades.
std::vector<MeasureRow> measure_normal(const std::vector<TradeSensitivities>& trades,
                                       const std::vector<TradeSensitivities>& batches,
                                       const std::vector<double>& covariance,
                                       const RiskOptions& options);
std::vector<ContributionRow> normal_contributions(std::span<const MeasureRow> rows,
                                                  std::size_t first,
                                                  const std::vector<TradeSensitivities>& trades,
                                                  const std::vector<double>& covariance);

}  // namespace gsim::pricing
