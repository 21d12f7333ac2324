#pragma once
// The fission sites between two generations: their order, the sites that a comb selects, and their
// numbers in the boxes of a mesh. Results do not depend on the order of threads.

#include <cstdint>

#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"
#include "kernels/transport/eigenvalue/comb.hpp"
#include "kernels/transport/tracking/particle.hpp"

namespace gsim::transport {

/// Fission sites and their order: site n is sites[order[n]], or sites[n] if `order` is empty.
struct OrderedSites {
  View<const FissionSite> sites;
  View<const std::int32_t> order;
};

/// Adds the number of sites with the parent first_parent + p to counts[p].
struct CountSitesArgs {
  View<const FissionSite> sites;
  std::int64_t first_parent = 0;
  std::int32_t* counts = nullptr;
};

/// Writes the indices of the sites of each parent to consecutive elements of `order`, in any order.
/// next[p] is the number of sites of all parents before first_parent + p, and is increased by the
/// number of sites of that parent.
struct GroupSitesArgs {
  View<const FissionSite> sites;
  std::int64_t first_parent = 0;
  std::int32_t* next = nullptr;
  std::int32_t* order = nullptr;
};

/// Sorts the indices of the sites of each parent; those of parent p end before ends[p].
struct SortSitesArgs {
  View<const FissionSite> sites;
  View<const std::int32_t> ends;
  std::int32_t* order = nullptr;
};

/// Copies the sites that the teeth from `first_tooth` on select; first_site: number of the first of
/// `from` among the sites of the comb.
struct SelectSitesArgs {
  OrderedSites from;
  Index first_site = 0;
  Comb comb;
  Index first_tooth = 0;
  View<FissionSite> to;
};

/// The boxes of a mesh between two corners, cm.
struct MeshBoxes {
  double lower[3] = {}, upper[3] = {};
  Index shape[3] = {1, 1, 1};
};

/// Adds the number of sites in each box to `counts`; x fastest. Sites outside of the mesh are
/// counted in the nearest boxes.
struct CountInBoxesArgs {
  View<const FissionSite> sites;
  MeshBoxes mesh;
  std::int64_t* counts = nullptr;
};

/// The box of the mesh that contains `position` or, if there is none, is nearest to it.
GSIM_HD Index box_of(const MeshBoxes& mesh, const Vector3& position) {
  const double x[3] = {position.x, position.y, position.z};
  Index box = 0;
  for (int a = 2; a >= 0; --a) {
    const double width = mesh.upper[a] - mesh.lower[a];
    const double fraction = width > 0 ? (x[a] - mesh.lower[a]) / width : 0.0;
    const auto last = static_cast<double>(mesh.shape[a] - 1);
    const double cell = fraction * static_cast<double>(mesh.shape[a]);
    const double clamped = cell < 0.0 ? 0.0 : last < cell ? last : cell;
    box = box * mesh.shape[a] + static_cast<Index>(clamped);
  }
  return box;
}

}  // namespace gsim::transport

GSIM_DECLARE_LAUNCHER(transport_count_sites, transport::CountSitesArgs)
GSIM_DECLARE_LAUNCHER(transport_group_sites, transport::GroupSitesArgs)
GSIM_DECLARE_LAUNCHER(transport_sort_sites, transport::SortSitesArgs)
GSIM_DECLARE_LAUNCHER(transport_select_sites, transport::SelectSitesArgs)
GSIM_DECLARE_LAUNCHER(transport_count_in_boxes, transport::CountInBoxesArgs)
