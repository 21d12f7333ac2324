#pragma once
// Reverse sweeps over payoffs that gsim defines by scripts: Napoleon cliquets and phoenix notes
// (kernels/pricing/greeks/adjoint/{napoleon,phoenix}_gradient.hpp).

#include <vector>

#include "src/modules/pricing/greeks/greek_simulations.hpp"
#include "src/modules/pricing/pricing_setup.hpp"

namespace gsim::pricing {

/// Whether the jumps of a trade may be smoothed by SweptPayoff::phoenix: of a phoenix note on at
/// most eight lognormal assets, without early exercise.
bool has_phoenix_jumps(const PricingConfig& config, const TradeConfig& trade);

/// SweptPayoff::napoleon or phoenix for trades with these payoffs; own: another payoff, or a note
/// that was called.
SweptPayoff swept_note(const TradeSetup& trade);
inline bool is_note(SweptPayoff swept) {
  return swept == SweptPayoff::napoleon || swept == SweptPayoff::phoenix;
}

/// Whether the states of a note after its dates until today are the same in two markets, apart from
/// the spot where the first period of a Napoleon begins. They differ by the value of what was paid
/// on such dates and is due later, and by a return that ends today: sweeps do not derive these.
bool has_same_states(const TradeSetup& base, const TradeSetup& bumped, SweptPayoff swept);

/// The numbers of the gradient of a trade of `base`; none where the log-spots of some interval have
/// no density, because assets depend on each other linearly.
std::vector<double> note_gradient_numbers(const Simulation& base, const TradeSetup& trade,
                                          const TradeConfig& config, SweptPayoff swept);

/// Adds to the terms of a bumped market what the changes of payments' growth until the trade's
/// payment date, and of the spot where a first period begins today, contribute; the sums belong to
/// `sweep`, that of the first asset. To be called for all bumped markets in turn.
void add_changes_of_payments(const TradeSetup& base, const TradeSetup& bumped,
                             const TradeConfig& config, SweptPayoff swept, PlannedSweep& sweep,
                             int& sums, std::vector<AdjointTerm>& terms);

}  // namespace gsim::pricing
