#include "path_model_check.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "gsim/core/json.hpp"
#include "gsim/engine/driver.hpp"
#include "gsim/math/exp.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/pricing/path_model_kind.hpp"
#include "gsim/pricing/payoff_kind.hpp"
#include "payoff_check.hpp"
#include "src/modules/pricing/pricing_config.hpp"

namespace gsim::pricing {
namespace {

/// The example's configuration, and its text with all defaults.
struct Example {
  PricingConfig config;
  std::string resolved;
};

Example read_example(const ConformanceSubject& subject) {
  const Registry& registry = subject.registry;
  const auto payoffs = registry.all<PayoffKind>();
  const auto models = registry.all<PathModelKind>();
  ConfigFile file = ConfigFile::parse(subject.config, subject.config_name);
  Example example;
  RunOptions::read(file,
                   [&](Section& top) { describe_pricing(top, example.config, payoffs, models); });
  example.resolved = file.resolved();
  return example;
}

std::vector<const AssetConfig*> assets_of(const PricingConfig& config, const PathModelKind& kind) {
  std::vector<const AssetConfig*> found;
  for (const AssetConfig& a : config.market.assets)
    if (a.model == &kind) found.push_back(&a);
  return found;
}

/// The last maturity of the example's trades, in years.
double horizon(const PricingConfig& config) {
  double last = 0;
  for (const TradeConfig& t : config.trades) last = std::max(last, t.maturity);
  return last;
}

/// Compares the means of discounted spots with today's spots: calls of strike 0 on each asset at
/// three dates.
std::string martingale_problem(const ConformanceSubject& subject, const PricingConfig& config,
                               const PathModelKind& kind) {
  std::string trades;
  std::vector<double> expected;
  for (const AssetConfig* a : assets_of(config, kind))
    for (const double fraction : {0.125, 0.5, 1.0}) {
      const double date = fraction * horizon(config);
      trades += fmt::format(
          "{}{{id={},product='european',asset={},type='call',strike=0.0,maturity={}}}",
          trades.empty() ? "" : ",", Json(fmt::format("{} in {:.6g} years", a->name, date)).text(),
          Json(a->name).text(), date);
      expected.push_back(a->spot * gsim::exp<Strict>(-a->dividend.integral(date)));
    }
  const TrialOutcome found =
      run_trial(subject.trial({"trades=[" + trades + "]", "pricing.control_variates='none'"}));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Estimate& e = found.estimates.at(i);
    if (!(std::fabs(e.mean - expected[i]) <= largest_deviation * e.standard_error))
      return fmt::format("the discounted spot of {} is {:.8g} +- {:.2g}, and should be {:.8g}",
                         e.name, e.mean, e.standard_error, expected[i]);
  }
  return {};
}

/// The numeric keys of an asset, without those that every asset has.
std::vector<std::string> number_keys(const std::string& resolved, const std::string& asset) {
  std::vector<std::string> keys;
  std::istringstream lines(resolved);
  bool in_asset_table = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('[')) in_asset_table = line == "[market.assets." + asset + "]";
    const auto equals = line.find(" = ");
    if (!in_asset_table || equals == std::string::npos) continue;
    const std::string key = line.substr(0, equals);
    const bool is_number = line.find_first_of("0123456789+-.", equals + 3) == equals + 3;
    if (is_number && key != "spot" && key != "dividend") keys.push_back(key);
  }
  return keys;
}

/// The problem with a value far outside a key's domain, if it is neither rejected nor priced.
std::string invalid_value_problem(const ConformanceSubject& subject, const std::string& key,
                                  const char* value) {
  std::string outcome;
  try {
    const TrialOutcome found = run_trial(subject.trial({key + "=" + value, "stop.samples=4096"}));
    const auto finite = [](const Estimate& e) { return std::isfinite(e.mean); };
    if (std::all_of(found.estimates.begin(), found.estimates.end(), finite)) return {};
    outcome = "a price is not finite";
  } catch (const InputError&) {
    return {};
  } catch (const std::exception& e) {
    outcome = e.what();
  }
  return fmt::format("{} = {} is not refused, and leads to: {}", key, value, outcome);
}

std::string invalid_values_problem(const ConformanceSubject& subject, const Example& example,
                                   const PathModelKind& kind) {
  for (const AssetConfig* a : assets_of(example.config, kind))
    for (const std::string& key : number_keys(example.resolved, a->name))
      for (const char* value : {"nan", "inf", "-inf", "-1e300", "1e300", "0.0"}) {
        std::string problem =
            invalid_value_problem(subject, fmt::format("market.assets.{}.{}", a->name, key), value);
        if (!problem.empty()) return problem;
      }
  return {};
}

}  // namespace

void check_path_model_prices(const ConformanceSubject& subject, const ReportFinding& report) {
  const PathModelKind& kind = subject.part_as<PathModelKind>();
  check_payoff_prices(subject, report);
  const auto check = [&](const char* what,
                         const std::function<std::string(const Example&)>& problem) {
    report_problem(report, what, [&]() -> std::string {
      const Example example = read_example(subject);
      if (assets_of(example.config, kind).empty()) return "no asset of the example has this model";
      return problem(example);
    });
  };
  const char* const martingale = "the discounted spot is a martingale";
  if (kind.martingale)
    check(martingale, [&](const Example& example) {
      return martingale_problem(subject, example.config, kind);
    });
  else
    report({martingale, {}, "not tried: the model is not declared to be a martingale"});
  check("refuses values that it cannot simulate",
        [&](const Example& example) { return invalid_values_problem(subject, example, kind); });
}

void register_path_model_check(Registry& registry);
void register_path_model_check(Registry& registry) {
  registry.extend(ConformanceCheck{.module = "pricing",
                                   .name = "prices_of_path_models",
                                   .doc = "same prices in every sampling, and the forward price",
                                   .kind = PathModelKind::extends,
                                   .check = check_path_model_prices});
}

}  // namespace gsim::pricing
