#include "payoff_check.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "gsim/engine/trial.hpp"

namespace gsim::app {
namespace {

constexpr double most_errors = 5;  // by chance once in two million
constexpr double rounding = 1e-4;  // of a price in float

/// Another way to the same prices.
struct Way {
  const char* name;
  std::vector<std::string> settings;
};

std::string difference(const TrialOutcome& example, const TrialOutcome& other) {
  for (std::size_t i = 0; i < example.estimates.size(); ++i) {
    const Estimate &a = example.estimates[i], &b = other.estimates.at(i);
    const double error = std::hypot(a.standard_error, b.standard_error);
    const double off = std::fabs(a.mean - b.mean);
    if (!(off <= most_errors * error + rounding * std::fabs(a.mean)))
      return fmt::format("`{}` is {:.6g} +- {:.2g}, and {:.6g} +- {:.2g} in the example", a.name,
                         b.mean, b.standard_error, a.mean, a.standard_error);
  }
  return {};
}

}  // namespace

bool check_payoff(const Subject& subject, const std::function<void(const Finding&)>& tell) {
  static const std::vector<Way> ways = {
      {"in float", {"pricing.precision=\"float\""}},
      {"in double", {"pricing.precision=\"double\""}},
      {"in fast arithmetic", {"arithmetic=\"fast\""}},
      {"by mirrored paths", {"pricing.antithetic=true"}},
      {"by Sobol points", {"pricing.sampling=\"sobol\"", "pricing.replicates=32"}}};
  TrialOutcome example;
  const Finding first = try_out("prices its example", [&] {
    example = run_trial(trial_of(subject));
    return std::string();
  });
  if (!first.problem.empty()) {
    tell(first);
    return false;
  }
  bool all_hold = true;
  for (const Way& way : ways) {
    const bool is_same = holds(tell, fmt::format("same prices {}", way.name), [&] {
      return difference(example, run_trial(trial_of(subject, way.settings)));
    });
    all_hold = all_hold && is_same;
  }
  return all_hold;
}

}  // namespace gsim::app
