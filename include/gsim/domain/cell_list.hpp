#pragma once
// Cell lists: local particles and ghosts sorted into cells, for neighbour searches in linear time;
// and reordering of particles by cells or by keys.

#include "gsim/domain/box.hpp"
#include "gsim/domain/particle_store.hpp"
#include "gsim/exec/array.hpp"
#include "gsim/exec/cell_grid.hpp"

namespace gsim {

class CellList {
 public:
  /// Creates cell lists for neighbours within the distance `reach` > 0. InputError if `reach` is
  /// not positive, or if a periodic axis of `box` is narrower than twice `reach`
  /// (check_halo_width).
  CellList(const Executor& executor, const Box& box, double reach);

  /// Sorts locals and ghosts by cell, on the executor of the store. Must be called again when
  /// positions, rows or ghosts have changed. The ghosts must cover the distance `reach`
  /// (HaloPlan::build with a width of at least `reach`).
  void build(ParticleStore& store);
  /// The view for kernels; valid until the next build() or sort().
  CellListView view() const;
  double reach() const { return reach_; }
  /// Executor memory in bytes.
  std::size_t memory() const;

  /// Reorders the locals by bin (CellGrid), and by id within a bin, so that particles near each
  /// other in space are near each other in memory. Ghosts are removed (ParticleStore::permute), and
  /// build() must be called again.
  void sort(ParticleStore& store);

 private:
  void bin_rows(ParticleStore& store, Index count);

  Box box_;
  double reach_;
  CellGrid grid_;
  Array<std::int32_t> first_, rows_;  // CellListView::first and rows
  Array<std::int32_t> places_;        // BinCountArgs::places
  const FixedPosition* positions_ = nullptr;
};

/// The cell grid of `box` for neighbours within the distance `reach`, which are in the same or in
/// adjacent cells. `rows` is the number of particles: there are at most about two bins per
/// particle. The cells do not depend on `rows`.
CellGrid make_cell_grid(const Box& box, double reach, Index rows);

/// Reorders the locals by the integer column `key`, ascending, and by id where keys are equal.
/// Sorted on the host, also for particles on a device. Ghosts are removed. InputError for a column
/// of another type or with several components.
void sort_by_key(ParticleStore& store, ColumnId key);

}  // namespace gsim
