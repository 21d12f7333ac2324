// Embedded atoms over cluster pairs in double. The CUDA executor has no cluster lists.
#include "kernels/md/cluster_eam.hpp"
#include "kernels/md/launchers.hpp"

GSIM_DEFINE_LAUNCHER(cluster_eam_densities_f64, md::EamDensityJob<double>) {
#if defined(__CUDACC__)
  (void)executor, (void)args;
  launching::no_launcher("cluster_eam_densities_f64", Target::cuda);
#else
  md_kernels::run_eam<md_kernels::EamDensities, double>(executor, args);
#endif
}

GSIM_DEFINE_LAUNCHER(cluster_eam_forces_f64, md::EamForceJob<double>) {
#if defined(__CUDACC__)
  (void)executor, (void)args;
  launching::no_launcher("cluster_eam_forces_f64", Target::cuda);
#else
  md_kernels::run_eam<md_kernels::EamForces, double>(executor, args);
#endif
}
