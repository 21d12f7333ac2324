// Lennard-Jones forces over cluster pairs in float. The CUDA executor has no cluster lists.
#include "kernels/md/cluster_forces.hpp"
#include "kernels/md/launchers.hpp"
#include "kernels/md/potentials/lennard_jones.hpp"

GSIM_DEFINE_LAUNCHER(cluster_forces_lj_f32, md::ClusterForceJob<float>) {
#if defined(__CUDACC__)
  (void)executor, (void)args;
  launching::no_launcher("cluster_forces_lj_f32", Target::cuda);
#else
  md_kernels::run_cluster_forces<float, md_kernels::LennardJones>(executor, args);
#endif
}
