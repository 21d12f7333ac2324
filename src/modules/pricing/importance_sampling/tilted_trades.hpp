#pragma once
// The trades of a run that are priced by importance sampling. They are selected at the first
// evaluation and are the same on every rank.

#include <span>
#include <vector>

#include "gsim/engine/module.hpp"
#include "src/modules/pricing/importance_sampling/importance.hpp"
#include "src/modules/pricing/pricing_config.hpp"
#include "src/modules/pricing/statistics/estimator.hpp"

namespace gsim::pricing {

/// A trade for which tilts are tried, because its samples without a tilt have a large variance.
struct TiltCandidate {
  Index trade = 0;
  UntiltedEstimate untilted;
};

/// Whether an estimate without a tilt makes its trade a candidate: few samples contribute, or their
/// standard deviation is more than four times the price. (Payoffs of plugins may have either sign
/// and a price near 0: for them only the number of contributing samples is used, if it is known.)
bool is_tilt_candidate(const TradeConfig& trade, const PriceEstimate& estimate);

/// The estimate of the price of one unit without a tilt; the default value, that is, no estimate,
/// if too few samples contribute.
UntiltedEstimate untilted_estimate(const TradeConfig& trade, const PriceEstimate& estimate);

class TiltedTrades {
 public:
  TiltedTrades() = default;
  /// Initially no trade is tilted. Configuration and context must outlive this object.
  TiltedTrades(const PricingConfig& config, const Context& context);

  /// Whether choose() has been called.
  bool are_chosen() const { return are_chosen_; }
  /// Requests another choose() at the next evaluation, for trades that are not tilted.
  void request_choice() { are_chosen_ = false; }
  bool is_tilted(Index trade) const { return tilt(trade).is_set(); }
  const Tilt& tilt(Index trade) const { return tilts_[static_cast<std::size_t>(trade)]; }
  const std::vector<Tilt>& tilts() const { return tilts_; }
  /// The simulation of one trade alone, under its tilt.
  Simulation simulation(Index trade) const;

  /// Tries tilts on the candidates, which are divided among the ranks; returns the newly tilted
  /// trades in increasing order. Collective; an error on any rank is thrown on all.
  std::vector<Index> choose(std::span<const TiltCandidate> candidates);

  void save(DatasetWriter& writer) const;
  void restore(DatasetReader& reader);

 private:
  Simulation untilted_simulation(Index trade) const;

  const PricingConfig* config_ = nullptr;
  const Context* context_ = nullptr;
  std::vector<Tilt> tilts_;  ///< [trade]
  bool are_chosen_ = false;
};

}  // namespace gsim::pricing
