#include "path_model_check.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "gsim/core/json.hpp"
#include "gsim/engine/driver.hpp"
#include "gsim/engine/trial.hpp"
#include "modules/pricing/pricing_config.hpp"
#include "payoff_check.hpp"

namespace gsim::app {
namespace {

using pricing::AssetConfig;
using pricing::PathModelKind;
using pricing::PricingConfig;

constexpr double most_errors = 5;  // by chance once in two million

/// The example as it is read, and as it stands with all defaults.
struct Example {
  PricingConfig config;
  std::string resolved;
};

Example read(const Registry& registry, const Subject& subject) {
  const auto payoffs = registry.all<pricing::PayoffKind>();
  const auto models = registry.all<PathModelKind>();
  ConfigFile file = ConfigFile::parse(subject.config, subject.config_name);
  Example example;
  RunOptions::read(
      file, [&](Section& top) { pricing::describe_pricing(top, example.config, payoffs, models); });
  example.resolved = file.resolved();
  return example;
}

std::vector<const AssetConfig*> assets_of(const PricingConfig& config, const PathModelKind& kind) {
  std::vector<const AssetConfig*> found;
  for (const AssetConfig& a : config.market.assets)
    if (a.kind == &kind) found.push_back(&a);
  return found;
}

/// Until when the example has trades.
double horizon(const PricingConfig& config) {
  double last = 0;
  for (const pricing::TradeConfig& t : config.trades) last = std::max(last, t.maturity);
  return last;
}

/// What the spots' means are told by: each asset's spot, paid at three dates.
std::string martingale_problem(const Subject& subject, const PricingConfig& config,
                               const PathModelKind& kind) {
  std::string trades;
  std::vector<double> expected;
  for (const AssetConfig* a : assets_of(config, kind))
    for (const double part : {0.125, 0.5, 1.0}) {
      const double date = part * horizon(config);
      trades += fmt::format(
          "{}{{id={},product='european',asset={},type='call',strike=0.0,maturity={}}}",
          trades.empty() ? "" : ",", json_quote(fmt::format("{} in {:.6g} years", a->name, date)),
          json_quote(a->name), date);
      expected.push_back(a->spot * std::exp(-a->dividend.integral(date)));
    }
  const TrialOutcome found =
      run_trial(trial_of(subject, {"trades=[" + trades + "]", "pricing.control_variates='none'"}));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Estimate& e = found.estimates.at(i);
    if (!(std::fabs(e.mean - expected[i]) <= most_errors * e.standard_error))
      return fmt::format("the discounted spot of {} is {:.8g} +- {:.2g}, and should be {:.8g}",
                         e.name, e.mean, e.standard_error, expected[i]);
  }
  return {};
}

/// The keys of an asset whose values are numbers, but for those of every asset.
std::vector<std::string> number_keys(const std::string& resolved, const std::string& asset) {
  std::vector<std::string> keys;
  std::istringstream lines(resolved);
  bool here = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('[')) here = line == "[market.assets." + asset + "]";
    const auto equals = line.find(" = ");
    if (!here || equals == std::string::npos) continue;
    const std::string key = line.substr(0, equals);
    const bool is_number = line.find_first_of("0123456789+-.", equals + 3) == equals + 3;
    if (is_number && key != "spot" && key != "dividend") keys.push_back(key);
  }
  return keys;
}

/// What comes of a value of a key that no model has: nothing, where it is refused or priced.
std::string outcome(const Subject& subject, const std::string& key, const char* value) {
  std::string came;
  try {
    const TrialOutcome found =
        run_trial(trial_of(subject, {key + "=" + value, "stop.samples=4096"}));
    const auto finite = [](const Estimate& e) { return std::isfinite(e.mean); };
    if (std::all_of(found.estimates.begin(), found.estimates.end(), finite)) return {};
    came = "a price is not finite";
  } catch (const InputError&) {
    return {};
  } catch (const std::exception& e) {
    came = e.what();
  }
  return fmt::format("{} = {} is not refused, and then: {}", key, value, came);
}

std::string senseless_value(const Subject& subject, const Example& example,
                            const PathModelKind& kind) {
  for (const AssetConfig* a : assets_of(example.config, kind))
    for (const std::string& key : number_keys(example.resolved, a->name))
      for (const char* value : {"nan", "inf", "-inf", "-1e300", "1e300", "0.0"}) {
        std::string problem =
            outcome(subject, fmt::format("market.assets.{}.{}", a->name, key), value);
        if (!problem.empty()) return problem;
      }
  return {};
}

}  // namespace

bool check_path_model(const PathModelKind& kind, const Registry& registry, const Subject& subject,
                      const std::function<void(const Finding&)>& tell) {
  bool all_hold = check_payoff(subject, tell);
  const auto hold = [&](const char* what, const std::function<std::string(const Example&)>& tried) {
    const bool it_does = holds(tell, what, [&]() -> std::string {
      const Example example = read(registry, subject);
      if (assets_of(example.config, kind).empty()) return "no asset of the example has this model";
      return tried(example);
    });
    all_hold = all_hold && it_does;
  };
  const char* const martingale = "the discounted spot keeps its mean";
  if (kind.martingale)
    hold(martingale,
         [&](const Example& example) { return martingale_problem(subject, example.config, kind); });
  else
    tell({martingale, {}, "not tried: it does not say so"});
  hold("refuses values that it cannot run with",
       [&](const Example& example) { return senseless_value(subject, example, kind); });
  return all_hold;
}

}  // namespace gsim::app
