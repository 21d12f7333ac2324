#pragma once
// The launchers that kernels/md exports.

#include "gsim/exec/launch.hpp"
#include "kernels/md/cluster_eam_jobs.hpp"
#include "kernels/md/cluster_list.hpp"
#include "kernels/md/potentials/names.hpp"

#define GSIM_DECLARE_PAIR_LAUNCHERS(name, Potential)                             \
  GSIM_DECLARE_LAUNCHER(cluster_forces_##name##_f32, md::ClusterForceJob<float>) \
  GSIM_DECLARE_LAUNCHER(cluster_forces_##name##_f64, md::ClusterForceJob<double>)
GSIM_PAIR_POTENTIALS(GSIM_DECLARE_PAIR_LAUNCHERS)
#undef GSIM_DECLARE_PAIR_LAUNCHERS
GSIM_DECLARE_LAUNCHER(cluster_search, md::ClusterSearchJob)
GSIM_DECLARE_LAUNCHER(cluster_prune, md::ClusterPruneJob)
GSIM_DECLARE_LAUNCHER(cluster_eam_densities_f32, md::EamDensityJob<float>)
GSIM_DECLARE_LAUNCHER(cluster_eam_densities_f64, md::EamDensityJob<double>)
GSIM_DECLARE_LAUNCHER(cluster_eam_forces_f32, md::EamForceJob<float>)
GSIM_DECLARE_LAUNCHER(cluster_eam_forces_f64, md::EamForceJob<double>)
