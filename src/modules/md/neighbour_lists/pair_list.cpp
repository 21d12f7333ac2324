#include "src/modules/md/neighbour_lists/pair_list.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/md/neighbour_lists/cluster_launchers.hpp"

namespace gsim::md {
namespace {

constexpr Index clusters_per_chunk = 128;
// Distances in the search are floats, so the search radius is enlarged by their rounding errors.
constexpr double margin = 1 + 1e-5;

std::uint32_t circular_distance(Index a, Index b, Index n) {
  const Index d = a > b ? a - b : b - a;
  return static_cast<std::uint32_t>(std::min(d, n - d));
}

/// Ranges of candidate clusters of `j` for the clusters of one column of `i`. `half`: both are the
/// same, and each pair is a candidate once.
class Candidates {
 public:
  Candidates(const ListGeometry& geometry, const Clustering& i, const Clustering& j, bool half)
      : g_(geometry), i_(i), j_(j), half_(half) {}

  /// Selects `column` and finds the columns near it whose clusters may be in range.
  void select(Index column) {
    columns_.clear();
    const Index ny = g_.shape.cells[1], cx = column / ny, cy = column % ny;
    const auto x0 = static_cast<std::uint32_t>(cx), y0 = static_cast<std::uint32_t>(cy);
    const auto xs = g_.around(0, x0, x0, g_.reach[0]), ys = g_.around(1, y0, y0, g_.reach[1]);
    for (const IndexRange& px : xs.part)
      for (Index x = px.first; x < px.last; ++x)
        for (const IndexRange& py : ys.part)
          for (Index y = py.first; y < py.last; ++y) {
            const Index j_column = x * ny + y;
            if ((half_ && j_column < column) || j_.column(j_column).empty()) continue;
            const std::uint32_t reach = g_.height_reach(circular_distance(x, cx, g_.shape.cells[0]),
                                                        circular_distance(y, cy, ny));
            if (reach > 0) columns_.push_back({j_column, reach});
          }
    column_ = column;
  }

  /// Appends the ranges of candidates for cluster `c` of the selected column.
  void add_spans(Index c, std::vector<ClusterSearchJob::Span>& spans) const {
    const auto& z = i_.positions()[static_cast<std::size_t>(c)].c[2];
    const auto [low, high] = std::minmax_element(z, z + cluster_size);
    const std::uint32_t low_cell = g_.shape.cell(2, *low), high_cell = g_.shape.cell(2, *high);
    for (const auto& [j_column, reach] : columns_) {
      const auto cells = g_.around(2, low_cell, high_cell, reach);
      // Ranges may overlap in a cluster, which is added once.
      Index next = half_ && j_column == column_ ? c : 0;
      for (const IndexRange& part : cells.part) {
        if (part.empty()) continue;
        IndexRange found =
            j_.clusters_in(g_.shape, j_column, static_cast<std::uint32_t>(part.first),
                           static_cast<std::uint32_t>(part.last - 1));
        found.first = std::max(found.first, next);
        if (found.empty()) continue;
        spans.push_back(
            {static_cast<std::int32_t>(found.first), static_cast<std::int32_t>(found.last)});
        next = found.last;
      }
    }
  }

 private:
  const ListGeometry& g_;
  const Clustering& i_;
  const Clustering& j_;
  bool half_;
  struct Column {
    Index column;
    std::uint32_t reach;  // in cells, up and down
  };
  Index column_ = 0;
  std::vector<Column> columns_;
};

}  // namespace

BoxMatrix::BoxMatrix(const Box& box) : tilted(box.is_triclinic()) {
  const auto box_matrix = box.matrix(32);
  for (std::size_t a = 0; a < 6; ++a) m[a] = static_cast<float>(box_matrix[a]);
}

ListGeometry::ListGeometry(const Box& box, const GridShape& s, double r)
    : shape(s), box_matrix(box), radius(r * margin) {
  const auto cells = [&](int a) {
    return static_cast<double>(shape.cells[static_cast<std::size_t>(a)]);
  };
  for (int a = 0; a < 2; ++a) {
    // Positions are rounded to 2^-32, so the reach is one integer larger.
    const double fraction = box.fraction_of(a, radius) + 0x1p-31;
    reach[a] = static_cast<std::uint32_t>(std::min(std::floor(fraction * cells(a)) + 1, cells(a)));
    cell_width[a] = box.width(a) / box.range_fraction(a) / cells(a) * (1 - 1e-9);
  }
  cells_per_length = box.fraction_of(2, 1) * cells(2) * (1 + 1e-9);
}

ListGeometry::Cells ListGeometry::around(int axis, std::uint32_t low, std::uint32_t high,
                                         std::uint32_t r) const {
  const Index n = shape.cells[static_cast<std::size_t>(axis)];
  // Bins are sorted, so a cluster can extend across the periodic boundary only if it contains all
  // atoms of a column.
  const Index first = Index{low} - r, last = Index{high} + r + 1;
  if (last - first >= n) return {{{0, n}, {0, 0}}};
  if (first < 0) return {{{0, last}, {first + n, n}}};
  if (last > n) return {{{0, last - n}, {first, n}}};
  return {{{first, last}, {0, 0}}};
}

std::uint32_t ListGeometry::height_reach(std::uint32_t dx, std::uint32_t dy) const {
  const double x = dx > 1 ? (dx - 1) * cell_width[0] : 0, y = dy > 1 ? (dy - 1) * cell_width[1] : 0;
  const double height2 = box_matrix.tilted ? radius * radius : radius * radius - x * x - y * y;
  if (height2 < 0) return 0;
  const double cells = shape.cells[2];
  // Positions are rounded to 2^-32, so the reach is one integer larger.
  const double height = std::sqrt(height2) * cells_per_length + 0x1p-31 * cells;
  return static_cast<std::uint32_t>(std::min(std::floor(height) + 1, cells));
}

void PairList::build(const Executor& executor, const ListGeometry& geometry, const Clustering& i,
                     const Clustering& j, bool half) {
  const Index chunks = (i.clusters() + clusters_per_chunk - 1) / clusters_per_chunk;
  parts_.resize(static_cast<std::size_t>(chunks));
  all_.resize(static_cast<std::size_t>(chunks));
  is_short_ = false;
  scratch_.resize(static_cast<std::size_t>(executor.threads()));
  std::vector<Index> column_of(static_cast<std::size_t>(i.clusters()));
  for (Index c = 0; c < geometry.shape.columns(); ++c)
    for (Index k = i.column(c).first; k < i.column(c).last; ++k)
      column_of[static_cast<std::size_t>(k)] = c;
  executor.pool().for_each(chunks, [&](Index chunk, int worker) {
    Scratch& scratch = scratch_[static_cast<std::size_t>(worker)];
    Part& part = parts_[static_cast<std::size_t>(chunk)];
    scratch.rows.clear();
    scratch.spans.clear();
    Candidates candidates(geometry, i, j, half);
    Index column = -1, candidate_count = 0;
    const Index last = std::min(i.clusters(), (chunk + 1) * clusters_per_chunk);
    for (Index c = chunk * clusters_per_chunk; c < last; ++c) {
      if (column_of[static_cast<std::size_t>(c)] != column)
        candidates.select(column = column_of[static_cast<std::size_t>(c)]);
      const auto first = static_cast<Index>(scratch.spans.size());
      candidates.add_spans(c, scratch.spans);
      const auto end = static_cast<Index>(scratch.spans.size());
      scratch.rows.push_back({static_cast<std::int32_t>(c), first, end});
      for (Index s = first; s < end; ++s)
        candidate_count += scratch.spans[static_cast<std::size_t>(s)].last -
                           scratch.spans[static_cast<std::size_t>(s)].first;
    }
    scratch.found_rows.resize(scratch.rows.size());
    if (static_cast<Index>(scratch.found.size()) <= candidate_count)
      scratch.found.resize(static_cast<std::size_t>(candidate_count) + 1);
    Index found = 0;
    ClusterSearchJob job{{scratch.rows.data(), static_cast<Index>(scratch.rows.size())},
                         scratch.spans.data(),
                         i.positions().data(),
                         j.positions().data(),
                         i.atoms(),
                         j.atoms(),
                         {},
                         0,
                         geometry.box_matrix.tilted,
                         half,
                         scratch.found_rows.data(),
                         scratch.found.data(),
                         &found};
    std::copy_n(geometry.box_matrix.m, 6, job.box_matrix);
    job.radius2 = static_cast<float>(geometry.radius * geometry.radius);
    cluster_search(executor, job);
    part.rows = scratch.found_rows;
    part.neighbours.assign(scratch.found.begin(), scratch.found.begin() + found);
    all_[static_cast<std::size_t>(chunk)] = chunk_of(part.rows, part.neighbours, found);
  });
}

void PairList::shorten(const Executor& executor, const BoxMatrix& box_matrix, double radius,
                       const Quad<std::uint32_t>* i_positions,
                       const Quad<std::uint32_t>* j_positions) {
  near_.resize(all_.size());
  const double r = radius * margin;
  executor.pool().for_each(static_cast<Index>(all_.size()), [&](Index c, int) {
    const auto chunk = static_cast<std::size_t>(c);
    Part& part = parts_[chunk];
    part.near_rows.resize(part.rows.size());
    if (part.near.size() <= part.neighbours.size()) part.near.resize(part.neighbours.size() + 1);
    Index kept = 0;
    ClusterPruneJob job{
        all_[chunk],       i_positions,           j_positions,      {},   static_cast<float>(r * r),
        box_matrix.tilted, part.near_rows.data(), part.near.data(), &kept};
    std::copy_n(box_matrix.m, 6, job.box_matrix);
    cluster_prune(executor, job);
    near_[chunk] = chunk_of(part.near_rows, part.near, kept);
  });
  is_short_ = true;
}

void PairList::remove(std::int32_t i, std::int32_t j) {
  const std::int32_t ci = i / cluster_size, cj = j / cluster_size;
  Part& part = parts_[static_cast<std::size_t>(ci / clusters_per_chunk)];
  ClusterRow& row = part.rows[static_cast<std::size_t>(ci % clusters_per_chunk)];
  for (Index n = row.first; n < row.last; ++n) {
    ClusterNeighbour& found = part.neighbours[static_cast<std::size_t>(n)];
    if (found.j != cj) continue;
    found.mask &= ~(1u << (cluster_size * (i % cluster_size) + j % cluster_size));
    if (n >= row.unmasked)  // entries with masks come first
      std::swap(found, part.neighbours[static_cast<std::size_t>(row.unmasked++)]);
    return;
  }
}

Index PairList::entries(View<const ClusterChunk> chunks) {
  Index sum = 0;
  for (const ClusterChunk& chunk : chunks) sum += chunk.neighbours.size;
  return sum;
}

}  // namespace gsim::md
