#pragma once
// The initial fission source of an eigenvalue calculation.

#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/exec/thread_pool.hpp"
#include "kernels/transport/geometry/geometry_view.hpp"
#include "kernels/transport/materials/material_view.hpp"
#include "kernels/transport/sources/sources.hpp"
#include "kernels/transport/tracking/particle.hpp"
#include "src/modules/transport/geometry/volumes/sampled_points.hpp"

namespace gsim::transport {

struct InitialSourceSetup {
  GeometryView geometry;  ///< all views are of host memory
  MaterialView materials;
  SourceView sources;  ///< empty: uniform over the fissile materials in `box`
  SampleBox box;
  std::uint64_t seed = 0;
};

/// Samples the sites numbered `range`. Sites from sources have sampled positions and groups, but
/// always isotropic directions; the groups of other sites are sampled from the local fission
/// spectrum.
/// InputError if no position is found in the cells and materials to which a source is limited, or
/// in fissile material.
std::vector<FissionSite> initial_source(const InitialSourceSetup& setup, ThreadPool& pool,
                                        IndexRange range);

}  // namespace gsim::transport
