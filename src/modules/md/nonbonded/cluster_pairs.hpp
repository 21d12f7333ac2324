#pragma once
// Which atoms are near each other: clusters and cluster pair lists of one rank's atoms, and their
// positions in the integers that pair kernels compute with. What all engines over cluster pairs
// stand on: pair potentials (nonbonded.hpp), embedded atoms.

#include <bit>
#include <cstdint>
#include <vector>

#include "gsim/core/fixed_position.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/exec/executor.hpp"
#include "gsim/exec/view.hpp"
#include "src/modules/md/forces/exclusions.hpp"
#include "src/modules/md/nonbonded/pair_list.hpp"

namespace gsim::md {

enum class PairPrecision { mixed, float64 };

/// The atoms of one rank: `locals` owned ones, then ghosts.
struct PairAtoms {
  View<const FixedPosition> positions;
  Index locals = 0;
  View<const std::int32_t> types = {};  ///< empty: all of type 0
  View<const double> charges = {};      ///< empty: none
  View<const std::int64_t> ids = {};    ///< for exclusions and messages; empty: rows
};

/// Real: float computes from the high 32 bits of positions, double from the high 52 bits.
template <class Real>
class ClusterPairs {
 public:
  using Position = typename PairIntegers<Real>::Position;
  static constexpr bool mixed = sizeof(Real) == 4;

  /// InputError unless cutoff > 0, skin >= 0 and every periodic width of the box is at least twice
  /// cutoff + skin; DeviceError on a CUDA executor.
  ClusterPairs(Executor executor, const Box& box, double cutoff, double skin);

  /// The box has another shape; lists stay. NumericalError where it has become too narrow for the
  /// minimum image within the cutoff.
  void set_box(const Box& box);
  const Box& box() const { return box_; }
  const Executor& executor() const { return executor_; }

  /// Lists the pairs within cutoff + skin of the locals among themselves and with the ghosts, but
  /// for excluded ones (which need ids).
  void rebuild(const PairAtoms& atoms, const Exclusions* exclusions = nullptr);
  /// Locals in an order in which neighbours in space are near each other.
  const std::vector<std::int32_t>& order() const { return order_; }

  /// Reads the locals' positions. False when an atom has moved, or the box has shrunk, so far since
  /// rebuild() that the lists may miss pairs within the cutoff: then only rebuild() may follow.
  bool load_locals(View<const FixedPosition> positions);
  /// Reads the ghosts' positions: those behind the locals.
  void load_ghosts(View<const FixedPosition> positions);

  const Clustering& locals() const { return locals_; }
  const Clustering& ghosts() const { return ghosts_; }
  ClusterPass<Real> local_pass() const { return pass(local_list_, local_positions_, false); }
  ClusterPass<Real> ghost_pass() const { return pass(ghost_list_, ghost_positions_, true); }
  /// Cluster pairs in both lists.
  Index cluster_pairs() const { return local_list_.entries() + ghost_list_.entries(); }

  /// Calls visit(i, j) with the rows of every pair of atoms in the lists: for rare events.
  template <class Visit>
  void visit_pairs(const Visit& visit) const {
    visit_list(local_list_, locals_, visit);
    visit_list(ghost_list_, ghosts_, visit);
  }

 private:
  ClusterPass<Real> pass(const PairList& list, const std::vector<Quad<Position>>& j_positions,
                         bool ghosts) const;
  void load_types(View<const std::int32_t> types, const Clustering& clustering,
                  std::vector<Quad<Position>>& to) const;
  void exclude(const PairAtoms& atoms, const Exclusions& exclusions);

  template <class Visit>
  void visit_list(const PairList& list, const Clustering& clustering, const Visit& visit) const {
    for (const ClusterChunk& chunk : list.chunks())
      for (const ClusterRow& row : chunk.rows)
        for (Index n = row.first; n < row.last; ++n) {
          const ClusterNeighbour& near = chunk.neighbours[n];
          for (std::uint32_t mask = near.mask; mask != 0; mask &= mask - 1) {
            const int bit = std::countr_zero(mask);
            visit(locals_.atom(row.i, bit / cluster_size),
                  clustering.atom(near.j, bit % cluster_size));
          }
        }
  }

  Executor executor_;
  Box box_, listed_box_;  // now, and when the lists were made
  double cutoff_, skin_;
  Clustering locals_, ghosts_;
  PairList local_list_, ghost_list_;
  std::vector<Quad<Position>> local_positions_, ghost_positions_;
  std::vector<std::int32_t> order_;
};

extern template class ClusterPairs<float>;
extern template class ClusterPairs<double>;

/// Forces that act on locals through lists, as the workers sum them: for each worker the negative
/// sums of every cluster of locals.
template <class Force>
class Reactions {
 public:
  void reset(const Executor& executor, Index clusters);
  Quad<Force>* data() { return quads_.data(); }
  Index clusters() const { return clusters_; }
  /// Adds the forces, times 2^shift, to `forces` (x, y, z of every local) and starts again at zero.
  void collect(const Executor& executor, const Clustering& locals, View<std::int64_t> forces,
               int shift);

 private:
  std::vector<Quad<Force>> quads_;
  Index clusters_ = 0;
};

extern template class Reactions<std::int32_t>;
extern template class Reactions<std::int64_t>;

}  // namespace gsim::md
