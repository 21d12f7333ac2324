#pragma once
// How a scheme moves the log-spot of an asset over a time step in pricing's own loops. Each scheme
// is one specialisation of SchemeOf in a header of this folder, for example
//
//   template <>
//   struct SchemeOf<StepScheme::normal> {
//     static constexpr int normals = 1;
//     template <class Policy, class P, class T>
//     static GSIM_HD StepResult<P> step(const AssetTable<T>& asset, Index k, P z, P,
//                                       AssetState<P>& s) {
//       const P sd(asset.terms.of_step(k)[0]);
//       return {s.x + fma(sd, z, P(asset.drift[k])), sd * sd};
//     }
//   };
//
// The build finds the specialisation and adds the name to StepScheme. A path model of
// src/modules/pricing/path_models selects the scheme and provides AssetDynamics::numbers and
// step_numbers, which are AssetTable::terms. The loop over all assets (paths/simulate.hpp) draws
// the normals, correlates them, adds jumps, and draws extremes between the ends of the step.
//
// A scheme with a separate, faster loop for runs of a single asset also declares
//   template <class Policy, class P, class T>
//   using OneAsset = …;
// a functor as in gsim/pricing/path_model.hpp that is constructed from the AssetTable. The loop
// does not support jumps and extremes, and keeps the state in registers.

#include "gsim/pricing/lanes.hpp"
#include "kernels/pricing/job.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// State of one path of one asset: the log-spot relative to S(0), one further variable of the
/// scheme (the variance of Heston's model), and the extremes of the log-spot since the last
/// recorded date. Conditional Monte Carlo (payoffs/conditional.hpp) uses no extremes; there
/// `maximum` is the sum of the variances of the steps.
template <class P>
struct AssetState {
  P x, v, maximum, minimum;
};

/// The log-spot at the end of a step, and its variance over the step, from which extremes of a
/// Brownian bridge are drawn.
template <class P>
struct StepResult {
  P x, variance;
};

/// `normals` is the number of normals per step, 1 or 2. step() moves the path from state s over
/// step k by the asset's normals z and, where there are two, z_v; it updates s.v, and returns the
/// new log-spot without changing s.x.
template <StepScheme scheme>
struct SchemeOf;

}  // namespace pricing_kernels
GSIM_TARGET_END
