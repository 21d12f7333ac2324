#pragma once
// The pair loop with floating-point sums in place of integer sums of quanta.

#include "gsim/exec/launch.hpp"
#include "gsim/md/neighbour_lists/cluster_list.hpp"

namespace gsim::md {

/// As ClusterForceJob, but the negatives of the forces are summed in floating point, in
/// `negative_forces` (in force quanta), and the largest force is not recorded.
template <class Real>
struct RealForceJob : ClusterForceJob<Real> {
  Quad<Real>* negative_forces;
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(lennard_jones_real_sums_f32, md::RealForceJob<float>)
GSIM_DECLARE_LAUNCHER(lennard_jones_real_sums_f64, md::RealForceJob<double>)
