#pragma once
// <LegData> of Open Source Risk Engine: the periods of one side of a swap, or of a cap.

#include <string>
#include <vector>

#include "src/modules/pricing/ore/ore_trades.hpp"

namespace gsim::pricing {

/// One leg with a constant notional and a constant fixed rate or spread.
struct OreLeg {
  bool is_fixed = false, is_payer = false;
  std::string currency;
  double notional = 0;
  double rate = 0;          ///< fixed rate, or spread
  std::string index;        ///< of a floating leg
  std::vector<Date> dates;  ///< between the periods
  std::vector<double> accruals;
  std::vector<Date> payments;
  std::vector<double> known_rates;  ///< of the first floating periods that are not paid yet
  TextPlace at, schedule_at, rate_at;
};

/// Reads the leg. ConfigError for what is not understood or not supported.
OreLeg ore_leg(const XmlElement& leg, const OreContext& context);

/// Sets the keys float_dates, … or fixed_dates, … of a trade.
void set_leg(const OreLeg& leg, CellTable& row);

}  // namespace gsim::pricing
