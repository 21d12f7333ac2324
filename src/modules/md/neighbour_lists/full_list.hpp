#pragma once
// Full neighbour lists of the atoms of one rank (gsim/md/neighbour_lists/full_list.hpp), with the
// bins, position records and status flags that kernels use. Works on every executor.

#include <cstdint>
#include <span>
#include <vector>

#include "gsim/domain/box.hpp"
#include "gsim/exec/array.hpp"
#include "gsim/exec/delayed_read.hpp"
#include "gsim/exec/recorded_event.hpp"
#include "gsim/exec/transfer_buffers.hpp"
#include "gsim/md/forces/lowest_id.hpp"
#include "kernels/md/barostats/box_on_device.hpp"
#include "kernels/md/neighbour_lists/full_list_jobs.hpp"
#include "src/modules/md/forces/exclusions.hpp"
#include "src/modules/md/forces/short_range.hpp"
#include "src/modules/md/neighbour_lists/list_limits.hpp"
#include "src/modules/md/neighbour_lists/pair_atoms.hpp"

namespace gsim::md {

/// A grid for `atoms` atoms with `neighbours` neighbours each within `radius`, with at most four
/// bins for each atom.
FullListGrid make_full_list_grid(const Box& box, double radius, double neighbours, Index atoms);

/// Which atoms have a row of neighbours.
enum class ListedRows { locals, all };

/// Real: the precision of pair arithmetic, as for ClusterPairs.
template <class Real>
class FullList {
 public:
  static constexpr bool mixed = sizeof(Real) == 4;

  /// `capacity`: the initial capacity of a row. With ListedRows::all ghosts have rows, too, which
  /// follow those of the locals and contain only neighbours that are on this rank. InputError as
  /// check_list_radius().
  FullList(const Executor& executor, const Box& box, double cutoff, double skin,
           int capacity = full_list_capacity, ListedRows listed = ListedRows::locals);

  const Executor& executor() const { return executor_; }
  const Box& box() const { return box_; }
  /// See ClusterPairs::set_box().
  void set_box(const Box& box);
  /// The box in executor memory that kernels use in place of box(), because a device changes it;
  /// null: none. rebuild() may be called only with null.
  void use_device_box(const DeviceBox* box) { device_box_ = box; }
  /// Sets what the lists expect of such a box.
  void set_limits(DeviceForces& forces) const;
  /// Sets the skin; the next call must be rebuild().
  void set_skin(double skin) { skin_ = skin; }

  /// Lists the pairs within cutoff + skin, except excluded ones, and reads the positions. The
  /// capacity of rows grows if needed.
  void rebuild(const PairAtoms& atoms, const Exclusions* exclusions);
  /// The locals in an order that places neighbours in space near each other, from their positions
  /// at rebuild(), in executor memory; valid until the next rebuild().
  View<const std::int32_t> spatial_order();

  /// Reads the positions of the locals and the status flags of kernels. Returns false if an atom
  /// has moved, or the box has shrunk, so far since rebuild() that the lists may miss pairs.
  bool load_locals(View<const FixedPosition> positions);
  /// load_locals() in two parts, so that the host need not wait for kernels that are launched
  /// between them. If the result of the second one is false, what these kernels have computed is
  /// invalid, and their status flags have been cleared. The first part also writes the records of
  /// rows that are sent to other ranks, as pack_records().
  void start_loading(View<const FixedPosition> positions, const SentRecords& sent = {});
  bool finish_loading();
  /// Whether kernels can usefully be launched before finish_loading(): on a device, as long as
  /// can_batch_steps(); longer where forces that are computed in vain cost less than the waits of
  /// the last steps before a rebuild, each of which takes as long as the forces of 20,000 atoms.
  bool can_start_loading() const {
    constexpr Index most_in_vain = Index{1} << 16;
    return executor().is_cuda() && (status_.age == list_is_new || locals() <= most_in_vain);
  }
  /// Whether steps can be launched in batches: on a device, unless an atom had moved by three
  /// quarters of the allowed distance when the status was last read, so that the lists may become
  /// stale within a few steps.
  bool can_batch_steps() const { return executor().is_cuda() && status_.age == list_is_new; }
  /// Several steps whose kernels are all launched before the host reads the status: load_in_batch()
  /// in each step between begin_batch() and end_batch(). If the latter returns false, the lists
  /// became stale or atoms overlapped in one of the steps; the status flags are then those at
  /// begin_batch().
  void begin_batch();
  void load_in_batch(View<const FixedPosition> positions);
  bool end_batch();
  /// Reads the positions of ghosts, unless use_ghost_records() was called before.
  void load_ghosts(View<const FixedPosition> positions);
  /// Writes the records of rows that are sent to other ranks; asynchronous on a device.
  void pack_records(View<const FixedPosition> positions, const SentRecords& sent);
  /// As ShortRange::use_ghost_records().
  void use_ghost_records(const std::byte* records);
  /// As ShortRange::ghost_record_bytes().
  Index ghost_record_bytes() const {
    return listed_ == ListedRows::locals ? sizeof(PairRecord<Real>) : 0;
  }
  /// The lowest id of the atoms that kernels found too close to another one since the last call, or
  /// no_particle.
  std::uint64_t pop_overlap();
  /// Reads the status flags; waits for the kernels of the executor.
  void read_status();

  Index locals() const { return atoms_.locals; }
  Index ghosts() const { return atoms_.positions.size - atoms_.locals; }
  /// The number of atoms that have a row.
  Index listed() const { return listed_ == ListedRows::all ? atoms_.positions.size : locals(); }
  /// The capacity of a row.
  int capacity() const { return capacity_; }
  /// The work of the locals for load balancing: the number of neighbours, and a constant. `shares`
  /// receives that of each local; returns the sum.
  std::int64_t work(std::span<std::int64_t> shares) const;
  /// The work of the locals, from the mean length of the rows.
  std::int64_t estimated_work() const;
  /// Executor memory in use, in bytes.
  std::size_t memory() const;
  /// The arguments that all passes over local or ghost neighbours have in common.
  FullListPass<Real> pass(bool ghosts);

 private:
  /// Rows and records sorted by bin, and the place of each row within its bin (BinningJob).
  struct Bins {
    explicit Bins(const Executor& executor)
        : first(executor, 0),
          next(executor, 0),
          rows(executor, 0),
          places(executor, 0),
          records(executor, 0) {}
    Array<std::int32_t> first, next, rows, places;  // next: `first` of the next search
    bool is_next_cleared = false;                   // kernels that were launched set `next` to 0
    Array<PairRecord<float>> records;
  };
  PositionsAndTypes atoms_at(View<const FixedPosition> positions) const;
  /// Writes the position records of the locals, and of rows that are sent, and records atoms that
  /// have moved too far since rebuild() in status and flags.
  void load(View<const FixedPosition> positions, const SentRecords& sent);
  static void set_sent(PackJob<Real>& job, const SentRecords& sent);
  FullListGrid grid_for(Index count) const;
  /// Writes the position records of rows [0, count), copies them into reference_, from which
  /// displacements are measured, and counts them in the bins of `grid`.
  BinningJob count_in_bins(const FullListGrid& grid, Index count);
  /// Sorts the records or the rows of `binning` by bin (BinFillJob).
  void fill(const BinningJob& binning, PairRecord<float>* records, std::int32_t* rows);
  /// Lists the neighbours of all rows from the bins.
  void search(const FullListGrid& grid, const Exclusions* exclusions);
  NeighbourRows rows();
  /// The mean length of a row at the last search; before that, as in a system of uniform density.
  double mean_neighbours() const;
  void write_status(const FullListStatus& status);
  /// Sets the flags to those of `status`. No launch that writes them may be active.
  void set_flags(const FullListStatus& status);

  Executor executor_;
  Box box_, listed_box_;  // now, and when the lists were made
  const DeviceBox* device_box_ = nullptr;
  double cutoff_, skin_;
  int capacity_;
  ListedRows listed_;
  PairAtoms atoms_;
  Array<PairRecord<Real>> records_;
  Array<PairRecord<float>> reference_;                 // positions when the lists were made
  const PairRecord<Real>* received_ghosts_ = nullptr;  // records of ghosts; null: in records_
  bool are_ghosts_loaded_ = false;                     // the next load_ghosts() does nothing
  Bins bins_;
  Array<std::int32_t> entries_, counts_;
  Array<FullListStatus> device_status_;
  Array<FullListStatus> status_before_;  // at begin_batch()
  FullListStatus status_{no_particle, list_is_new, 0, 0};
  bool has_invalid_overlap_ = false;  // kernels may have found overlaps from lists that are stale
  double found_neighbours_ = -1;      // mean length of a row at the last search; -1: there was none
  DelayedRead status_read_;
  PinnedBuffer flags_memory_;
  FullListFlags* flags_;  // in flags_memory_
  RecordedEvent loaded_;  // of start_loading()
};

extern template class FullList<float>;
extern template class FullList<double>;

}  // namespace gsim::md
