#pragma once
// Space divided among ranks, one brick each.

#include <span>
#include <vector>

#include "gsim/domain/decomposition.hpp"
#include "gsim/exec/array.hpp"
#include "kernels/transport/tracking/domains.hpp"
#include "src/modules/transport/geometry/volumes/sampled_points.hpp"

namespace gsim::transport {

/// The box that is divided: `bounds`, and next to nothing of an axis that has none, so that no cut
/// runs across it.
Box divided_box(const SampleBox& bounds);

class Domains {
 public:
  /// The bricks of `decomposition` of `box`; those at its sides reach on without end.
  Domains(const Box& box, const Decomposition& decomposition, const Executor& executor);

  int ranks() const { return static_cast<int>(bricks_.size()); }
  const SampleBox& brick(int rank) const { return bricks_[static_cast<std::size_t>(rank)]; }
  /// For kernels of `rank`, in the executor's memory; valid while this object lives.
  DomainView view(int rank) const;

 private:
  std::vector<SampleBox> bricks_;
  Array<DomainCut> cuts_;
};

/// Cuts that give each of `ranks` ranks as many of `positions`.
Decomposition share_evenly(const Box& box, std::span<const transport::Vector3> positions,
                           int ranks);

}  // namespace gsim::transport
