#pragma once
// The payoffs and underlyings that pricing's own kernels evaluate, in the numbering that set-up
// code and kernels share. TradeSetup (src/modules/pricing/trades/trade_setup.hpp) states the
// formulas.

#include <cstdint>

namespace gsim::pricing {

/// How the spots S_i of a trade's assets are combined into the underlying at a date, with the
/// trade's weights w_i.
enum class Combination : std::int32_t {
  single,        ///< w_0 S_0 with w_0 = 1
  weighted_sum,  ///< sum of w_i S_i
  best_of,       ///< largest w_i S_i
  worst_of,      ///< smallest w_i S_i
  geometric      ///< product of S_i^w_i
};

/// The formula of a payoff.
enum class PayoffFormula : std::int32_t {
  forward,           ///< the underlying at the last fixing: control variates only
  vanilla,           ///< call or put on the underlying at the last fixing
  cash_digital,      ///< pays a fixed amount
  asset_digital,     ///< pays the underlying
  forward_start,     ///< the strike is a multiple of the first fixing
  cliquet,           ///< sum of clipped returns of the periods, clipped globally
  asian_arithmetic,  ///< average price or average strike
  asian_geometric,
  barrier,  ///< eight kinds: up or down, in or out, call or put
  lookback_fixed,
  lookback_floating,
  variance_swap,  ///< annualised realised variance minus strike
  launched        ///< evaluated by the launchers of the trade's PayoffKind
};

}  // namespace gsim::pricing
