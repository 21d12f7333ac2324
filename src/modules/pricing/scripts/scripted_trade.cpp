#include "src/modules/pricing/scripts/scripted_trade.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "kernels/pricing/payoffs/run_script.hpp"
#include "src/modules/pricing/market/converted_assets.hpp"
#include "src/modules/pricing/market/fixings.hpp"
#include "src/modules/pricing/trades/trade_fields.hpp"

GSIM_DECLARE_PAYOFF(scripted)

namespace gsim::pricing {
namespace {

constexpr PaymentWindow all_payments;

/// The values that payments after `count` events from `first` on have at the trade's payment date,
/// for each table of the program that is one of growth. Of past events only payments that are due
/// today or later count, and of all payments only those of `window`.
std::vector<std::vector<double>> growth_of(const ScriptedTrade& script, std::size_t first,
                                           std::size_t count, const TradeConfig& t,
                                           const MarketView& view, double discount,
                                           const PaymentWindow& window) {
  // Time may have passed since the events were read (Greeks): the maturity has come closer, too.
  const double passed = script.events.back() - t.maturity;
  std::vector<std::vector<double>> growth;
  for (const ScriptTable& table : script.program.tables) {
    growth.emplace_back();
    if (!table.is_growth()) continue;
    for (std::size_t e = first; e < first + count; ++e) {
      const double event = script.events[e], paid = event + table.lag;
      const bool is_due = (event > same_date || paid >= -same_date) && window.contains(event, paid);
      const bool has_moved = paid > same_date;
      growth.back().push_back(is_due ? view.discount(has_moved ? paid - passed : 0.0) / discount
                                     : 0.0);
    }
  }
  return growth;
}

/// The states after the first `past` events, the last of which has today's spots if no others are
/// known.
std::vector<double> states_after(const ScriptedTrade& script, std::size_t past,
                                 const TradeConfig& t, const MarketView& view, double discount,
                                 const PaymentWindow& window) {
  const ScriptProgram& program = script.program;
  if (past == 0) return program.initial;
  const std::vector<double> numbers = encode_program(
      program, 0, past, program.initial, growth_of(script, 0, past, t, view, discount, window));
  const pricing_kernels::ScriptView<double> view_of_program(numbers.data(),
                                                            static_cast<std::int32_t>(past));
  pricing_kernels::ScriptPath<Strict, double> path(view_of_program);
  for (std::size_t e = 0; e < past; ++e)
    path.on_fixing(static_cast<std::int32_t>(e), [&](std::int32_t a) {
      const auto asset = static_cast<std::size_t>(a);
      return e < script.past.size() ? script.past[e][asset] : view.spot(t.assets[asset]);
    });
  std::vector<double> states;
  for (std::size_t s = 0; s < program.initial.size(); ++s)
    states.push_back(path.state(static_cast<std::int32_t>(s)));
  return states;
}

/// What a trade that ends at an event, unless it is exercised before, pays at its end.
ScriptEnd end_of(const ScriptProgram& program, std::size_t event) {
  return program.is_exercisable[program.segment_of_event[event]] ? ScriptEnd::better_of_the_two
                                                                 : ScriptEnd::payments;
}

/// The number of events until the trade ends.
std::size_t events_of(const ScriptedTrade& script) {
  return script.exercised_at >= 0 ? static_cast<std::size_t>(script.exercised_at) + 1
                                  : script.events.size();
}

void check_named_dates(const Section& s, const TradeInput& t, const std::string& name,
                       std::vector<double>& dates) {
  if (dates.empty()) s.fail("schedules", fmt::format("the schedule `{}` has no dates", name));
  for (double& date : dates)
    if (std::fabs(date - t.maturity) <= same_date) date = t.maturity;
  for (std::size_t i = 1; i < dates.size(); ++i)
    if (!(dates[i] - dates[i - 1] > same_date))
      s.fail("schedules",
             fmt::format("dates of the schedule `{}` must be rising, but {} follows {}", name,
                         dates[i], dates[i - 1]));
  if (dates.back() > t.maturity)
    s.fail("schedules",
           fmt::format("the last date {} of the schedule `{}` is after the maturity {}",
                       dates.back(), name, t.maturity));
}

/// The dates of the schedule `fixings`, those before today included.
std::vector<double> fixings_of(const Section& s, const MarketConfig& market, TradeInput& t,
                               ScheduleStart start) {
  const Script& script = *t.script_input.script;
  const bool is_given = !t.fixings.empty() || t.fixing_count > 0;
  if (!script.has_block_of(Script::fixings)) {
    if (is_given)
      s.fail(t.fixings.empty() ? "fixing_count" : "fixings",
             "no statement of the script is executed at `fixings`",
             "leave it out: all statements belong to other schedules");
    return {};
  }
  if (!is_given) return {t.maturity};
  std::vector<double> past;
  while (!t.fixings.empty() && t.fixings.front() < 0) {
    if (!past.empty() && !(t.fixings.front() - past.back() > same_date))
      s.fail("fixings", fmt::format("dates must be rising, but {} follows {}", t.fixings.front(),
                                    past.back()));
    past.push_back(t.fixings.front());
    t.fixings.erase(t.fixings.begin());
  }
  if (!past.empty() && t.fixings.empty())
    s.fail("fixings", fmt::format("no date after today: the last one is {}", past.back()));
  validate_schedule(s, market, t, start);
  past.insert(past.end(), t.fixings.begin(), t.fixings.end());
  return past;
}

/// All dates of the schedules, increasing, none twice.
std::vector<double> joined(const std::vector<std::vector<double>>& schedules) {
  std::vector<double> dates;
  for (const auto& schedule : schedules)
    dates.insert(dates.end(), schedule.begin(), schedule.end());
  std::sort(dates.begin(), dates.end());
  std::vector<double> events;
  for (const double date : dates)
    if (events.empty() || date - events.back() > same_date) events.push_back(date);
  // The maturity, and not a date that differs by less than the tolerance.
  events.back() = dates.back();
  return events;
}

/// Spots of all assets at an event before today.
std::vector<double> spots_on(const Section& s, const MarketConfig& market, const TradeConfig& t,
                             double date) {
  std::vector<double> spots;
  for (const Index i : t.assets) {
    const AssetConfig& asset = market.assets[static_cast<std::size_t>(i)];
    const std::optional<double> spot = past_spot(asset, date);
    if (!spot)
      s.fail(s.has("fixings") ? "fixings" : "product",
             fmt::format("no fixing of asset `{}` on {}", excerpt(asset.name),
                         market.dates.text_of(date)),
             advice_on_fixing(market, asset));
    spots.push_back(*spot);
  }
  return spots;
}

void check_parameters(const Section& s, const TradeInput& t, const ScriptTerms& terms) {
  const Script& script = *t.script_input.script;
  for (std::size_t i = 0; i < script.symbols.size(); ++i) {
    const ScriptSymbol& symbol = script.symbols[i];
    if (symbol.kind != ScriptSymbol::Kind::parameter) continue;
    const std::size_t given = terms.parameters[i].size();
    const bool is_per_asset = symbol.shape == ScriptSymbol::Shape::per_asset;
    const std::size_t count = is_per_asset ? terms.assets.size()
                              : symbol.shape == ScriptSymbol::Shape::per_date
                                  ? terms.schedules[symbol.schedule].size()
                                  : 1;
    if (given == count) continue;
    s.fail("parameters",
           fmt::format("the parameter `{}` needs one value for each of the {} {}, not {}",
                       symbol.name, count,
                       is_per_asset ? "assets"
                                    : fmt::format("dates of the schedule `{}`",
                                                  script.schedules[symbol.schedule]),
                       given));
  }
}

}  // namespace

void use_script(TradeInput& t, std::shared_ptr<const Script> script) {
  t.script_input.parameters.assign(script->symbols.size(), {});
  t.script_input.schedules.assign(script->schedules.size(), {});
  t.script_input.script = std::move(script);
}

std::vector<double>& parameter_of(TradeInput& t, std::string_view name) {
  const std::vector<ScriptSymbol>& symbols = t.script_input.script->symbols;
  const auto found = std::find_if(symbols.begin(), symbols.end(),
                                  [&](const ScriptSymbol& s) { return s.name == name; });
  GSIM_EXPECT(found != symbols.end() && found->kind == ScriptSymbol::Kind::parameter);
  return t.script_input.parameters[static_cast<std::size_t>(found - symbols.begin())];
}

void validate_script(const Section& s, const MarketConfig& market, TradeInput& t,
                     ScheduleStart start) {
  const Script& script = *t.script_input.script;
  validate_maturity(s, t);
  if (t.assets.size() > 1)  // weights of the spots in the control variate
    for (std::size_t a = 0; a < t.assets.size(); ++a)
      t.weights[a] = 1 / market.assets[static_cast<std::size_t>(t.assets[a])].spot;
  ScriptTerms terms;
  terms.payment_lag = t.payment_lag;
  // The names as given: assets that are converted to another currency have others.
  terms.assets = t.asset_names.empty() ? std::vector{t.asset_name} : t.asset_names;
  terms.schedules = t.script_input.schedules;
  const bool is_of_gsim = t.script_input.text.empty() && t.script_input.name.empty();
  for (std::size_t k = Script::maturity + 1; k < script.schedules.size(); ++k)
    if (!is_of_gsim)  // the schedule of exercise follows, if it is early (set_exercise_dates)
      check_named_dates(s, t, script.schedules[k], terms.schedules[k]);
  terms.schedules[Script::fixings] = fixings_of(s, market, t, start);
  terms.schedules[Script::maturity] = {t.maturity};
  terms.events = joined(terms.schedules);
  terms.parameters = std::move(t.script_input.parameters);
  check_parameters(s, t, terms);
  auto compiled = std::make_shared<ScriptedTrade>();
  compiled->name = script.name;
  compiled->program = compile_script(script, terms);
  compiled->events = terms.events;
  t.fixings.clear();
  for (const double date : terms.events) {
    if (date < 0)
      compiled->past.push_back(spots_on(s, market, t, date));
    else
      t.fixings.push_back(date);
  }
  const std::size_t numbers = compiled->program.tables.size() * terms.events.size();
  if (numbers > max_plugin_numbers / 2)
    s.fail("product",
           fmt::format("the script reads {} quantities at {} dates, which are too many",
                       compiled->program.tables.size(), terms.events.size()),
           "use fewer dates");
  t.script = std::move(compiled);
  t.script_input.terms = std::make_shared<const ScriptTerms>(std::move(terms));
}

void set_swept_terms(TradeInput& t, std::vector<double> terms) {
  auto script = std::make_shared<ScriptedTrade>(*t.script);
  script->swept_terms = std::move(terms);
  t.script = std::move(script);
}

void set_exercise_dates(TradeInput& t, std::vector<double> dates) {
  const Script& script = *t.script_input.script;
  const auto at = std::find(script.schedules.begin(), script.schedules.end(), exercise_schedule);
  GSIM_EXPECT(at != script.schedules.end());
  ScriptTerms terms = *t.script_input.terms;
  terms.schedules[static_cast<std::size_t>(at - script.schedules.begin())] = std::move(dates);
  auto compiled = std::make_shared<ScriptedTrade>(*t.script);
  compiled->program = compile_script(script, terms);
  t.script = std::move(compiled);
}

std::vector<double> exercise_dates_of(const ScriptedTrade& script) {
  std::vector<double> dates;
  for (std::size_t e = 0; e + 1 < script.events.size(); ++e)
    if (script.events[e] >= 0 && script.program.is_exercisable[script.program.segment_of_event[e]])
      dates.push_back(script.events[e]);
  return dates;
}

std::shared_ptr<const ScriptedTrade> exercised_script(const TradeConfig& t, double date) {
  auto exercised = std::make_shared<ScriptedTrade>(*t.script);
  const double passed = date > same_date ? exercised->events.back() - t.maturity : 0;
  const auto next = std::lower_bound(exercised->events.begin(), exercised->events.end(),
                                     date + passed - same_date);
  GSIM_EXPECT(next != exercised->events.end());
  exercised->exercised_at = next - exercised->events.begin();
  return exercised;
}

void set_up_script(const TradeConfig& t, const MarketView& view, const Observations&,
                   TradeSetup& p) {
  const ScriptedTrade& script = *t.script;
  p.payoff = PayoffFormula::launched;
  p.kind = t.payoff;
  p.reads_each_asset = t.assets.size() > 1;
  if (p.reads_each_asset) p.combination = Combination::weighted_sum;  // for the control variate
  const std::size_t count = p.records.size(), past = events_of(script) - count;
  const std::vector<double> states = states_after(script, past, t, view, p.discount, all_payments);
  p.numbers = script_numbers(t, view, count, all_payments);
  // A trade that was called has a value that is certain.
  p.hit_already =
      script.program.alive >= 0 && states[static_cast<std::size_t>(script.program.alive)] == 0;
}

std::vector<double> script_numbers(const TradeConfig& t, const MarketView& view,
                                   std::size_t fixings, const PaymentWindow& window) {
  const ScriptedTrade& script = *t.script;
  const std::size_t events = events_of(script), past = events - fixings;
  const double discount = view.discount(t.maturity + t.payment_lag);
  return encode_program(
      script.program, past, fixings, states_after(script, past, t, view, discount, window),
      growth_of(script, past, fixings, t, view, discount, window),
      script.exercised_at >= 0 ? ScriptEnd::exercise : end_of(script.program, events - 1));
}

std::vector<double> growth_of_payments(const TradeConfig& t, const TradeSetup& setup) {
  if (t.script == nullptr) return {};
  const std::vector<ScriptTable>& tables = t.script->program.tables;
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const ScriptTable& table) {
    return table.is_growth() && table.lag == t.payment_lag;
  });
  if (found == tables.end()) return {};
  const auto fixings = static_cast<std::int32_t>(setup.records.size());
  const pricing_kernels::ScriptView<double> program(setup.numbers.data(), fixings);
  const auto table = static_cast<std::int32_t>(std::distance(tables.begin(), found));
  std::vector<double> growth;
  growth.reserve(setup.records.size());
  for (std::int32_t i = 0; i < fixings; ++i)
    growth.push_back(program.table_value(script_first_table + table, i));
  return growth;
}

double longest_lag(const TradeConfig& t) {
  double longest = t.payment_lag;
  if (t.script != nullptr)
    for (const ScriptTable& table : t.script->program.tables)
      if (table.is_growth()) longest = std::max(longest, table.lag);
  return longest;
}

double last_payment_date(const TradeConfig& t) { return t.maturity + longest_lag(t); }

PayoffLaunchers script_launchers() { return GSIM_PAYOFF(scripted); }

void observe_script_today(TradeConfig& t, const MarketConfig& market) {
  if (t.script == nullptr || t.fixings.front() > same_date) return;
  auto observed = std::make_shared<ScriptedTrade>(*t.script);
  observed->past.emplace_back();
  for (const Index i : t.assets)
    observed->past.back().push_back(market.assets[static_cast<std::size_t>(i)].spot);
  t.script = std::move(observed);
  t.fixings.erase(t.fixings.begin());
}

}  // namespace gsim::pricing
