#include "payoff_check.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "gsim/pricing/payoff_kind.hpp"

namespace gsim::pricing {
namespace {

constexpr double rounding = 1e-4;  // relative, of a price in single precision

/// A numerical method that must give the same prices, with its settings.
struct Method {
  const char* name;
  std::vector<std::string> settings;
};

std::string price_difference(const TrialOutcome& example, const TrialOutcome& other) {
  for (std::size_t i = 0; i < example.estimates.size(); ++i) {
    const Estimate &a = example.estimates[i], &b = other.estimates.at(i);
    const double error =
        std::sqrt(a.standard_error * a.standard_error + b.standard_error * b.standard_error);
    const double difference = std::fabs(a.mean - b.mean);
    if (!(difference <= largest_deviation * error + rounding * std::fabs(a.mean)))
      return fmt::format("`{}` is {:.6g} +- {:.2g}, and {:.6g} +- {:.2g} in the example", a.name,
                         b.mean, b.standard_error, a.mean, a.standard_error);
  }
  return {};
}

}  // namespace

void check_payoff_prices(const ConformanceSubject& subject, const ReportFinding& report) {
  static const std::vector<Method> methods = {
      {"in float", {"pricing.precision=\"float\""}},
      {"in double", {"pricing.precision=\"double\""}},
      {"in fast arithmetic", {"arithmetic=\"fast\""}},
      {"with antithetic paths", {"pricing.antithetic=true"}},
      {"with Sobol points", {"pricing.sampling=\"sobol\"", "pricing.replicates=32"}}};
  TrialOutcome example;
  const Finding first = find_problem("prices its example", [&] {
    example = run_trial(subject.trial());
    return std::string();
  });
  if (!first.problem.empty()) return report(first);
  for (const Method& method : methods)
    report_problem(report, fmt::format("same prices {}", method.name), [&] {
      return price_difference(example, run_trial(subject.trial(method.settings)));
    });
}

void register_payoff_check(Registry& registry);
void register_payoff_check(Registry& registry) {
  registry.extend(ConformanceCheck{.module = "pricing",
                                   .name = "prices_of_payoffs",
                                   .doc = "same prices in every precision and sampling",
                                   .kind = PayoffKind::extends,
                                   .check = check_payoff_prices});
}

}  // namespace gsim::pricing
