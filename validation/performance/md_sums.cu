// Lennard-Jones forces of cluster pairs with floating-point sums. As in most codes, the bits of
// these sums depend on the order of the pairs.
#include "validation/performance/md_sums.hpp"

#if !defined(__CUDACC__)
#include "gsim/md/pair_forces/cluster_forces.hpp"
#include "kernels/md/pair_potentials/lennard_jones.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// Replaces IntegerSums of gsim/md/pair_forces/cluster_forces.hpp, which describes the members.
template <class Real>
struct RealSums {
  using Job = md::RealForceJob<Real>;
  using Lane = Real;
  using Sum = Real;
  static constexpr bool widens = false, detects_overlaps = false;

  template <int W>
  static GSIM_HD Pack<Real, W> product(Pack<Real, W> a, Pack<Real, W> b) {
    return a * b;
  }
  static constexpr Real bias(Index) { return 0; }
  static md::Quad<Real>* reactions(const Job& job) { return job.negative_forces; }
};

}  // namespace md_kernels
GSIM_TARGET_END
#define GSIM_RUN_REAL_SUMS(Real)                                         \
  md_kernels::ClusterForces<Real, md_kernels::LennardJones, true, false, \
                            md_kernels::RealSums<Real>>::run(executor, args)
#else
#define GSIM_RUN_REAL_SUMS(Real) \
  (void)executor, (void)args;    \
  launching::no_launcher("lennard_jones_real_sums", Target::cuda)
#endif

GSIM_DEFINE_LAUNCHER(lennard_jones_real_sums_f32, md::RealForceJob<float>) {
  GSIM_RUN_REAL_SUMS(float);
}
GSIM_DEFINE_LAUNCHER(lennard_jones_real_sums_f64, md::RealForceJob<double>) {
  GSIM_RUN_REAL_SUMS(double);
}
