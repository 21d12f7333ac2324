#pragma once
// The last trades of a portfolio. A portfolio's trades share paths of all its assets over all its
// dates. Once most trades have met their error targets, the few that remain often need only a small
// part of these paths: a European call needs one step of one asset. From then on each remaining
// trade is simulated on paths of its own, over its own assets and dates, if that takes fewer steps.
//
// The samples of a trade before and after the change come from different path numbers, hence are
// independent, and have the same expectation: the same model, at least steps_per_year steps a year
// where the model is discretised, and the same control variate. Their sums are merged.

#include <cstdint>
#include <span>

#include "src/modules/pricing/pricing_setup.hpp"

namespace gsim::pricing {

/// The configuration of a portfolio with this trade only, on the same market and with the same
/// options.
PricingConfig portfolio_of_one(const PricingConfig& config, const TradeConfig& trade);

/// The simulation of this trade alone.
Simulation separate_simulation(const PricingConfig& config, const TradeConfig& trade,
                               Arithmetic arithmetic, std::uint64_t seed);

/// Whether simulating each of the trades with a non-zero flag in `remaining` on its own paths takes
/// fewer asset-steps per sample than simulating the portfolio's paths, `shared`. It depends on
/// these arguments only, so that interrupted runs and other numbers of ranks give the same
/// decision. Always false with Sobol points, whose dimensions belong to the paths of the portfolio.
bool are_separate_paths_cheaper(const PricingConfig& config, const Simulation& shared,
                                std::span<const std::uint8_t> remaining);

}  // namespace gsim::pricing
