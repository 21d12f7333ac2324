// The embedded-atom method over cluster pairs in float. The CUDA executor has no cluster lists.
#include "kernels/md/many_body/cluster_eam.hpp"
#include "kernels/md/neighbour_lists/cluster_launchers.hpp"

GSIM_DEFINE_LAUNCHER(cluster_eam_densities_f32, md::EamDensityJob<float>) {
  md_kernels::run_eam<md_kernels::EamDensities, float>(executor, args);
}

GSIM_DEFINE_LAUNCHER(cluster_eam_forces_f32, md::EamForceJob<float>) {
  md_kernels::run_eam<md_kernels::EamForces, float>(executor, args);
}
