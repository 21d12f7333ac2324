#pragma once
// Cluster pair lists of the atoms of one rank, and their positions as the integers that pair
// kernels read. On the host, pair potentials and the embedded-atom method are computed over these
// lists.

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "gsim/domain/box.hpp"
#include "gsim/exec/executor.hpp"
#include "src/modules/md/forces/exclusions.hpp"
#include "src/modules/md/neighbour_lists/list_schedule.hpp"
#include "src/modules/md/neighbour_lists/list_state.hpp"
#include "src/modules/md/neighbour_lists/pair_atoms.hpp"
#include "src/modules/md/neighbour_lists/pair_list.hpp"

namespace gsim::md {

/// Real: float (positions are rounded to 32 bits) or double (52 bits).
template <class Real>
class ClusterPairs {
 public:
  using Position = typename PairIntegers<Real>::Position;
  static constexpr bool mixed = sizeof(Real) == 4;

  /// InputError unless cutoff > 0, skin >= 0 and every periodic width of the box is at least twice
  /// cutoff + skin; DeviceError on a CUDA executor.
  ClusterPairs(Executor executor, const Box& box, double cutoff, double skin);

  /// Sets the box after its shape has changed; the lists are kept. NumericalError if it has become
  /// too narrow for the minimum image within the cutoff.
  void set_box(const Box& box);
  /// Sets the skin; the next call must be rebuild().
  void set_skin(double skin) { skin_ = skin; }
  const Box& box() const { return box_; }
  const Executor& executor() const { return executor_; }

  /// Lists the pairs within cutoff + skin of locals with locals and of locals with ghosts, except
  /// the excluded ones (which need ids). Kernels use shorter lists, which are made from these at
  /// intervals.
  void rebuild(const PairAtoms& atoms, const Exclusions* exclusions = nullptr);
  /// The locals in an order that places neighbours in space near each other in memory.
  const std::vector<std::int32_t>& order() const { return order_; }

  /// Reads the positions of the locals. Returns false if an atom has moved, or the box has shrunk,
  /// so far since rebuild() that the lists may miss pairs within the cutoff now or at the next
  /// step; the next call must then be rebuild().
  bool load_locals(View<const FixedPosition> positions);
  /// load_locals() in two steps: shorten_lists() must be called if read_locals() returns `due`, and
  /// may be called if it returns `good`.
  ListState read_locals(View<const FixedPosition> positions);
  void shorten_lists();
  /// Reads the positions of the ghosts, which follow those of the locals. The lists are valid for
  /// the ghosts if load_locals() has returned true on the ranks that own them.
  void load_ghosts(View<const FixedPosition> positions);

  const Clustering& locals() const { return locals_.clusters; }
  const Clustering& ghosts() const { return ghosts_.clusters; }
  /// Lists that contain all pairs within the cutoff: the shortened lists, or those of rebuild()
  /// until positions have been read.
  ClusterPass<Real> local_pass() const { return pass(local_list_, locals_, false); }
  ClusterPass<Real> ghost_pass() const { return pass(ghost_list_, ghosts_, true); }
  /// The number of cluster pairs in both lists.
  Index cluster_pairs() const {
    return PairList::entries(local_list_.near()) + PairList::entries(ghost_list_.near());
  }

  /// The work of the atoms for load balancing: the cluster pairs of rebuild(), and a constant for
  /// each atom. `shares` receives that of each local; returns the sum.
  std::int64_t work(std::span<std::int64_t> shares) const;

  /// Calls visit(i, j) with the rows of every pair of atoms that rebuild() listed. Slow; used for
  /// messages only.
  template <class Visit>
  void visit_pairs(const Visit& visit) const {
    visit_list(local_list_.all(), locals(), visit);
    visit_list(ghost_list_.all(), ghosts(), visit);
  }

 private:
  /// Locals or ghosts.
  struct Atoms {
    Clustering clusters;
    std::vector<Quad<Position>> positions;
    std::vector<Quad<std::uint32_t>> recorded;  ///< positions for which the short lists are
  };
  /// Divides the atoms of `rows` into clusters.
  void assign_clusters(const GridShape& shape, const PairAtoms& atoms, IndexRange rows,
                       Atoms& to) const;
  /// Reads positions. Returns the largest distance of an atom from its `recorded` position.
  double load(View<const FixedPosition> positions, Atoms& atoms);
  /// Stores the current positions as the `recorded` ones. Returns the largest distance of an atom
  /// from its position of rebuild().
  double record_positions(Atoms& atoms);
  /// Runs a job over all clusters; returns the largest displacement of an atom, measured in `box`.
  template <class Job>
  double largest_displacement(const Atoms& atoms, const Box& box, Job job);
  /// Records the positions of the locals. Returns whether the long lists are valid now and at the
  /// next step.
  bool record_locals();
  /// Shortens a list to the pairs of locals with `j` that are within cutoff + reach_ + j_reach, if
  /// this saves time; otherwise the long list is used.
  void shorten(PairList& list, const Atoms& j, double j_reach) const;
  /// The distance by which atoms may still move before the long lists are invalid, if one has moved
  /// by `moved` since rebuild().
  double remaining_distance(double moved) const;
  ClusterPass<Real> pass(const PairList& list, const Atoms& j, bool ghosts) const;
  /// Removes the excluded pairs from both lists.
  void exclude(const PairAtoms& atoms, const Exclusions& exclusions);

  template <class Visit>
  void visit_list(View<const ClusterChunk> list, const Clustering& clustering,
                  const Visit& visit) const {
    for (const ClusterChunk& chunk : list)
      for (const ClusterRow& row : chunk.rows)
        for (Index n = row.first; n < row.last; ++n) {
          const ClusterNeighbour& near = chunk.neighbours[n];
          for (std::uint32_t mask = near.mask; mask != 0; mask &= mask - 1) {
            const int bit = std::countr_zero(mask);
            visit(locals().atom(row.i, bit / cluster_size),
                  clustering.atom(near.j, bit % cluster_size));
          }
        }
  }

  // The long lists contain the pairs within cutoff + skin_ at the positions of rebuild(), in
  // listed_box_. The shortened lists contain those within cutoff + 2 reach_ (for ghosts cutoff +
  // reach_ + ghost_reach_) at the `recorded` positions, in short_list_box_. A pair within the
  // cutoff c can be missing in the short list only if one of its atoms has moved by more than its
  // reach since, or less in a box that has shrunk (allowed_move). Lists are shortened only if no
  // atom can move too far from its position of rebuild() before the next check: for an atom at the
  // distance d from that position, and s the shrinkage from listed_box_, if d + s reach_ <= (c +
  // skin_ - s c) / 2. The long lists are therefore valid as long as load_locals() has returned true
  // on all ranks.
  Executor executor_;
  Box box_, listed_box_, short_list_box_;
  double cutoff_, skin_, reach_ = 0, ghost_reach_ = 0, cluster_edge_ = 0;
  ListSchedule schedule_;
  bool is_new_ = true;  // no list has been shortened since rebuild()
  // Whether the lists with ghosts must be shortened by the next load_ghosts(), and those of locals
  // after the next read_locals().
  bool ghosts_due_ = false, locals_due_ = false;
  // locals_.recorded holds the current positions, and remaining_distance_ is valid.
  bool locals_recorded_ = false;
  double remaining_distance_ = 0;
  Atoms locals_, ghosts_;
  PairList local_list_, ghost_list_;
  std::vector<std::int32_t> order_;
  std::vector<float> largest2_;  // largest squared displacement, by thread
};

extern template class ClusterPairs<float>;
extern template class ClusterPairs<double>;

/// Forces on the locals, in the order of clusters: each thread subtracts the forces that it
/// computes from an array of its own, which has an element for every atom of every cluster.
template <class Force>
class Reactions {
 public:
  void reset(const Executor& executor, Index clusters);
  Quad<Force>* data() { return quads_.data(); }
  Index clusters() const { return clusters_; }
  /// Adds the forces of all threads, times 2^shift, to `forces` (x, y, z of every local) and sets
  /// the arrays to zero.
  void collect(const Executor& executor, const Clustering& locals, View<std::int64_t> forces,
               int shift);

 private:
  std::vector<Quad<Force>> quads_;
  Index clusters_ = 0;
};

extern template class Reactions<std::int32_t>;
extern template class Reactions<std::int64_t>;

}  // namespace gsim::md
