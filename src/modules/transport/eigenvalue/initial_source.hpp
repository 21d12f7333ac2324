#pragma once
// The fission sites that an eigenvalue calculation begins with.

#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/exec/thread_pool.hpp"
#include "kernels/transport/geometry/geometry_view.hpp"
#include "kernels/transport/materials/material_view.hpp"
#include "kernels/transport/sources/sources.hpp"
#include "kernels/transport/tracking/particle.hpp"
#include "src/modules/transport/geometry/volumes/sampled_points.hpp"

namespace gsim::transport {

struct FirstSourceSetup {
  GeometryView geometry;  ///< in host memory, as are all views
  MaterialView materials;
  SourceView sources;  ///< none: evenly over what is fissile in `box`
  SampleBox box;
  std::uint64_t seed = 0;
};

/// The sites numbered `range`. Those of sources keep position and group, their directions become
/// isotropic; others get groups by the fission spectrum where they are. NumericalError where no
/// fissile place is found.
std::vector<FissionSite> first_source(const FirstSourceSetup& setup, ThreadPool& pool,
                                      IndexRange range);

}  // namespace gsim::transport
