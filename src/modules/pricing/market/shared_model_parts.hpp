#pragma once
// Set-up functions that several path models share: a variance that depends on time alone
// (Black-Scholes, Merton), Heston's variance process (Heston, Bates), and lognormal jumps (Merton,
// Bates). The signatures are those of PathModelFunctions.

#include "src/modules/pricing/market/path_model_functions.hpp"

namespace gsim::pricing {

namespace deterministic_variance {
/// Sets the integral of the variance over each step of the grid.
void set_up(const AssetConfig& asset, const TimeGrid& grid, AssetDynamics& dynamics);
double mean_variance(const AssetConfig& asset, double date);
double log_variance(const AssetConfig& asset, double date);
}  // namespace deterministic_variance

namespace heston_variance {
/// Sets v0, kappa, theta, sigma and rho.
void set_up(const AssetConfig& asset, const TimeGrid& grid, AssetDynamics& dynamics);
double mean_variance(const AssetConfig& asset, double date);
double log_variance(const AssetConfig& asset, double date);
/// sqrt(1 - rho^2), at least 1e-6. For |rho| = 1 the spot has no part that is independent of the
/// variance; owing to the lower limit, every correlation with another spot is then refused as too
/// large (independent_normal_correlation() divides by this value).
double spot_normal_correlation(const AssetConfig& asset);
}  // namespace heston_variance

/// Sets the intensity of the jumps, and the mean and standard deviation of their log sizes.
void set_up_jumps(const AssetConfig& asset, AssetDynamics& dynamics);

}  // namespace gsim::pricing
