#pragma once
// Scenarios that the configuration names: stress scenarios and changes of a history.

#include <string>
#include <vector>

#include "gsim/config/input_file.hpp"
#include "gsim/config/section.hpp"
#include "src/modules/pricing/risk/risk_options.hpp"

namespace gsim::pricing {

/// One table of [[risk.stress]].
struct StressInput {
  std::string name;
  double spots = 0, volatilities = 0, rate = 0;
  std::vector<std::string> factors;
  std::vector<double> changes;
};

void describe_stresses(Section& risk, std::vector<StressInput>& stresses);
/// The scenarios of [[risk.stress]] for the factors of `options`; ConfigError for unknown factors
/// and names that appear twice.
std::vector<Scenario> stress_scenarios(const Section& risk,
                                       const std::vector<StressInput>& stresses,
                                       const RiskOptions& options);

/// The changes of the factors of `options` over history_step rows of a CSV file, one for each pair
/// of rows: its column `date` holds text, and every other column the levels of the factor that it
/// is named after. Factors without a column do not change. ConfigError for unknown columns, without
/// any factor, and for spots that are not positive.
std::vector<Scenario> historical_scenarios(const InputFile& file, const RiskOptions& options);

}  // namespace gsim::pricing
