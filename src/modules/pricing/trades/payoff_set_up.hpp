#pragma once
// What set-up code needs of a payoff besides the numbers of its functor. Payoffs of gsim that need
// more than a PayoffKind offers to plugins (known fixings, continuous monitoring, control variates
// in closed form) give these functions; for all others those of default_payoff_set_up() serve.

#include <string>
#include <vector>

#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"
#include "src/modules/pricing/trades/trade_setup.hpp"

namespace gsim::pricing {

/// Fixings after today, and all observations up to and including today.
struct Observations {
  std::vector<double> past;    ///< spots
  std::vector<double> future;  ///< years, rising
};

/// Which extremes of its asset's path between records a trade needs.
struct ExtremeNeeds {
  bool maximum = false, minimum = false;
  bool any() const { return maximum || minimum; }
};

struct PayoffSetUp {
  /// Describes, reads and checks the payoff's keys; trade.payoff is set.
  void (*describe)(Section& section, const MarketConfig& market, TradeConfig& trade) = nullptr;
  /// "European call", "down-and-out put": for tables.
  std::string (*name)(const TradeConfig& trade) = nullptr;
  /// Sets the formula, the combination of the assets and what is known of the fixings. All else of
  /// the setup is set.
  void (*set_up)(const TradeConfig& trade, const MarketView& view, const Observations& observations,
                 TradeSetup& setup) = nullptr;
  /// Chooses a control variate; false: there is none better than the spot. Null: never.
  bool (*choose_control)(const TradeConfig& trade, const MarketView& view,
                         TradeSetup& setup) = nullptr;
  /// Dates, years, that the payoff depends on besides its schedule and maturity. Null: none.
  std::vector<double> (*dates)(const TradeConfig& trade) = nullptr;
  /// Null: none.
  ExtremeNeeds (*extremes)(const TradeConfig& trade) = nullptr;
  /// Whether paths must be recorded pricing.steps_per_year times a year. Null: never.
  bool (*needs_short_intervals)(const TradeConfig& trade) = nullptr;
  bool has_control = true;            ///< false: no control variate is worth its cost
  bool has_conditional_form = false;  ///< for pricing.conditional
  bool is_tiltable = true;            ///< by importance sampling
  bool has_either_sign = false;       ///< its payments may be positive and negative
};

/// The functions of a kind: its own, or the default ones.
const PayoffSetUp& set_up_of(const PayoffKind& kind);

/// Which extremes of its asset's path between records the trade needs.
ExtremeNeeds extreme_needs(const TradeConfig& trade);

/// Position of the record at `date`, which must be there.
Index record_at(const std::vector<double>& records, double date);

/// The trade in numbers; its assets are positions among those simulated, in `order`.
TradeSetup make_trade_setup(const TradeConfig& trade, const MarketView& view,
                            const std::vector<Index>& order);

}  // namespace gsim::pricing
