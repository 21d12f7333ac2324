#include "src/modules/pricing/risk/risk_options.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/risk/revaluation.hpp"
#include "src/modules/pricing/risk/risk_factors.hpp"
#include "src/modules/pricing/risk/stress_scenarios.hpp"

namespace gsim::pricing {
namespace {

constexpr std::string_view method_words[] = {"monte_carlo", "delta_normal", "delta_gamma",
                                             "historical"};

/// The values of [risk] that are used by its validation only.
struct RiskInput {
  std::vector<std::string> methods = {"monte_carlo"};
  FactorInput factors;
  std::vector<StressInput> stresses;
  std::string history;
};

void describe_sampling(Section& s, RiskOptions& o) {
  static constexpr std::string_view changes[] = {"lognormal", "normal"};
  s.optional("horizon", o.horizon,
             {.doc = "time over which the factors change; trades are not aged",
              .unit = "years",
              .minimum = 0,
              .maximum = 10,
              .exclusive_minimum = true});
  s.optional("levels", o.levels,
             {.doc = "levels of value at risk and expected shortfall",
              .minimum = 0.5,
              .maximum = 0.99999,
              .min_size = 1,
              .max_size = 20});
  s.optional("spot_change", o.spot_change, changes,
             {.doc = "simulated changes of spots: normal changes of the logarithm, or normal "
                     "relative changes"});
  s.optional("degrees_of_freedom", o.degrees_of_freedom,
             {.doc = "simulated changes follow a multivariate t distribution with these degrees of "
                     "freedom and the same standard deviations; 0: a normal one",
              .minimum = 0,
              .maximum = 1000});
  s.optional("inner_samples", o.inner_samples,
             {.doc = "samples of each trade without a closed form, in each scenario; a multiple of "
                     "1024",
              .minimum = 1024,
              .maximum = 1 << 24});
  static constexpr std::string_view policies[] = {"frozen", "refitted"};
  s.optional("exercise", o.exercise, policies,
             {.doc = "trades with early exercise: \"frozen\" exercises them in the states in which "
                     "they are exercised in today's market, so that values after large changes are "
                     "too small; \"refitted\" finds the policy anew in every scenario, with "
                     "pricing.exercise.paths paths"});
  s.optional("resamples", o.resamples,
             {.doc = "samples of the bootstrap of the confidence intervals; 0: none",
              .minimum = 0,
              .maximum = 100000});
  s.optional("cube", o.cube, {.doc = "write the gain of every trade in every scenario"});
}

void describe(Section& s, RiskOptions& o, RiskInput& input) {
  s.optional("methods", input.methods,
             {.doc = "\"monte_carlo\": full revaluation in simulated scenarios; \"delta_normal\": "
                     "linear gains; \"delta_gamma\": quadratic gains in the simulated scenarios; "
                     "\"historical\": full revaluation in the changes of a history"});
  describe_sampling(s, o);
  describe_factors(s, input.factors);
  s.optional("history", input.history,
             {.doc = "CSV file of past levels of factors, one row per date in order of time: the "
                     "column date, and one column for each factor"});
  s.optional("history_step", o.history_step,
             {.doc = "number of rows over which the historical changes are taken; changes overlap",
              .minimum = 1});
  s.optional("history_until", o.history_until,
             {.doc = "date of the last row of the history that is used, as the file has it; left "
                     "out: the last row"});
  s.optional("history_changes", o.history_changes,
             {.doc = "number of changes that are used, the latest ones; 0: all", .minimum = 0});
  describe_stresses(s, input.stresses);
}

void validate_methods(const Section& s, const RiskInput& input, RiskOptions& o) {
  o.methods.clear();
  static const std::vector<std::string> words(std::begin(method_words), std::end(method_words));
  for (const std::string& word : input.methods) {
    const auto at = std::find(words.begin(), words.end(), word);
    if (at == words.end())
      s.fail("methods", fmt::format("`{}` is no method of value at risk", excerpt(word)),
             suggest_known(word, words, "methods"));
    const auto method = static_cast<RiskMethod>(at - words.begin());
    if (o.has(method)) s.fail("methods", fmt::format("`{}` appears twice", word));
    o.methods.push_back(method);
  }
  std::sort(o.methods.begin(), o.methods.end());
}

void validate(const Section& s, const PricingConfig& config, const RiskInput& input,
              RiskOptions& o) {
  validate_methods(s, input, o);
  std::sort(o.levels.begin(), o.levels.end());
  o.levels.erase(std::unique(o.levels.begin(), o.levels.end()), o.levels.end());
  if (o.inner_samples % (64 * inner_batches) != 0)
    s.fail("inner_samples",
           fmt::format("{} is not a multiple of {}", o.inner_samples, 64 * inner_batches));
  if (o.degrees_of_freedom != 0 && !o.simulates())
    s.fail("degrees_of_freedom", "only simulated scenarios may follow a t distribution",
           "add monte_carlo or delta_gamma to risk.methods, or leave the key out");
  if (o.degrees_of_freedom == 1 || o.degrees_of_freedom == 2)
    s.fail("degrees_of_freedom", "a t distribution with 1 or 2 degrees of freedom has no variance",
           "give 3 or more, or 0 for a normal distribution");
  validate_factors(s, config, input.factors, o);
  o.stresses = stress_scenarios(s, input.stresses, o);
  if (!input.history.empty())
    o.history = historical_scenarios(s.input_file("history", input.history), o);
  for (const char* key : {"history_until", "history_changes"})
    if (input.history.empty() && s.has(key))
      s.fail(key, "there is no history", "name the file of past levels by risk.history");
  if (!o.has(RiskMethod::historical)) {
    if (!input.history.empty())
      s.fail("history", "the history is not used without the method historical",
             "add it to risk.methods, or leave the history out");
    return;
  }
  if (input.history.empty())
    s.fail("methods", "the method historical needs a history",
           "name the file of past levels by risk.history");
  if (o.history_changes == 1)
    s.fail("history_changes", "quantiles need two changes at least",
           "give 2 or more, or 0 for all changes");
  if (o.history.size() < 2)
    s.fail("history", fmt::format("the file has too few rows{} for two changes over {}",
                                  o.history_until.empty() ? "" : " until " + o.history_until,
                                  count_of(o.history_step, "row")));
}

}  // namespace

std::string_view name_of(RiskMethod method) {
  return method_words[static_cast<std::size_t>(method)];
}

std::string_view name_of(ScenarioKind kind) {
  static constexpr std::string_view words[] = {"sensitivity", "stress", "historical",
                                               "monte_carlo"};
  return words[static_cast<std::size_t>(kind)];
}

bool RiskOptions::has(RiskMethod method) const {
  return std::find(methods.begin(), methods.end(), method) != methods.end();
}

bool RiskOptions::simulates() const {
  return has(RiskMethod::monte_carlo) || has(RiskMethod::delta_gamma);
}

bool RiskOptions::needs_sensitivities() const {
  return has(RiskMethod::delta_normal) || has(RiskMethod::delta_gamma);
}

void describe_risk(Section& top, const PricingConfig& config, RiskOptions& options) {
  options = {};
  RiskInput input;
  const auto read = validated([&](Section& s) { describe(s, options, input); },
                              [&](const Section& s) { validate(s, config, input, options); });
  top.required_table("risk", read, "measures of market risk");
}

}  // namespace gsim::pricing
