#pragma once
// Black–Scholes as a path model (gsim/pricing/path_model.hpp) for one asset whose log-spot stays in
// the range of exp_bounded.

#include "gsim/pricing/simulate_path.hpp"
#include "kernels/pricing/job.hpp"
#include "kernels/pricing/path_models/black_scholes_step.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

template <class Policy, class P, class T>
struct BlackScholesModel {
  using State = P;  ///< the log-spot
  static constexpr int normals = 1;
  static constexpr bool bounded = true;
  const T *drift, *sd;

  GSIM_HD explicit BlackScholesModel(const AssetTable<T>& a) : drift(a.drift), sd(a.sd) {}
  GSIM_HD State start() const { return P(T(0)); }
  template <class Draws>
  GSIM_HD void step(Index k, State& x, const Draws& draws) const {
    x = black_scholes_step(x, draws.normal(0), drift[k], sd[k]);
  }
  GSIM_HD P log_spot(const State& x) const { return x; }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
