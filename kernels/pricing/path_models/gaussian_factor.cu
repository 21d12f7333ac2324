// A factor of a Gaussian short-rate model with two factors: an Ornstein-Uhlenbeck process that
// reverts to 0, in steps that are exact for any length. It takes the place of a log-spot.

#include "gsim/pricing/simulate_path.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// x' = decay x + own z_0 + further z_1 + shift, where the first normals of both factors are
/// correlated, and the second ones lower the correlation of the factors over long steps. The
/// numbers of a step are decay, own, further, shift.
template <class Policy, class P, class T>
struct GaussianFactor {
  using State = P;
  static constexpr int normals = 2;
  PathModelTerms<T> terms;

  GSIM_HD explicit GaussianFactor(const PathModelTerms<T>& t) : terms(t) {}
  GSIM_HD State start() const { return P(T(0)); }
  template <class Draws>
  GSIM_HD void step(Index k, State& x, const Draws& draws) const {
    const T* const c = terms.of_step(k);
    x = fma(P(c[0]), x, fma(P(c[1]), draws.normal(0), fma(P(c[2]), draws.normal(1), P(c[3]))));
  }
  GSIM_HD P log_spot(const State& x) const { return x; }
};

}  // namespace pricing_kernels
GSIM_TARGET_END

GSIM_DEFINE_PATH_MODEL(gaussian_factor, GaussianFactor)
