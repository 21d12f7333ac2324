#pragma once
#include "kernels/transport/tallies/filters/filter_functor.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Bins of a mesh of planes perpendicular to x, y and z.
struct RectilinearMeshFilter {
  static constexpr char name[] = "rectilinear_mesh";
  static constexpr FilterTraits traits{.scope = FilterScope::planes, .at_points = false};
  template <class Add>
  GSIM_HD static void for_planes(const TallyView& t, const TallyFilter& f, const TallyState& s,
                                 Add&& add) {
    const TallyMesh& mesh = t.meshes[f.mesh];
    Index stride = f.stride;
    for (std::int32_t d = 0; d < mesh.dimensions; ++d) {
      add(t.edges.data + mesh.first_edge[d], mesh.bins[d], mesh.per_length[d],
          component(s.origin, mesh.axis[d]), component(s.direction, mesh.axis[d]), stride);
      stride *= mesh.bins[d];
    }
  }
};

}  // namespace transport_kernels
GSIM_TARGET_END
