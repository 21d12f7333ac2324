#pragma once
// Prices that samples and steps cannot give, found when a run is planned: the model is a valid one,
// the numbers of the run would be wrong.

#include <string>
#include <vector>

#include "src/modules/pricing/pricing_setup.hpp"

namespace gsim::pricing {

/// kappa times the longest step. Against closed forms, a call at the money on a variance with rho
/// -0.7, at 2^17 Sobol points: the QE scheme (Andersen 2008) is off by 0.05 % of the price at 0.2,
/// 0.08 % at 0.25, 0.11 % at 0.3, 0.25 % at 0.5, 0.8 % at 3, 2.5 % at 4 and 15 % at 10, whatever
/// kappa, sigma or maturity. Above the first a run is warned about, above the second refused.
inline constexpr double doubtful_reversion = 0.25, hopeless_reversion = 3;
/// sigma times the longest step above which a run is warned about. The same call with kappa 1 is
/// off by less than 0.2 % at 0.04 and by 0.4 % at 0.1 with rho 0, by 0.3 % at 0.15 with rho -0.7,
/// by 1.3 % at 0.2 with rho 0.
inline constexpr double doubtful_sigma = 0.05;

/// How hard the mean of an asset's spot is to sample.
struct MeanInformation {
  double diffusion = 0;  ///< in nats
  double jumps = 0;      ///< in nats
  double spread = 0;     ///< standard deviation under the spot's measure, nats
  double total() const { return diffusion + jumps; }
};

/// Relative entropy of the measure in which the spot is the numeraire to the one that is sampled,
/// from today to `date` (years): about exp(total) samples are needed for the spot's mean, and with
/// exp(total + 2 spread) little is missed (Chatterjee and Diaconis 2018, theorem 1.1). By
/// Girsanov's theorem it is half the variance expected in the spot's measure, where kappa is kappa
/// - rho sigma, plus intensity times E[J ln J - J + 1] with J the jump's factor. Local volatilities
/// count as 0: they are not judged.
MeanInformation mean_information(const AssetConfig& asset, double date);

/// Warnings for the assets of a run of at most `samples` samples, each naming asset, keys, reason
/// and remedy. Throws ConfigError for an asset whose spot's mean no run can sample, and for a
/// variance that reverts within a fraction of a step.
std::vector<std::string> sampling_risks(const PricingConfig& config, const PricingSetup& setup,
                                        Index samples);

}  // namespace gsim::pricing
