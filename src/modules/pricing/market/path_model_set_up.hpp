#pragma once
// What set-up code needs of a path model besides the numbers of its functor. Models of gsim that
// are compiled into pricing's own loops, or that have closed forms, give these functions; for all
// others, which are launched, default functions serve.

#include "gsim/pricing/model_kind.hpp"
#include "src/modules/pricing/market/market_config.hpp"
#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::pricing {

struct PathModelSetUp {
  ModelKind model = ModelKind::launched;
  /// Describes, reads and checks the model's keys; asset.spot and asset.model are set.
  void (*describe)(Section& section, AssetConfig& asset) = nullptr;
  /// Sets the parameters of the asset's dynamics; model, spot and drift are set.
  void (*set_up)(const AssetConfig& asset, const TimeGrid& grid, AssetDynamics& dynamics) = nullptr;
  /// Whether the spot moves at random until a date, years. Null: yes.
  bool (*is_random)(const AssetConfig& asset, double until) = nullptr;
  /// Mean variance of ln S a year until a date, for rebates of barriers; of models that are
  /// bridged.
  double (*mean_variance)(const AssetConfig& asset, double date) = nullptr;
  /// Variance of ln S at a date, jumps left out, as a bound: the larger of today's and the long-run
  /// variance, or the largest local volatility. Null: PathModelKind::reach is the bound.
  double (*log_variance)(const AssetConfig& asset, double date) = nullptr;
  /// The correlation of the asset's own normal with the spot's Brownian motion. Null: that of
  /// PathModelKind.
  double (*spot_share)(const AssetConfig& asset) = nullptr;
  bool has_own_variance = false;   ///< v0, kappa, theta, sigma, rho
  bool has_jumps = false;          ///< jump_intensity, jump_mean, jump_sd
  bool has_vanilla_value = false;  ///< European options have a value in closed form
};

/// The functions of an asset's model: its own, or the default ones.
const PathModelSetUp& set_up_of(const AssetConfig& asset);

/// Whether the asset's spot moves at random until a date, years.
bool is_random(const AssetConfig& asset, double until);

/// How one asset moves over the steps of the grid.
AssetDynamics make_dynamics(const MarketConfig& market, const AssetConfig& asset,
                            const TimeGrid& grid);

}  // namespace gsim::pricing
