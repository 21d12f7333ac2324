#pragma once
// Stochastic variance, the scheme of the models of Heston and of Bates.

#include "kernels/pricing/path_models/heston_qe.hpp"
#include "kernels/pricing/path_models/scheme_of.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

template <class Policy, class P, class T>
struct HestonModel {
  struct State {
    P x, v;
  };
  static constexpr int normals = 2;       ///< one for the log-spot, one for the variance
  static constexpr bool bounded = false;  ///< log-spots may be out of range of exp_bounded
  /// Each variance depends on the preceding one through two divisions and two square roots. Several
  /// registers of paths are processed together to overlap these latencies (measured: 2 or 4 are
  /// best; more cause register spills).
  static constexpr int registers = sizeof(T) == 8 ? 4 : 2;
  const QeStep<T>* qe;
  const T* drift;
  T v0;

  GSIM_HD explicit HestonModel(const AssetTable<T>& a) : qe(a.qe), drift(a.drift), v0(a.v0) {}
  GSIM_HD State start() const { return {P(T(0)), P(v0)}; }
  template <class Draws>
  GSIM_HD void step(Index k, State& s, const Draws& draws) const {
    const auto moved =
        heston_qe_step<Policy>(qe[k], s.x, s.v, draws.normal(0), draws.normal(1), drift[k]);
    s.x = moved.x;
    s.v = moved.v;
  }
  GSIM_HD P log_spot(const State& s) const { return s.x; }
  GSIM_HD P variance(const State& s) const { return s.v; }
};

template <>
struct SchemeOf<StepScheme::heston> {
  static constexpr int normals = 2;
  template <class Policy, class P, class T>
  using OneAsset = HestonModel<Policy, P, T>;
  template <class Policy, class P, class T>
  static GSIM_HD StepResult<P> step(const AssetTable<T>& asset, Index k, P z, P z_v,
                                    AssetState<P>& s) {
    // Conditional on v, the log-spot is normal, and only its mean is simulated (Willard 1997). Its
    // conditional variance is summed in AssetState::maximum, which such paths do not need.
    const bool conditional = asset.rows.variance >= 0;
    const auto moved = heston_qe_step<Policy>(asset.qe[k], s.x, s.v, conditional ? P(T(0)) : z, z_v,
                                              asset.drift[k]);
    s.v = moved.v;
    if (conditional) s.maximum = s.maximum + moved.variance;
    return {moved.x, moved.variance};
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
