#pragma once
// The risk factors of a portfolio, with their standard deviations and correlations.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/pricing/risk/risk_options.hpp"

namespace gsim::pricing {

/// The keys of [risk] that describe factors.
struct FactorInput {
  std::vector<std::string> names;  ///< [[risk.factors]]
  std::vector<double> deviations;
  std::vector<std::string> correlated;  ///< [risk.correlation]
  std::vector<std::vector<double>> matrix;
};

void describe_factors(Section& risk, FactorInput& input);
/// Sets the factors of `options`: the spot and the volatility of each asset, and the rate. Their
/// standard deviations are those of [[risk.factors]]; without that table, spots on which trades
/// depend have the volatility of their model at the start, and the other factors do not change.
/// Correlations are those of [risk.correlation] and, between spots, of the market; others are 0.
/// ConfigError for unknown factors, correlations of spots that are not known, inconsistent
/// correlations, and models that do not tell their volatility.
void validate_factors(const Section& risk, const PricingConfig& config, const FactorInput& input,
                      RiskOptions& options);

/// Index of the factor of a name; ConfigError at `key` if there is none.
std::size_t find_factor(const Section& section, std::string_view key, const RiskOptions& options,
                        const std::string& name);

}  // namespace gsim::pricing
