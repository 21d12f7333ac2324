#pragma once
// Heston's model as a path model (gsim/pricing/path_model.hpp).

#include "gsim/pricing/simulate_path.hpp"
#include "kernels/pricing/job.hpp"
#include "kernels/pricing/path_models/heston_qe.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

template <class Policy, class P, class T>
struct HestonModel {
  struct State {
    P x, v;
  };
  static constexpr int normals = 2;  ///< of the log-spot and of the variance
  static constexpr bool bounded = false;
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
};

}  // namespace pricing_kernels
GSIM_TARGET_END
