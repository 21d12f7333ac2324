#pragma once
// How several assets become the one underlying that a payoff reads.

#include "gsim/pricing/lanes.hpp"
#include "kernels/pricing/job.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// One asset. Logarithms are relative to S(0): log_base is ln S(0).
template <class P, class T>
struct SingleUnderlying {
  Index asset;

  GSIM_HD explicit SingleUnderlying(const PayoffView<T>& program) : asset(program.asset[0]) {}
  template <class Spots>
  GSIM_HD P spot(const Spots& spots) const {
    return spots[asset];
  }
  template <class Spots>
  GSIM_HD P log_spot(const Spots& spots) const {
    return spots.log(asset);
  }
};

/// Several, combined as the program says (Combination in simulation.hpp). log_base is 0.
template <class Policy, class P, class T>
struct CombinedUnderlying {
  const PayoffView<T>* program;

  GSIM_HD explicit CombinedUnderlying(const PayoffView<T>& p) : program(&p) {}

  template <class Spots>
  GSIM_HD P spot(const Spots& spots) const {
    return program->combination == Combination::geometric ? exp<Policy>(sum_of_logs(spots))
                                                          : combined(spots);
  }
  /// The logarithm of the underlying itself.
  template <class Spots>
  GSIM_HD P log_spot(const Spots& spots) const {
    return program->combination == Combination::geometric ? sum_of_logs(spots)
                                                          : log<Policy>(combined(spots));
  }

 private:
  template <class Spots>
  GSIM_HD P sum_of_logs(const Spots& spots) const {
    P sum(program->log_scale);
    for (std::int32_t a = 0; a < program->assets; ++a)
      sum = fma(P(program->weight[a]), spots.log(program->asset[a]), sum);
    return sum;
  }
  template <class Spots>
  GSIM_HD P combined(const Spots& spots) const {
    P u = spots[program->asset[0]] * P(program->weight[0]);
    for (std::int32_t a = 1; a < program->assets; ++a) {
      const P s = spots[program->asset[a]];
      const P w(program->weight[a]);
      if (program->combination == Combination::weighted_sum)
        u = fma(w, s, u);
      else
        u = program->combination == Combination::best_of ? at_least(w * s, u) : at_most(w * s, u);
    }
    return u;
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
