// Lennard-Jones forces over cluster pairs in double. The CUDA executor has no cluster lists.
#include "kernels/md/cluster_forces.hpp"
#include "kernels/md/launchers.hpp"
#include "kernels/md/potentials/lennard_jones.hpp"

GSIM_DEFINE_LAUNCHER(cluster_forces_lj_f64, md::ClusterForceJob<double>) {
#if defined(__CUDACC__)
  (void)executor, (void)args;
  launching::no_launcher("cluster_forces_lj_f64", Target::cuda);
#else
  md_kernels::run_cluster_forces<double, md_kernels::LennardJones>(executor, args);
#endif
}
