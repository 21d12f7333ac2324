// The embedded-atom method over cluster pairs in double. The CUDA executor has no cluster lists.
#include "kernels/md/many_body/cluster_eam.hpp"
#include "kernels/md/neighbour_lists/cluster_launchers.hpp"

GSIM_DEFINE_LAUNCHER(cluster_eam_densities_f64, md::EamDensityJob<double>) {
  md_kernels::run_eam<md_kernels::EamDensities, double>(executor, args);
}

GSIM_DEFINE_LAUNCHER(cluster_eam_forces_f64, md::EamForceJob<double>) {
  md_kernels::run_eam<md_kernels::EamForces, double>(executor, args);
}
