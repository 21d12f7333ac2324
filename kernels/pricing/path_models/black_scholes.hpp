#pragma once
// Geometric Brownian motion, the scheme of the models of Black and Scholes and of Merton.

#include "kernels/pricing/path_models/black_scholes_step.hpp"
#include "kernels/pricing/path_models/scheme_of.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// One asset whose log-spot stays in the range of exp_bounded.
template <class Policy, class P, class T>
struct BlackScholesModel {
  using State = P;  ///< the log-spot
  static constexpr int normals = 1;
  static constexpr bool bounded = true;  ///< log-spots are in the range of exp_bounded
  static constexpr int samples_per_thread = sizeof(T) == 8 ? 2 : 4;  ///< kernels/pricing/fused
  const T *drift, *sd;

  GSIM_HD explicit BlackScholesModel(const AssetTable<T>& a) : drift(a.drift), sd(a.sd) {}
  GSIM_HD State start() const { return P(T(0)); }
  template <class Draws>
  GSIM_HD void step(Index k, State& x, const Draws& draws) const {
    x = black_scholes_step(x, draws.normal(0), drift[k], sd[k]);
  }
  GSIM_HD P log_spot(const State& x) const { return x; }
};

template <>
struct SchemeOf<StepScheme::black_scholes> {
  static constexpr int normals = 1;
  template <class Policy, class P, class T>
  using OneAsset = BlackScholesModel<Policy, P, T>;
  template <class Policy, class P, class T>
  static GSIM_HD StepResult<P> step(const AssetTable<T>& asset, Index k, P z, P, AssetState<P>& s) {
    const P sd(asset.sd[k]);
    return {black_scholes_step(s.x, z, asset.drift[k], asset.sd[k]), sd * sd};
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
