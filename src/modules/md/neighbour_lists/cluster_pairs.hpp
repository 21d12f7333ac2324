#pragma once
// Cluster pair lists of one rank's atoms, and the atoms' positions in the integers that pair
// kernels compute with. Pair potentials and embedded atoms on the host are computed over them.

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

/// Real: with float positions have their high 32 bits, with double their high 52 bits.
template <class Real>
class ClusterPairs {
 public:
  using Position = typename PairIntegers<Real>::Position;
  static constexpr bool mixed = sizeof(Real) == 4;

  /// InputError unless cutoff > 0, skin >= 0 and every periodic width of the box is at least twice
  /// cutoff + skin; DeviceError on a CUDA executor.
  ClusterPairs(Executor executor, const Box& box, double cutoff, double skin);

  /// Sets the box after its shape has changed; lists stay. NumericalError where it has become too
  /// narrow for the minimum image within the cutoff.
  void set_box(const Box& box);
  /// Sets the skin of the next rebuild(), and only that may follow.
  void set_skin(double skin) { skin_ = skin; }
  const Box& box() const { return box_; }
  const Executor& executor() const { return executor_; }

  /// Lists the pairs within cutoff + skin of the locals among themselves and with the ghosts,
  /// except excluded ones (which need ids). The lists of kernels are shortened from these from time
  /// to time.
  void rebuild(const PairAtoms& atoms, const Exclusions* exclusions = nullptr);
  /// The locals in an order in which neighbours in space are near each other.
  const std::vector<std::int32_t>& order() const { return order_; }

  /// Reads the locals' positions. False when an atom has moved, or the box has shrunk, so far since
  /// rebuild() that the lists may miss pairs within the cutoff, or would at the next step: then
  /// only rebuild() may follow.
  bool load_locals(View<const FixedPosition> positions);
  /// The same in two steps: after `due`, shorten_lists() must follow, and after `good` it may.
  ListState read_locals(View<const FixedPosition> positions);
  void shorten_lists();
  /// Reads the ghosts' positions, which follow those of locals. Whether lists are valid for them is
  /// the result of load_locals() on their owners' ranks.
  void load_ghosts(View<const FixedPosition> positions);

  const Clustering& locals() const { return locals_.clusters; }
  const Clustering& ghosts() const { return ghosts_.clusters; }
  /// Lists of all pairs within the cutoff, and more: those of rebuild() until positions are read,
  /// then the shortened ones.
  ClusterPass<Real> local_pass() const { return pass(local_list_, locals_, false); }
  ClusterPass<Real> ghost_pass() const { return pass(ghost_list_, ghosts_, true); }
  /// The number of cluster pairs in both lists.
  Index cluster_pairs() const {
    return PairList::entries(local_list_.near()) + PairList::entries(ghost_list_.near());
  }

  /// As ShortRange::work(): cluster pairs that rebuild() listed, and a constant for each atom.
  std::int64_t work(std::span<std::int64_t> shares) const;

  /// Calls visit(i, j) with the rows of every pair of atoms that rebuild() listed (slow: for
  /// messages).
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
    std::vector<Quad<std::uint32_t>> marked;  ///< positions when lists were shortened
  };
  void start(const GridShape& shape, const PairAtoms& atoms, IndexRange rows, Atoms& to) const;
  double load(View<const FixedPosition> positions, Atoms& atoms);
  double mark(Atoms& atoms);
  template <class Job>
  double farthest(const Atoms& atoms, const Box& box, Job job);
  bool mark_locals();
  void shorten(PairList& list, const Atoms& j, double j_reach) const;
  double room_from(double moved) const;
  ClusterPass<Real> pass(const PairList& list, const Atoms& j, bool ghosts) const;
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

  // Lists reach skin_ beyond the cutoff at the positions of rebuild(), in listed_box_; the
  // shortened ones 2 reach_ (with ghosts reach_ + ghost_reach_) at the `marked` positions, in
  // marked_box_. If a pair within the cutoff c were not in the short list, one of its atoms would
  // have moved by more than its reach since, or by what is left of it where the box has shrunk
  // (allowed_move). And lists are shortened only where no atom can move too far from its position
  // of rebuild() before the next check: with s for the shrinkage from listed_box_ and an atom at a
  // distance d from that position, while d + s reach_ <= (c + skin_ - s c) / 2. So the long lists
  // are valid, too, as long as load_locals() has been true on all ranks.
  Executor executor_;
  Box box_, listed_box_, marked_box_;
  double cutoff_, skin_, reach_ = 0, ghost_reach_ = 0, cluster_edge_ = 0;
  ListSchedule schedule_;
  bool is_new_ = true, ghosts_due_ = false, locals_due_ = false;
  bool is_marked_ = false;  // `marked` positions are the current ones, with room_ to move
  double room_ = 0;
  Atoms locals_, ghosts_;
  PairList local_list_, ghost_list_;
  std::vector<std::int32_t> order_;
  std::vector<float> largest2_;  // by worker
};

extern template class ClusterPairs<float>;
extern template class ClusterPairs<double>;

/// Forces on locals in the order of clusters: for each worker the negative sums of every cluster of
/// locals.
template <class Force>
class Reactions {
 public:
  void reset(const Executor& executor, Index clusters);
  Quad<Force>* data() { return quads_.data(); }
  Index clusters() const { return clusters_; }
  /// Adds the forces, times 2^shift, to `forces` (x, y, z of every local) and sets the sums to
  /// zero.
  void collect(const Executor& executor, const Clustering& locals, View<std::int64_t> forces,
               int shift);

 private:
  std::vector<Quad<Force>> quads_;
  Index clusters_ = 0;
};

extern template class Reactions<std::int32_t>;
extern template class Reactions<std::int64_t>;

}  // namespace gsim::md
