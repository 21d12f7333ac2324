#pragma once
// A trade whose payoff is a script: of the product `scripted`, or of a product that gsim defines by
// a script.

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "src/modules/pricing/scripts/script_program.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {

/// The compiled payoff of a trade, which trades of the same configuration in other markets share.
struct ScriptedTrade {
  std::string name;  ///< of the script; empty: it is written within the trade
  ScriptProgram program;
  std::vector<double> events;             ///< years, those before today included, the last one the
                                          ///< maturity
  std::vector<std::vector<double>> past;  ///< [events before today][asset] spots
  /// The event at which the trade is exercised; -1: it runs to the maturity.
  Index exercised_at = -1;
  /// Terms that a sweep over the payoff reads (greeks/note_sweeps.hpp); empty: it has none.
  std::vector<double> swept_terms;
};
/// Sets ScriptedTrade::swept_terms of a trade with a compiled script.
void set_swept_terms(TradeInput& trade, std::vector<double> terms);

/// Makes a script the payoff of the trade; its parameters and named schedules are still to be set.
void use_script(TradeInput& trade, std::shared_ptr<const Script> script);
/// The values of a parameter of the trade's script (TradeInput::script_input).
std::vector<double>& parameter_of(TradeInput& trade, std::string_view name);

/// Compiles TradeInput::script_input, whose parameters and named schedules have been set, for the
/// trade, whose assets, maturity and keys of a schedule have been set. Sets TradeConfig::script,
/// and `fixings` to the events from today on.
void validate_script(const Section& s, const MarketConfig& market, TradeInput& trade,
                     ScheduleStart start = ScheduleStart::not_a_date);

/// PayoffFunctions::set_up of trades with a script.
void set_up_script(const TradeConfig& trade, const MarketView& view,
                   const Observations& observations, TradeSetup& setup);
/// Payments of a trade at several dates: those that are fixed after `fixed_after` and at
/// `fixed_until` at the latest, and paid after `paid_after` and at `paid_until` at the latest;
/// years.
struct PaymentWindow {
  double fixed_after = -std::numeric_limits<double>::infinity();
  double fixed_until = std::numeric_limits<double>::infinity();
  double paid_after = -std::numeric_limits<double>::infinity();
  double paid_until = std::numeric_limits<double>::infinity();
  bool contains(double fixed, double paid) const {
    return fixed > fixed_after && fixed <= fixed_until && paid > paid_after && paid <= paid_until;
  }
};
/// TradeSetup::numbers of such a trade with `fixings` events after today, where of the payments
/// before the trade's last one only those of the window count.
std::vector<double> script_numbers(const TradeConfig& trade, const MarketView& view,
                                   std::size_t fixings, const PaymentWindow& window);
/// The values at the trade's payment date of a unit that its script pays, as long afterwards as the
/// trade's payment lag, at each fixing of a set-up, [fixing]; empty if it pays nothing so.
std::vector<double> growth_of_payments(const TradeConfig& trade, const TradeSetup& setup);
/// The longest time from a date at which a payment of a trade is fixed to the payment, years.
double longest_lag(const TradeConfig& trade);
/// The last date at which a trade whose payments are at its fixings and its maturity, or as long
/// after them as longest_lag(), may pay; years.
double last_payment_date(const TradeConfig& trade);
/// The launchers of the kinds of such trades.
PayoffLaunchers script_launchers();

/// The schedule of a script of gsim's own at which the statements that give a right to exercise are
/// executed: the exercise dates before the maturity, and none if exercise is European.
inline constexpr std::string_view exercise_schedule = "exercise_dates";
/// Compiles the script of a validated trade again, with these dates of exercise_schedule, which are
/// among its events.
void set_exercise_dates(TradeInput& trade, std::vector<double> dates);
/// The events from today on and before the maturity, years, at which the script of a validated
/// trade may give the right to exercise.
std::vector<double> exercise_dates_of(const ScriptedTrade& script);
/// The script of a trade that is exercised at one of its exercise dates, or today, wherever it
/// gives the right; elsewhere its payoff is minus infinity.
std::shared_ptr<const ScriptedTrade> exercised_script(const TradeConfig& trade, double date);

/// The trade after today's spots have become past ones: today's events are past ones.
void observe_script_today(TradeConfig& trade, const MarketConfig& market);

}  // namespace gsim::pricing
