// Payoffs that a configuration defines in the payoff language.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/core/text.hpp"
#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/scripts/script_library.hpp"
#include "src/modules/pricing/scripts/scripted_trade.hpp"
#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {
namespace scripted_payoff {
namespace {

/// The script that the keys name, or null where there is none.
std::shared_ptr<const Script> find_script(const Section& s, const TradeInput& t) {
  const ScriptInput& input = t.script_input;
  if (!input.text.empty() && !input.name.empty())
    s.fail("script", "give either `payoff` or `script`");
  if (!input.text.empty()) return parse_script(ScriptText(input.text, s.location("payoff")), {});
  if (input.name.empty() || input.library == nullptr) return nullptr;
  const auto found = input.library->find(input.name);
  if (found == input.library->end())
    s.fail("script",
           fmt::format("there is no script `{}` in [pricing.scripts]", excerpt(input.name)),
           suggest_known(input.name, names_of(*input.library), "the scripts are"));
  return found->second;
}

void describe_parameters(Section& s, ScriptInput& input) {
  if (input.script == nullptr) return;
  for (std::size_t i = 0; i < input.script->symbols.size(); ++i) {
    const ScriptSymbol& symbol = input.script->symbols[i];
    if (symbol.kind != ScriptSymbol::Kind::parameter) continue;
    std::vector<double>& values = input.parameters[i];
    const KeyInfo info{.doc = "parameter of the script"};
    if (symbol.shape == ScriptSymbol::Shape::single) values = {symbol.default_value.value_or(0)};
    if (symbol.default_value)
      s.optional(symbol.name, values.front(), info);
    else if (symbol.shape == ScriptSymbol::Shape::single)
      s.required(symbol.name, values.front(), info);
    else
      s.required(symbol.name, values, info);
  }
}

void describe_schedules(Section& s, ScriptInput& input) {
  if (input.script == nullptr) return;
  for (std::size_t k = Script::maturity + 1; k < input.script->schedules.size(); ++k)
    s.required(input.script->schedules[k], input.schedules[k],
               {.doc = "increasing dates of the schedule",
                .unit = "years",
                .minimum = -longest_maturity,
                .maximum = longest_maturity,
                .is_date = true});
}

std::vector<std::string> parameter_names(const ScriptInput& input) {
  std::vector<std::string> names;
  if (input.script == nullptr) return names;
  for (const ScriptSymbol& s : input.script->symbols)
    if (s.kind == ScriptSymbol::Kind::parameter) names.push_back(s.name);
  return names;
}

std::vector<std::string> schedule_names(const ScriptInput& input) {
  if (input.script == nullptr) return {};
  const auto& all = input.script->schedules;
  return {all.begin() + Script::maturity + 1, all.end()};
}

/// ": A, B", or nothing where there are no names.
std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "" : fmt::format(": {}", fmt::join(names, ", "));
}

/// Whether a parameter has no default value.
bool needs_values(const ScriptInput& input) {
  return input.script != nullptr &&
         std::any_of(input.script->symbols.begin(), input.script->symbols.end(),
                     [](const ScriptSymbol& s) {
                       return s.kind == ScriptSymbol::Kind::parameter && !s.default_value;
                     });
}

void set_defaults(ScriptInput& input) {
  if (input.script == nullptr) return;
  for (std::size_t i = 0; i < input.script->symbols.size(); ++i)
    if (input.script->symbols[i].default_value)
      input.parameters[i] = {*input.script->symbols[i].default_value};
}

void describe(Section& s, TradeInput& t) {
  ScriptInput& input = t.script_input;
  input.script = nullptr;  // the schema describes several products to one trade
  describe_assets(s, t, WeightRule::none, 1, script_max_assets);
  describe_maturity(s, t);
  static const ScheduleKeys fixings("schedule `fixings` of the script", ScheduleStart::not_a_date);
  describe_schedule(s, t, fixings);
  s.optional("payoff", input.text,
             {.doc = "the payoff as a script, in the language of "
                     "configs/pricing/payoff_language.md"});
  s.optional("script", input.name,
             {.doc = "the payoff, a name of [pricing.scripts], in place of `payoff`"});
  if (!input.text.empty() || !input.name.empty()) {
    if (auto script = find_script(s, t)) use_script(t, std::move(script));
  }
  const auto parameters = [&](Section& q) { describe_parameters(q, input); };
  const auto schedules = [&](Section& q) { describe_schedules(q, input); };
  const std::string of_parameters =
      "values of the parameters that the script declares" + listed(parameter_names(input));
  const std::string of_schedules =
      "dates of the schedules that the script names" + listed(schedule_names(input));
  if (needs_values(input))
    s.required_table("parameters", parameters, of_parameters);
  else if (!s.optional_table("parameters", parameters, of_parameters))
    set_defaults(input);
  if (!schedule_names(input).empty())
    s.required_table("schedules", schedules, of_schedules);
  else
    s.optional_table("schedules", schedules, of_schedules);
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  if (t.script_input.script == nullptr)
    s.fail("payoff", "a scripted trade without a script",
           "give `payoff`, the text of a script, or `script`, a name of [pricing.scripts]");
  validate_assets(s, market, t, WeightRule::none, 1, script_max_assets);
  validate_script(s, market, t);
}

std::string name(const TradeConfig& t) {
  return t.script->name.empty() ? "scripted" : "scripted " + t.script->name;
}

}  // namespace
}  // namespace scripted_payoff

void register_scripted(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = scripted_payoff::describe,
      .validate = scripted_payoff::validate,
      .name = scripted_payoff::name,
      .set_up = set_up_script,
      .has_either_sign = true,
  };
  registry.extend(PayoffKind{.name = "scripted",
                             .doc = "payoff that the configuration defines in the payoff language",
                             .min_assets = 1,
                             .max_assets = script_max_assets,
                             .launchers = script_launchers(),
                             .functions = &functions});
}

}  // namespace gsim::pricing
