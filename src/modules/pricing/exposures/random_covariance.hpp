#pragma once
// The paths of an asset with a random variance (heston, bates) that is correlated with the short
// rate of a numeraire N. Over step k the log-spot moves by a normal z times d(k), which the path of
// the variance gives, and a factor x_i of the rate by a correlated normal. Given that path both are
// jointly normal, with the covariance C_i(k) = decay_i(k) C_i(k - 1) + d(k) step_i(k) at the end of
// the step. A change from the measure of payments at t to that of N then adds sum_i H_i(t) C_i to
// the log-spot (path_measure.hpp), on each path its own number: under the measure of payments at t
// the spot has, for every t, the distribution that the module pricing gives it, exactly so in
// discrete steps (Girsanov's theorem given the variance). The Brownian motion of the variance has
// no correlation with the rate.
//
// Where such an asset is the exchange rate X of another currency, the same covariance, given the
// path of the variance, is subtracted from the factor of that currency's short rate
// (path_measure.hpp): the drift -rho sigma_r sqrt(v) of the rate under the measure of the base
// currency. Its paths then use the normals of the variance of X.

#include <vector>

#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::pricing {

/// Of one factor of the rate, [step].
struct FactorCovariances {
  std::vector<double> decay;   ///< what is left of a covariance after the step
  std::vector<double> step;    ///< covariance of the step per unit of d(k)
  std::vector<double> weight;  ///< H(t) at the end of the step
};

/// The dynamics of `asset`, which has its own variance, with this change of measure for the one or
/// two `factors` of a rate.
AssetDynamics with_covariances(AssetDynamics asset, const TimeGrid& grid,
                               const std::vector<FactorCovariances>& factors);

/// The exchange rate of a rate's currency, with its own variance.
struct RandomDrift {
  Index asset;                    ///< among the simulated ones
  const AssetDynamics* exchange;  ///< its dynamics
  double correlation;             ///< of the first normals of both
  double sign;                    ///< -1: its inverse is the price of the currency
};

/// The dynamics of `rate`, of one factor, with this drift.
AssetDynamics with_random_drift(AssetDynamics rate, const RandomDrift& drift, const TimeGrid& grid);

}  // namespace gsim::pricing
