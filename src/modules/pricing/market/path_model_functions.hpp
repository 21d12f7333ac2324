#pragma once
// Functions of a path model that set-up code needs besides the parameters of its functor. Models of
// gsim that are compiled into pricing's own loops, or that have closed forms, define these
// functions; all other models, which are launched through their PathModelKind, use default
// functions.

#include "kernels/pricing/path_models/step_scheme.hpp"
#include "src/modules/pricing/market/asset_input.hpp"
#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::pricing {

struct PathModelFunctions {
  StepScheme scheme = StepScheme::launched;
  /// Describes the model's keys; asset.model is already set. Null for models of short rates.
  void (*describe)(Section& section, AssetInput& asset) = nullptr;
  /// Checks the values of the model's keys, and sets the fields of `asset` that follow from them.
  /// Null: there is nothing to check or to set.
  void (*validate)(const Section& section, AssetInput& asset) = nullptr;
  /// Sets the parameters of the asset's dynamics, `deviation` included; the scheme, the flags
  /// below, normals, spot and drift are already set.
  void (*set_up)(const AssetConfig& asset, const TimeGrid& grid, AssetDynamics& dynamics) = nullptr;
  /// Whether the spot varies at random before the date `until`, in years. Null: it does.
  bool (*is_random)(const AssetConfig& asset, double until) = nullptr;
  /// Mean annual variance of ln S up to a date, from which the time of a barrier's touch within its
  /// interval follows. Null: rebates at the touch are discounted from the middle of the interval.
  double (*mean_variance)(const AssetConfig& asset, double date) = nullptr;
  /// Upper bound of the variance of ln S at a date, without jumps: from the larger of today's and
  /// the long-run variance, or the largest local volatility. Null: the bound is
  /// PathModelKind::reach.
  double (*log_variance)(const AssetConfig& asset, double date) = nullptr;
  /// The correlation, in (0, 1], of normal 0 with the spot's Brownian motion, where further normals
  /// drive the spot as well. Null: PathModelKind::spot_normal_correlation, or 1.
  double (*spot_normal_correlation)(const AssetConfig& asset) = nullptr;
  bool has_own_variance = false;   ///< v0, kappa, theta, sigma, rho
  bool has_jumps = false;          ///< jump_intensity, jump_mean, jump_sd
  bool has_vanilla_value = false;  ///< European options have a value in closed form
  bool is_of_rates = false;        ///< of the short rates of [market.rates], not of assets
};

/// The functions of an asset's model: its own, or the default ones.
const PathModelFunctions& functions_of(const AssetConfig& asset);

/// Whether the asset's spot varies at random before the date `until`, in years.
bool is_random(const AssetConfig& asset, double until);

/// The dynamics of one asset over the steps of the grid.
AssetDynamics make_dynamics(const MarketConfig& market, const AssetConfig& asset,
                            const TimeGrid& grid);

}  // namespace gsim::pricing
