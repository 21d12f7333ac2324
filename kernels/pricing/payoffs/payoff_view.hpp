#pragma once
// The constants of a payoff in the form that kernels read: plain data in the executor's memory,
// built by src/modules/pricing/trades/trade_tables.cpp.

#include <cstdint>

#include "gsim/core/types.hpp"
#include "kernels/pricing/payoffs/payoff_formula.hpp"

namespace gsim::pricing {

/// The device view of a payoff, which is evaluated on the tile. TradeSetup
/// (src/modules/pricing/trades/trade_setup.hpp) documents the formulas.
template <class T>
struct PayoffView {
  PayoffFormula formula;
  /// Whether the payoff is replaced by its expectation conditional on the variance path.
  bool conditional;
  Combination combination;
  std::int32_t assets, fixings;
  const std::int32_t* asset;   ///< [assets]
  const T* weight;             ///< [assets]
  const T* number;             ///< TradeSetup::numbers
  const std::int32_t* record;  ///< [fixings]
  const T* fixing_weight;      ///< [fixings], null: equal
  T sign, strike, cash;        ///< sign: +1 for calls, -1 for puts
  T log_scale;                 ///< geometric: added to the sum of logarithms
  bool average_strike, continuous, knock_in;
  // Asians: A = past_average + inverse_count (sum over the fixings), or the exponential of that
  // expression
  T past_average, inverse_count;
  T past_sum;  ///< of past periods; cliquet: clipped returns, variance swap: squared log returns
  T past_last, past_last_log;  ///< start of the first period, if has_past_last
  bool has_past_last;
  T spot;         ///< S(0) of the first asset
  T orientation;  ///< barrier, lookback: +1 monitors the maximum, -1 the minimum
  /// Lookback: orientation times the extreme of past spots; barrier: `level` if it was touched
  /// before today. Otherwise a number below all values.
  T past_extreme;
  T level;                 ///< orientation times the barrier B or, if continuous, ln(B / S(0))
  T rebate;                ///< in currency at the payment date
  const T* rebate_at_hit;  ///< [fixings], in the same units
  T local_floor, local_cap, global_floor, global_cap;
  T annualisation;
  double discount;
};

}  // namespace gsim::pricing
