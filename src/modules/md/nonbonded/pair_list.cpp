#include "src/modules/md/nonbonded/pair_list.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/md/launchers.hpp"

namespace gsim::md {
namespace {

constexpr Index clusters_per_chunk = 128;
// Distances in the search are floats; a list that is a little too long does no harm.
constexpr double margin = 1 + 1e-5;

std::uint32_t circular_distance(Index a, Index b, Index n) {
  const Index d = a > b ? a - b : b - a;
  return static_cast<std::uint32_t>(std::min(d, n - d));
}

/// Spans of candidate clusters of `j` for the clusters of one column of `i`.
class Candidates {
 public:
  Candidates(const ListGeometry& geometry, const Clustering& i, const Clustering& j, bool half)
      : g_(geometry), i_(i), j_(j), half_(half) {}

  /// Columns near `column` that hold clusters to look at.
  void enter(Index column) {
    columns_.clear();
    const Index ny = g_.shape.cells[1], cx = column / ny, cy = column % ny;
    const auto xs = g_.around(0, static_cast<std::uint32_t>(cx), static_cast<std::uint32_t>(cx));
    const auto ys = g_.around(1, static_cast<std::uint32_t>(cy), static_cast<std::uint32_t>(cy));
    for (const IndexRange& px : xs.part)
      for (Index x = px.first; x < px.last; ++x)
        for (const IndexRange& py : ys.part)
          for (Index y = py.first; y < py.last; ++y) {
            const Index other = x * ny + y;
            if ((half_ && other < column) || j_.column(other).empty()) continue;
            if (g_.columns_near(circular_distance(x, cx, g_.shape.cells[0]),
                                circular_distance(y, cy, ny)))
              columns_.push_back(other);
          }
    column_ = column;
  }

  /// Appends the spans for cluster `c` of that column.
  void add_spans(Index c, std::vector<ClusterSearchJob::Span>& spans) const {
    const auto& z = i_.positions()[static_cast<std::size_t>(c)].c[2];
    const auto [low, high] = std::minmax_element(z, z + cluster_size);
    const auto cells = g_.around(2, g_.shape.cell(2, *low), g_.shape.cell(2, *high));
    for (const Index other : columns_) {
      Index behind = half_ && other == column_ ? c : 0;  // parts may share a cluster
      for (const IndexRange& part : cells.part) {
        if (part.empty()) continue;
        IndexRange found = j_.clusters_in(g_.shape, other, static_cast<std::uint32_t>(part.first),
                                          static_cast<std::uint32_t>(part.last - 1));
        found.first = std::max(found.first, behind);
        if (found.empty()) continue;
        spans.push_back(
            {static_cast<std::int32_t>(found.first), static_cast<std::int32_t>(found.last)});
        behind = found.last;
      }
    }
  }

 private:
  const ListGeometry& g_;
  const Clustering& i_;
  const Clustering& j_;
  bool half_;
  Index column_ = 0;
  std::vector<Index> columns_;
};

}  // namespace

ListGeometry::ListGeometry(const Box& box, const GridShape& s, double r)
    : shape(s), radius(r * margin), tilted(box.is_triclinic()) {
  const auto m = box.metric(32);
  for (std::size_t a = 0; a < 6; ++a) metric[a] = static_cast<float>(m[a]);
  for (int a = 0; a < 3; ++a) {
    // Positions are rounded to 2^-32, so one integer more.
    const double cells = static_cast<double>(shape.cells[static_cast<std::size_t>(a)]);
    const double fraction = box.fraction_of(a, radius) + 0x1p-31;
    reach[a] = static_cast<std::uint32_t>(std::min(std::floor(fraction * cells) + 1, cells));
    if (a < 2) cell_width[a] = box.width(a) / box.share(a) / cells * (1 - 1e-9);
  }
}

ListGeometry::Cells ListGeometry::around(int axis, std::uint32_t low, std::uint32_t high) const {
  const Index n = shape.cells[static_cast<std::size_t>(axis)], r = reach[axis];
  // The cluster itself may lie across the seam only if it holds all of a column: bins are sorted.
  const Index first = Index{low} - r, last = Index{high} + r + 1;
  if (last - first >= n) return {{{0, n}, {0, 0}}};
  if (first < 0) return {{{0, last}, {first + n, n}}};
  if (last > n) return {{{0, last - n}, {first, n}}};
  return {{{first, last}, {0, 0}}};
}

bool ListGeometry::columns_near(std::uint32_t dx, std::uint32_t dy) const {
  if (tilted) return true;
  const double x = dx > 1 ? (dx - 1) * cell_width[0] : 0, y = dy > 1 ? (dy - 1) * cell_width[1] : 0;
  return x * x + y * y <= radius * radius;
}

void PairList::build(const Executor& executor, const ListGeometry& geometry, const Clustering& i,
                     const Clustering& j, bool half) {
  const Index chunks = (i.clusters() + clusters_per_chunk - 1) / clusters_per_chunk;
  parts_.resize(static_cast<std::size_t>(chunks));
  chunks_.resize(static_cast<std::size_t>(chunks));
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
    Index column = -1, room = 0;
    const Index last = std::min(i.clusters(), (chunk + 1) * clusters_per_chunk);
    for (Index c = chunk * clusters_per_chunk; c < last; ++c) {
      if (column_of[static_cast<std::size_t>(c)] != column)
        candidates.enter(column = column_of[static_cast<std::size_t>(c)]);
      const auto first = static_cast<Index>(scratch.spans.size());
      candidates.add_spans(c, scratch.spans);
      const auto end = static_cast<Index>(scratch.spans.size());
      scratch.rows.push_back({static_cast<std::int32_t>(c), first, end});
      for (Index s = first; s < end; ++s)
        room += scratch.spans[static_cast<std::size_t>(s)].last -
                scratch.spans[static_cast<std::size_t>(s)].first;
    }
    scratch.found_rows.resize(scratch.rows.size());
    if (static_cast<Index>(scratch.found.size()) <= room)
      scratch.found.resize(static_cast<std::size_t>(room) + 1);
    Index found = 0;
    ClusterSearchJob job{{scratch.rows.data(), static_cast<Index>(scratch.rows.size())},
                         scratch.spans.data(),
                         i.positions().data(),
                         j.positions().data(),
                         i.atoms(),
                         j.atoms(),
                         {},
                         0,
                         geometry.tilted,
                         half,
                         scratch.found_rows.data(),
                         scratch.found.data(),
                         &found};
    std::copy_n(geometry.metric, 6, job.metric);
    job.radius2 = static_cast<float>(geometry.radius * geometry.radius);
    cluster_search(executor, job);
    part.rows = scratch.found_rows;
    part.neighbours.assign(scratch.found.begin(), scratch.found.begin() + found);
    chunks_[static_cast<std::size_t>(chunk)] = {
        {part.rows.data(), static_cast<Index>(part.rows.size())},
        {part.neighbours.data(), static_cast<Index>(part.neighbours.size())}};
  });
}

void PairList::remove(std::int32_t i, std::int32_t j) {
  const std::int32_t ci = i / cluster_size, cj = j / cluster_size;
  Part& part = parts_[static_cast<std::size_t>(ci / clusters_per_chunk)];
  ClusterRow& row = part.rows[static_cast<std::size_t>(ci % clusters_per_chunk)];
  for (Index n = row.first; n < row.last; ++n) {
    ClusterNeighbour& found = part.neighbours[static_cast<std::size_t>(n)];
    if (found.j != cj) continue;
    found.mask &= ~(1u << (cluster_size * (i % cluster_size) + j % cluster_size));
    if (n >= row.unmasked)  // masked ones stand first
      std::swap(found, part.neighbours[static_cast<std::size_t>(row.unmasked++)]);
    return;
  }
}

Index PairList::entries() const {
  Index sum = 0;
  for (const auto& part : parts_) sum += static_cast<Index>(part.neighbours.size());
  return sum;
}

}  // namespace gsim::md
