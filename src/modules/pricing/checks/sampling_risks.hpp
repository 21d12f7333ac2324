#pragma once
// Prices that cannot be computed with the configured samples and steps, detected when a run is
// planned: the model is valid, but the prices would be wrong.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/modules/pricing/pricing_setup.hpp"

namespace gsim::pricing {

/// Levels of kappa times the longest step. Errors of the QE scheme (Andersen 2008) against closed
/// forms, for an at-the-money call with rho = -0.7 at 2^17 Sobol points: 0.05 % of the price at
/// 0.2, 0.08 % at 0.25, 0.11 % at 0.3, 0.25 % at 0.5, 0.8 % at 3, 2.5 % at 4 and 15 % at 10, for
/// all kappa, sigma and maturities. Above reversion_warning_level there is a warning, above
/// reversion_error_level an error.
inline constexpr double reversion_warning_level = 0.25, reversion_error_level = 3;
/// sigma times the longest step above which there is a warning. The error of the same call with
/// kappa = 1 is less than 0.2 % at 0.04 and 0.4 % at 0.1 with rho = 0, 0.3 % at 0.15 with rho =
/// -0.7, and 1.3 % at 0.2 with rho = 0.
inline constexpr double sigma_warning_level = 0.05;

/// How difficult it is to sample the mean of an asset's spot.
struct MeanInformation {
  double diffusion = 0;  ///< in nats
  double jumps = 0;      ///< in nats
  double spread = 0;     ///< standard deviation under the spot's measure, nats
  double total() const { return diffusion + jumps; }
};

/// Relative entropy of the measure with the spot as numeraire with respect to the sampled measure,
/// from today to `date` (years): the mean of the spot needs about exp(total) samples, and exp(total
/// + 2 spread) samples suffice for a small error (Chatterjee and Diaconis 2018, theorem 1.1). By
/// Girsanov's theorem it is half the expected integrated variance in the spot's measure, where
/// kappa is replaced by kappa - rho sigma, plus intensity times E[J ln J - J + 1] with J the jump
/// factor. Local volatilities are not assessed and give 0.
MeanInformation mean_information(const AssetConfig& asset, double date);

/// The samples from which values are estimated.
struct SampledValues {
  Index samples;         ///< the largest number of them
  std::string_view key;  ///< the key of the configuration with which there are more
  /// [trade] 1: the trade is valued without samples; empty: all are sampled.
  std::vector<std::uint8_t> closed = {};
};

/// Warnings for the assets of trades whose values are sampled, each with asset, keys, reason and
/// remedy. Throws ConfigError if the mean of an asset's spot cannot be sampled by any run, or if a
/// variance reverts within a fraction of a step.
std::vector<std::string> sampling_risks(const PricingConfig& config, const PricingSetup& setup,
                                        const SampledValues& values);

}  // namespace gsim::pricing
