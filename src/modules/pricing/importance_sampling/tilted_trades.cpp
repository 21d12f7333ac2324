#include "src/modules/pricing/importance_sampling/tilted_trades.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gsim/io/dataset.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {

bool is_tilt_candidate(const TradeConfig& trade, const PriceEstimate& e) {
  constexpr double wide = 4;  // a sample's standard deviation over the price
  if (e.kind == ErrorKind::no_variance && e.price != 0) return false;  // every path pays
  const auto samples = static_cast<double>(e.samples);
  if (functions_of(*trade.payoff).has_either_sign && std::isfinite(e.contributing_samples))
    return e.contributing_samples * square(wide) < samples;
  const double deviation = e.standard_error / std::fabs(e.price);
  return !(deviation * std::sqrt(samples) < wide);
}

UntiltedEstimate untilted_estimate(const TradeConfig& trade, const PriceEstimate& e) {
  // The variance of few contributing samples is not meaningful.
  if (e.contributing_samples < min_contributing_samples || !std::isfinite(e.standard_error) ||
      e.price == 0)
    return {};
  const double relative = e.standard_error / e.price;
  return {e.price / trade.quantity, e.standard_error / std::fabs(trade.quantity),
          square(relative) * static_cast<double>(e.samples)};
}

TiltedTrades::TiltedTrades(const PricingConfig& config, const Context& context)
    : config_(&config), context_(&context), tilts_(config.trades.size()) {}

Simulation TiltedTrades::untilted_simulation(Index trade) const {
  return simulation_to_tilt(*config_, config_->trades[static_cast<std::size_t>(trade)],
                            context_->arithmetic, context_->seed);
}

Simulation TiltedTrades::simulation(Index trade) const {
  return tilted(untilted_simulation(trade), tilt(trade));
}

std::vector<Index> TiltedTrades::choose(std::span<const TiltCandidate> candidates) {
  struct Choice {
    Index trade;
    Tilt tilt;
  };
  const Communicator& ranks = context_->communicator;
  std::vector<Choice> local_choices;
  ranks.agree([&] {
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (static_cast<Index>(k) % ranks.size() != ranks.rank()) continue;
      const TiltCandidate& c = candidates[k];
      const Tilt tilt = choose_tilt(context_->executor, untilted_simulation(c.trade), c.untilted);
      if (tilt.is_set()) local_choices.push_back({c.trade, tilt});
    }
  });
  std::vector<Index> chosen;
  for (const Choice& choice : ranks.allgather<Choice>(local_choices)) {
    tilts_[static_cast<std::size_t>(choice.trade)] = choice.tilt;
    chosen.push_back(choice.trade);
  }
  std::sort(chosen.begin(), chosen.end());
  are_chosen_ = true;
  return chosen;
}

void TiltedTrades::save(DatasetWriter& writer) const {
  std::vector<std::int64_t> directions;
  std::vector<double> lengths;
  directions.reserve(tilts_.size());
  lengths.reserve(tilts_.size());
  for (const Tilt& tilt : tilts_) {
    directions.push_back(tilt.direction);
    lengths.push_back(tilt.length);
  }
  writer.write("trades/tilt_direction", directions);
  writer.write("trades/tilt_length", lengths);
  writer.write("trades/tilts_chosen", std::uint8_t{are_chosen_});
}

void TiltedTrades::restore(DatasetReader& reader) {
  const auto directions = reader.read<std::int64_t>("trades/tilt_direction");
  const auto lengths = reader.read<double>("trades/tilt_length");
  const auto chosen = reader.read<std::uint8_t>("trades/tilts_chosen");
  if (directions.size() != tilts_.size() || lengths.size() != tilts_.size() || chosen.size() != 1)
    throw IoError("checkpoint: trades/tilt_length does not hold one entry per trade of this run");
  for (std::size_t i = 0; i < tilts_.size(); ++i) tilts_[i] = {directions[i], lengths[i]};
  are_chosen_ = chosen.front() != 0;
}

}  // namespace gsim::pricing
