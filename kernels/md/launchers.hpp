#pragma once
// The launchers that kernels/md exports.

#include "gsim/exec/launch.hpp"
#include "kernels/md/cluster_list.hpp"

GSIM_DECLARE_LAUNCHER(cluster_forces_lj_f32, md::ClusterForceJob<float>)
GSIM_DECLARE_LAUNCHER(cluster_forces_lj_f64, md::ClusterForceJob<double>)
GSIM_DECLARE_LAUNCHER(cluster_search, md::ClusterSearchJob)
