#pragma once
// Cell lists: the particles of a rank, and its ghosts, sorted into cells, so that neighbours are
// found without a look at every particle; and particles in the order of cells or of keys.

#include "gsim/domain/box.hpp"
#include "gsim/domain/particle_store.hpp"
#include "gsim/exec/array.hpp"
#include "gsim/exec/cell_grid.hpp"

namespace gsim {

class CellList {
 public:
  /// Lists for neighbours up to `reach` > 0 apart. InputError when `reach` is not positive, or a
  /// periodic axis of `box` is narrower than twice `reach` (check_halo_width).
  CellList(const Executor& executor, const Box& box, double reach);

  /// Sorts locals and ghosts by cell, on the store's executor. To be called again when positions,
  /// rows or ghosts have changed. For neighbours across bricks the ghosts must reach as far
  /// (HaloPlan::build with a width of at least `reach`).
  void build(ParticleStore& store);
  /// What kernels take; valid until the next build() or sort().
  CellListView view() const;
  double reach() const { return reach_; }
  /// Bytes of executor memory held.
  std::size_t memory() const;

  /// Puts the locals into the order of their cells, by id within a bin: neighbours in space become
  /// neighbours in memory. Ghosts go (ParticleStore::permute), and the list is to be built anew.
  void sort(ParticleStore& store);

 private:
  void bin_rows(ParticleStore& store, Index count);

  Box box_;
  double reach_;
  CellGrid grid_;
  Array<std::int32_t> first_, rows_, places_, scratch_;
  const FixedPosition* positions_ = nullptr;
};

/// The cells of `box` for neighbours up to `reach` apart, which are in the same or in adjacent
/// cells; at most about two bins for each of `rows` particles. Cells do not depend on `rows`.
CellGrid make_cell_grid(const Box& box, double reach, Index rows);

/// Puts the locals into ascending order of the column `key` (one integer a particle), and of ids
/// where keys are equal. The order is found on the host, also for a device's particles. Ghosts go.
/// InputError for a column of another type or of several components.
void sort_by_key(ParticleStore& store, ColumnId key);

}  // namespace gsim
