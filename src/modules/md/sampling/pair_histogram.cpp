#include "src/modules/md/sampling/pair_histogram.hpp"

#include <algorithm>
#include <cmath>

#include "gsim/core/error.hpp"
#include "src/modules/md/neighbour_lists/cluster_grid.hpp"

namespace gsim::md {
namespace {

/// The slabs along one axis: equal parts of the range of integer coordinates. Only slabs with atoms
/// have an index, so that the cells of a rank cover its atoms and ghosts but no empty space.
class Slabs {
 public:
  Slabs(const Box& box, int axis, double r_max, std::uint32_t max_slabs)
      : is_periodic_(box.boundary(axis) == Boundary::periodic) {
    const double fraction = box.fraction_of(axis, r_max) * (1 + 1e-9);
    // Slabs are half as wide as r_max: fewer pairs beyond r_max are tested than with wider slabs.
    const double slab_count = std::fmin(2 / fraction, static_cast<double>(max_slabs));
    count_ = slab_count > 1 ? static_cast<std::uint32_t>(slab_count) : 1;
    reach_ = static_cast<std::int64_t>(std::ceil(fraction * count_));
    index_.assign(count_, -1);
  }
  std::uint32_t slab(std::uint32_t x) const {
    return static_cast<std::uint32_t>((std::uint64_t{x} * count_) >> 32);
  }
  void mark_occupied(std::uint32_t x) { index_[slab(x)] = 0; }
  /// Gives indices to the slabs that mark_occupied() has marked.
  void enumerate() {
    for (std::uint32_t s = 0; s < count_; ++s)
      if (index_[s] == 0) {
        index_[s] = static_cast<std::int32_t>(slabs_.size());
        slabs_.push_back(s);
      }
  }
  std::uint32_t count() const { return count_; }
  /// The number of slabs with atoms.
  Index size() const { return static_cast<Index>(slabs_.size()); }
  std::int32_t index(std::uint32_t x) const { return index_[slab(x)]; }
  /// The indices of the slabs within r_max of the slab with index i, each once.
  std::vector<std::int32_t> near(Index i) const {
    std::vector<std::int32_t> all;
    const auto n = std::int64_t{count_};
    const std::int64_t centre = slabs_[static_cast<std::size_t>(i)];
    for (std::int64_t s = centre - std::min(reach_, n); s <= centre + std::min(reach_, n); ++s) {
      if (!is_periodic_ && (s < 0 || s >= n)) continue;
      const std::int32_t k = index_[static_cast<std::size_t>(((s % n) + n) % n)];
      if (k >= 0) all.push_back(k);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

 private:
  bool is_periodic_;
  std::uint32_t count_ = 1;
  std::int64_t reach_ = 1;            // number of slabs on either side that are within r_max
  std::vector<std::int32_t> index_;   // of each slab among those with atoms; -1: no atoms
  std::vector<std::uint32_t> slabs_;  // the slabs with atoms, ascending
};

/// Atoms sorted by cell.
struct AtomsByCell {
  std::vector<Index> first;  ///< index of the first atom of each cell, and the total number
  std::array<std::vector<std::uint32_t>, 3> x;
  std::vector<std::int32_t> group;
};

/// A position rounded to 2^-32 of the box.
using Rounded = std::array<std::uint32_t, 3>;

Rounded rounded(const FixedPosition& p) {
  return {rounded_position(p.x[0]), rounded_position(p.x[1]), rounded_position(p.x[2])};
}

class Cells {
 public:
  Cells(const Box& box, const HistogramAtoms& atoms, double r_max) {
    // If there are many more cells than atoms (a dilute gas), larger cells are used.
    std::uint32_t max_slabs = 1u << 20;
    const auto total = static_cast<Index>(atoms.positions.size());
    do {
      slabs_.clear();
      for (int a = 0; a < 3; ++a) slabs_.emplace_back(box, a, r_max, max_slabs);
      for (const FixedPosition& p : atoms.positions) {
        const Rounded x = rounded(p);
        for (std::size_t a = 0; a < 3; ++a) slabs_[a].mark_occupied(x[a]);
      }
      for (Slabs& s : slabs_) s.enumerate();
      max_slabs = std::max({slabs_[0].count(), slabs_[1].count(), slabs_[2].count()}) / 2;
    } while (size() > 8 * total + 64 && max_slabs > 0);
    locals_ = sort(atoms, 0, atoms.locals);
    ghosts_ = sort(atoms, atoms.locals, total);
    for (std::size_t a = 0; a < 3; ++a)
      for (Index i = 0; i < slabs_[a].size(); ++i) near_[a].push_back(slabs_[a].near(i));
  }

  Index size() const { return slabs_[0].size() * slabs_[1].size() * slabs_[2].size(); }
  const AtomsByCell& locals() const { return locals_; }
  const AtomsByCell& ghosts() const { return ghosts_; }

  /// The ranges of the cells within r_max of cell c, in ascending order.
  void near(Index c, std::vector<IndexRange>& ranges) const {
    ranges.clear();
    const Index n0 = slabs_[0].size(), n1 = slabs_[1].size();
    for (const Index z : near_[2][static_cast<std::size_t>(c / (n0 * n1))])
      for (const Index y : near_[1][static_cast<std::size_t>(c / n0 % n1)])
        for (const Index x : near_[0][static_cast<std::size_t>(c % n0)]) {
          const Index cell = (z * n1 + y) * n0 + x;
          if (!ranges.empty() && ranges.back().last == cell)
            ranges.back().last = cell + 1;
          else
            ranges.push_back({cell, cell + 1});
        }
  }

 private:
  AtomsByCell sort(const HistogramAtoms& atoms, Index first, Index last) const {
    AtomsByCell s;
    s.first.assign(static_cast<std::size_t>(size()) + 1, 0);
    std::vector<std::pair<Index, Index>> cell_of;
    for (Index i = first; i < last; ++i) {
      const auto k = static_cast<std::size_t>(i);
      if (atoms.groups[k] < 0) continue;
      const Rounded x = rounded(atoms.positions[k]);
      const Index cell = (Index{slabs_[2].index(x[2])} * slabs_[1].size() + slabs_[1].index(x[1])) *
                             slabs_[0].size() +
                         slabs_[0].index(x[0]);
      cell_of.emplace_back(cell, i);
      ++s.first[static_cast<std::size_t>(cell) + 1];
    }
    for (std::size_t c = 1; c < s.first.size(); ++c) s.first[c] += s.first[c - 1];
    for (auto& x : s.x) x.resize(cell_of.size());
    s.group.resize(cell_of.size());
    std::vector<Index> next(s.first.begin(), s.first.end() - 1);
    for (const auto& [cell, i] : cell_of) {
      const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(cell)]++);
      const Rounded x = rounded(atoms.positions[static_cast<std::size_t>(i)]);
      for (std::size_t a = 0; a < 3; ++a) s.x[a][to] = x[a];
      s.group[to] = atoms.groups[static_cast<std::size_t>(i)];
    }
    return s;
  }

  std::vector<Slabs> slabs_;
  std::array<std::vector<std::vector<std::int32_t>>, 3> near_;
  AtomsByCell locals_, ghosts_;
};

/// The counts of one thread.
class Counter {
 public:
  Counter(const Box& box, const HistogramShape& shape)
      : box_matrix_(box.matrix(32)),
        shape_(shape),
        counts_(static_cast<std::size_t>(shape.pairs() * shape.bins)) {}

  /// Adds `weight` for each pair of atom i of `from` with the atoms [first, last) of `to`.
  void count(const AtomsByCell& from, Index i, const AtomsByCell& to, Index first, Index last,
             Index weight) {
    constexpr Index batch = 64;
    double squared[batch];
    const auto at = static_cast<std::size_t>(i);
    const std::uint32_t x = from.x[0][at], y = from.x[1][at], z = from.x[2][at];
    const double limit = shape_.r_max * shape_.r_max;
    const double bins_per_length = static_cast<double>(shape_.bins) / shape_.r_max;
    for (Index begin = first; begin < last; begin += batch) {
      const Index n = std::min(batch, last - begin);
      const std::uint32_t* const xs = to.x[0].data() + begin;
      const std::uint32_t* const ys = to.x[1].data() + begin;
      const std::uint32_t* const zs = to.x[2].data() + begin;
      for (Index k = 0; k < n; ++k) {
        const auto nx = static_cast<double>(static_cast<std::int32_t>(xs[k] - x));
        const auto ny = static_cast<double>(static_cast<std::int32_t>(ys[k] - y));
        const auto nz = static_cast<double>(static_cast<std::int32_t>(zs[k] - z));
        const double dx = box_matrix_[0] * nx + (box_matrix_[3] * ny + box_matrix_[4] * nz);
        const double dy = box_matrix_[1] * ny + box_matrix_[5] * nz;
        const double dz = box_matrix_[2] * nz;
        squared[k] = dx * dx + (dy * dy + dz * dz);
      }
      for (Index k = 0; k < n; ++k) {
        if (!(squared[k] < limit)) continue;
        const auto bin = static_cast<Index>(std::sqrt(squared[k]) * bins_per_length);
        const Index pair =
            HistogramShape::pair(from.group[at], to.group[static_cast<std::size_t>(begin + k)]);
        counts_[static_cast<std::size_t>(pair * shape_.bins + std::min(bin, shape_.bins - 1))] +=
            weight;
      }
    }
  }

  const std::vector<Index>& counts() const { return counts_; }

 private:
  std::array<double, 6> box_matrix_;  // Box::matrix() for coordinates of 32 bits
  HistogramShape shape_;
  std::vector<Index> counts_;
};

/// Counts all pairs of the locals in cell c with locals of this and later cells and with ghosts of
/// all cells.
void count_cell(const Cells& cells, Index c, std::vector<IndexRange>& ranges, Counter& counter) {
  const AtomsByCell &locals = cells.locals(), &ghosts = cells.ghosts();
  const auto start = [](const AtomsByCell& s, Index cell) {
    return s.first[static_cast<std::size_t>(cell)];
  };
  const Index first = start(locals, c), last = start(locals, c + 1);
  if (first == last) return;
  cells.near(c, ranges);
  for (const IndexRange& r : ranges) {
    const Index from = std::max(start(locals, r.first), first), to = start(locals, r.last);
    const Index ghosts_from = start(ghosts, r.first), ghosts_to = start(ghosts, r.last);
    for (Index i = first; i < last; ++i) {
      // A pair counts once for each of its two atoms: for a ghost, on the rank that owns it.
      counter.count(locals, i, locals, std::max(from, i + 1), to, 2);
      counter.count(locals, i, ghosts, ghosts_from, ghosts_to, 1);
    }
  }
}

}  // namespace

void count_pairs(ThreadPool& pool, const Box& box, const HistogramAtoms& atoms,
                 const HistogramShape& shape, std::span<Index> counts) {
  GSIM_EXPECT(static_cast<Index>(counts.size()) == shape.pairs() * shape.bins);
  if (atoms.locals == 0) return;
  const Cells cells(box, atoms, shape.r_max);
  std::vector<Counter> counters(static_cast<std::size_t>(pool.threads()), Counter(box, shape));
  constexpr Index cells_per_task = 32;
  pool.for_each((cells.size() + cells_per_task - 1) / cells_per_task, [&](Index chunk, int worker) {
    std::vector<IndexRange> ranges;
    const Index last = std::min((chunk + 1) * cells_per_task, cells.size());
    for (Index c = chunk * cells_per_task; c < last; ++c)
      count_cell(cells, c, ranges, counters[static_cast<std::size_t>(worker)]);
  });
  for (const Counter& counter : counters)
    for (std::size_t k = 0; k < counts.size(); ++k) counts[k] += counter.counts()[k];
}

}  // namespace gsim::md
