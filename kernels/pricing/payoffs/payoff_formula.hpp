#pragma once
// The formulas of payoffs that pricing's own kernels evaluate, and the underlyings that they are
// evaluated on. Set-up code and kernels share them. TradeSetup
// (src/modules/pricing/trades/trade_setup.hpp) states the formulas.

#include <cstdint>

#include "kernels/pricing/payoffs/names.hpp"  // written by the build

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

/// The formula of a payoff: one for each specialisation PayoffOf<PayoffFormula::NAME> in the
/// headers of this folder (payoff_of.hpp), in alphabetical order.
enum class PayoffFormula : std::int32_t {
#define GSIM_ENUMERATOR(name) name,
  GSIM_PAYOFF_FORMULAS(GSIM_ENUMERATOR)
#undef GSIM_ENUMERATOR
      launched  ///< evaluated by the launchers of the trade's PayoffKind
};

}  // namespace gsim::pricing
