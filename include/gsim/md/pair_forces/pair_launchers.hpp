#pragma once
// The launchers of a pair potential: over cluster lists (cluster_forces.hpp defines them) and over
// full neighbour lists (full_forces.hpp).

#include "gsim/exec/launch.hpp"
#include "gsim/md/neighbour_lists/cluster_list.hpp"
#include "gsim/md/neighbour_lists/full_list.hpp"

#define GSIM_DECLARE_PAIR_LAUNCHERS(name, Potential)                              \
  GSIM_DECLARE_LAUNCHER(cluster_forces_##name##_f32, md::ClusterForceJob<float>)  \
  GSIM_DECLARE_LAUNCHER(cluster_forces_##name##_f64, md::ClusterForceJob<double>) \
  GSIM_DECLARE_LAUNCHER(full_forces_##name##_f32, md::FullForceJob<float>)        \
  GSIM_DECLARE_LAUNCHER(full_forces_##name##_f64, md::FullForceJob<double>)
