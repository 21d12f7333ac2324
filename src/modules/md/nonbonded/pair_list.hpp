#pragma once
// The list of cluster pairs between two clusterings.

#include <vector>

#include "gsim/exec/executor.hpp"
#include "src/modules/md/nonbonded/cluster_grid.hpp"

namespace gsim::md {

/// How far, in the grid's integers, a list reaches.
struct ListGeometry {
  ListGeometry(const Box& box, const GridShape& shape, double radius);
  GridShape shape;
  float metric[6];
  double radius;
  std::uint32_t reach[3];  ///< cells to either side
  double cell_width[2];    ///< of a column along x and y
  bool tilted;
  /// Cells of `axis` within reach of [low, high], each once, as up to two ranges.
  struct Cells {
    IndexRange part[2];
  };
  Cells around(int axis, std::uint32_t low, std::uint32_t high) const;
  /// Whether columns that are `dx` and `dy` cells apart may hold atoms in range.
  bool columns_near(std::uint32_t dx, std::uint32_t dy) const;
};

class PairList {
 public:
  /// Pairs of clusters of `i` with clusters of `j` that hold atoms within the radius. `half`: both
  /// are the same, and each pair is listed once.
  void build(const Executor& executor, const ListGeometry& geometry, const Clustering& i,
             const Clustering& j, bool half);
  View<const ClusterChunk> chunks() const {
    return {chunks_.data(), static_cast<Index>(chunks_.size())};
  }
  Index entries() const;
  /// Leaves out the pair of the atoms in slot `i` of one clustering and slot `j` of the other, if
  /// it is listed. In a half list i < j.
  void remove(std::int32_t i, std::int32_t j);

 private:
  struct Part {
    std::vector<ClusterRow> rows;
    std::vector<ClusterNeighbour> neighbours;
  };
  struct Scratch {
    std::vector<ClusterSearchJob::Row> rows;
    std::vector<ClusterSearchJob::Span> spans;
    std::vector<ClusterRow> found_rows;
    std::vector<ClusterNeighbour> found;
  };
  std::vector<Part> parts_;
  std::vector<ClusterChunk> chunks_;
  std::vector<Scratch> scratch_;
};

}  // namespace gsim::md
