#pragma once
// The numbers of the gradient of a phoenix note
// (kernels/pricing/greeks/adjoint/phoenix_gradient.hpp).

#include <vector>

#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::pricing {

/// Those of a trade of `base` with the terms ScriptedTrade::swept_terms: notional, coupon, memory
/// (0 or 1), knock-in level and gearing; 1 / initial level of each asset; and of each event, those
/// of the past included, the levels of the coupon and of the call. `growth` is the value at the
/// trade's payment date of a unit that is paid at each fixing, and `due` the number of coupons that
/// the next payment contains. Empty where the log-spots of some interval have no density.
std::vector<double> phoenix_numbers(const Simulation& base, const TradeSetup& trade,
                                    const std::vector<double>& terms,
                                    const std::vector<double>& growth, double due);

}  // namespace gsim::pricing
