#pragma once
// Functions of a payoff that set-up code needs besides the parameters of its functor. Built-in
// payoffs that need more than PayoffKind offers to plugins (known fixings, continuous monitoring,
// control variates in closed form) define these functions; for all other payoffs functions_of()
// returns default functions.

#include <optional>
#include <string>
#include <vector>

#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"
#include "src/modules/pricing/trades/trade_setup.hpp"

namespace gsim::pricing {

/// Fixings after today, and all observations up to and including today.
struct Observations {
  std::vector<double> past;    ///< spots
  std::vector<double> future;  ///< years, increasing
};

/// Which extremes of its asset's path between recorded dates a trade needs.
struct RequiredExtremes {
  bool maximum = false, minimum = false;
  bool any() const { return maximum || minimum; }
};

/// The conditional expectation that may replace a payoff for Greeks (greeks/smoothing.hpp).
enum class SmoothedForm { none, digital, barrier };

struct RateValue;

struct PayoffFunctions {
  /// Describes the payoff's keys; trade.payoff is already set.
  void (*describe)(Section& section, TradeInput& trade) = nullptr;
  /// Checks the values of the payoff's keys, and sets the fields of `trade` that follow from them:
  /// assets, weights, fixings.
  void (*validate)(const Section& section, const MarketConfig& market, TradeInput& trade) = nullptr;
  /// For example "European call" or "down-and-out put", for tables.
  std::string (*name)(const TradeConfig& trade) = nullptr;
  /// Sets the formula, the combination of the assets and the data of past fixings. All other fields
  /// of the setup are already set.
  void (*set_up)(const TradeConfig& trade, const MarketView& view, const Observations& observations,
                 TradeSetup& setup) = nullptr;
  /// Chooses a control variate; returns false if none is better than the spot. Null: none is.
  bool (*choose_control)(const TradeConfig& trade, const MarketView& view,
                         TradeSetup& setup) = nullptr;
  /// The value of one unit of the trade without early exercise in closed form, in the view's
  /// currency, that of the payments, or nothing where none is known for its terms and the models of
  /// its assets. The amounts of `setup` are in that currency, too. Null: none is known.
  std::optional<double> (*value)(const TradeConfig& trade, const MarketView& view,
                                 const TradeSetup& setup) = nullptr;
  /// Of a trade on a short rate: its value at a date by a formula (rate_products.hpp). Null: none.
  RateValue (*rate_value)(const TradeConfig& trade, const MarketView& view, double date) = nullptr;
  /// Dates, in years, on which the payoff depends besides its schedule and maturity. Null: none.
  std::vector<double> (*dates)(const TradeConfig& trade) = nullptr;
  /// Required extremes of the path between recorded dates. Null: none.
  RequiredExtremes (*extremes)(const TradeConfig& trade) = nullptr;
  /// Whether paths must be recorded pricing.steps_per_year times a year. Null: no.
  bool (*needs_short_intervals)(const TradeConfig& trade) = nullptr;
  bool has_control = true;            ///< false: no control variate is worth its cost
  bool has_conditional_form = false;  ///< pricing.conditional is supported
  bool is_tiltable = true;            ///< importance sampling may tilt the paths
  bool has_either_sign = false;       ///< payments may be positive or negative
  /// Whether a trade whose maturity is brought forward pays what the trade is worth at that date.
  bool matures_at_value = false;
  bool pays_before_maturity = false;  ///< payments at several dates
  bool is_exercisable = false;        ///< may be exercised before the maturity
  /// Checks the keys that the payoff has for its exercise rights, European ones included, whose
  /// keys have been read; ConfigError with the reason for a right that it cannot have. Null: there
  /// are no such keys.
  void (*check_exercise)(const Section& section, TradeInput& trade) = nullptr;
  /// The first of the fixings begins a period, so that exercise has a value after it only.
  bool exercise_needs_period = false;
  /// Whether what the trade would pay if a date were its maturity depends on more of a path than
  /// the spots at that date (and on whether it is positive).
  bool exercise_depends_on_path = false;
  bool is_lipschitz = false;  ///< payments are Lipschitz continuous in the spots
  SmoothedForm smoothed_form = SmoothedForm::none;
};

/// The functions of a kind: its own, or the default ones.
const PayoffFunctions& functions_of(const PayoffKind& kind);

/// Which extremes of its asset's path between recorded dates the trade needs.
RequiredExtremes required_extremes(const TradeConfig& trade);

/// Index in `records` (MarketView::records: the dates at which paths are recorded, years) of
/// `date`, which must be among them.
Index record_at(const std::vector<double>& records, double date);

/// The value of one unit of the trade in the base currency by PayoffFunctions::value; nothing for
/// trades with early exercise.
std::optional<double> closed_form_value(const TradeConfig& trade, const MarketView& view,
                                        const std::vector<Index>& order);

/// The numerical form of the trade, whose payments are converted to the base currency at today's
/// exchange rate; its assets are indices into the simulated assets in `order`.
TradeSetup make_trade_setup(const TradeConfig& trade, const MarketView& view,
                            const std::vector<Index>& order);

}  // namespace gsim::pricing
