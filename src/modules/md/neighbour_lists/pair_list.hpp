#pragma once
// The list of cluster pairs between two clusterings, and the shortened list.

#include <vector>

#include "gsim/exec/executor.hpp"
#include "src/modules/md/neighbour_lists/cluster_grid.hpp"

namespace gsim::md {

/// Converts differences of 32-bit integer positions to distances (Box::matrix(32)).
struct BoxMatrix {
  explicit BoxMatrix(const Box& box);
  float m[6];
  bool tilted;
};

/// The list radius in units of the cells of the grid.
struct ListGeometry {
  ListGeometry(const Box& box, const GridShape& shape, double radius);
  GridShape shape;
  BoxMatrix box_matrix;
  double radius;
  std::uint32_t reach[2];   ///< number of columns to either side, along x and y
  double cells_per_length;  ///< along columns
  double cell_width[2];     ///< width of a column along x and y
  /// The cells along `axis` within `reach` of [low, high], each once, as up to two ranges.
  struct Cells {
    IndexRange part[2];
  };
  Cells around(int axis, std::uint32_t low, std::uint32_t high, std::uint32_t reach) const;
  /// The number of cells up and down in which atoms may be in range, for columns `dx` and `dy`
  /// cells apart; 0: no atom of these columns can be in range.
  std::uint32_t height_reach(std::uint32_t dx, std::uint32_t dy) const;
};

/// A list of cluster pairs, and a shortened list made from it.
class PairList {
 public:
  /// Lists the pairs of clusters of `i` with clusters of `j` that hold atoms within the radius.
  /// `half`: both are the same, and each pair is listed once.
  void build(const Executor& executor, const ListGeometry& geometry, const Clustering& i,
             const Clustering& j, bool half);
  /// Removes the pair of the atoms in slot `i` of one clustering and slot `j` of the other, if it
  /// is listed. In a half list i < j.
  void remove(std::int32_t i, std::int32_t j);

  /// All pairs that build() found, without the removed ones.
  View<const ClusterChunk> all() const { return view(all_); }
  /// The pairs that were within the radius of the last shorten(); all() before the first one.
  View<const ClusterChunk> near() const { return view(is_short_ ? near_ : all_); }
  /// Computes near() for the current positions of the clusters' atoms.
  void shorten(const Executor& executor, const BoxMatrix& box_matrix, double radius,
               const Quad<std::uint32_t>* i_positions, const Quad<std::uint32_t>* j_positions);
  /// Makes near() return all() until the next shorten().
  void use_all() { is_short_ = false; }
  /// The number of cluster pairs in `chunks`.
  static Index entries(View<const ClusterChunk> chunks);

 private:
  /// One chunk of the list of build() and of the shortened list.
  struct Part {
    std::vector<ClusterRow> rows, near_rows;
    std::vector<ClusterNeighbour> neighbours, near;
  };
  /// Memory of one thread for build().
  struct Scratch {
    std::vector<ClusterSearchJob::Row> rows;
    std::vector<ClusterSearchJob::Span> spans;
    std::vector<ClusterRow> found_rows;
    std::vector<ClusterNeighbour> found;
  };
  static View<const ClusterChunk> view(const std::vector<ClusterChunk>& chunks) {
    return {chunks.data(), static_cast<Index>(chunks.size())};
  }
  static ClusterChunk chunk_of(const std::vector<ClusterRow>& rows,
                               const std::vector<ClusterNeighbour>& neighbours, Index count) {
    return {{rows.data(), static_cast<Index>(rows.size())}, {neighbours.data(), count}};
  }
  std::vector<Part> parts_;
  std::vector<ClusterChunk> all_, near_;
  std::vector<Scratch> scratch_;
  bool is_short_ = false;
};

}  // namespace gsim::md
