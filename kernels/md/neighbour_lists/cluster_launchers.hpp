#pragma once
// The launchers of kernels over cluster lists, except those of pair potentials
// (gsim/md/pair_forces/pair_launchers.hpp).

#include "gsim/exec/launch.hpp"
#include "gsim/md/neighbour_lists/cluster_list.hpp"
#include "kernels/md/many_body/cluster_eam_jobs.hpp"

GSIM_DECLARE_LAUNCHER(cluster_search, md::ClusterSearchJob)
GSIM_DECLARE_LAUNCHER(cluster_prune, md::ClusterPruneJob)
GSIM_DECLARE_LAUNCHER(cluster_eam_densities_f32, md::EamDensityJob<float>)
GSIM_DECLARE_LAUNCHER(cluster_eam_densities_f64, md::EamDensityJob<double>)
GSIM_DECLARE_LAUNCHER(cluster_eam_forces_f32, md::EamForceJob<float>)
GSIM_DECLARE_LAUNCHER(cluster_eam_forces_f64, md::EamForceJob<double>)
