#pragma once
// Domain decomposition of space: one brick per rank.

#include <span>
#include <vector>

#include "gsim/domain/decomposition.hpp"
#include "gsim/exec/array.hpp"
#include "kernels/transport/tracking/domains.hpp"
#include "src/modules/transport/geometry/volumes/sampled_points.hpp"

namespace gsim::transport {

/// The box that is decomposed: `bounds`, with a very small extent along unbounded axes, so that no
/// cut is perpendicular to them.
Box divided_box(const SampleBox& bounds);

class Domains {
 public:
  /// The bricks of `decomposition` of `box`; those at its sides are unbounded outwards.
  Domains(const Box& box, const Decomposition& decomposition, const Executor& executor);

  int ranks() const { return static_cast<int>(bricks_.size()); }
  const SampleBox& brick(int rank) const { return bricks_[static_cast<std::size_t>(rank)]; }
  /// For kernels of `rank`, in the executor's memory; valid as long as this object.
  DomainView view(int rank) const;

 private:
  std::vector<SampleBox> bricks_;
  Array<DomainCut> cuts_;
};

/// The decomposition of `box` in which each of `ranks` ranks has equally many of `positions`.
Decomposition decompose_evenly(const Box& box, std::span<const Vector3> positions, int ranks);

}  // namespace gsim::transport
