#pragma once
// The part of a trade's life in which its barrier is monitored continuously.

#include "src/modules/pricing/trades/trade_config.hpp"

namespace gsim::pricing {

/// Times in years from today; both ends are monitored.
struct MonitoredWindow {
  double start = 0, end = 0;

  /// Whether the interval between two recorded dates is monitored; the window's ends are recorded.
  bool contains(double from, double to) const {
    return from >= start - same_date && to <= end + same_date;
  }
};

/// The window of a trade with continuous monitoring: the whole life, or for window barriers
/// TradeConfig::fixings, which are the start (none: today) and the end of the window.
inline MonitoredWindow monitored_window(const TradeConfig& trade) {
  if (trade.fixings.empty()) return {0, trade.maturity};
  return {trade.fixings.size() > 1 ? trade.fixings.front() : 0, trade.fixings.back()};
}

}  // namespace gsim::pricing
