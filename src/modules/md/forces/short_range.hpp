#pragma once
// Forces between atoms within a cutoff, found in neighbour lists: pair potentials (pair_forces/),
// embedded atoms and three-body potentials (many_body/). At every step the simulation calls
// load_locals(), then compute_locals() while the positions of ghosts are exchanged, then
// compute_ghosts() and collect().

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gsim/exec/view.hpp"
#include "kernels/md/barostats/box_on_device.hpp"
#include "src/modules/md/forces/force_term.hpp"
#include "src/modules/md/neighbour_lists/list_state.hpp"

namespace gsim::md {

/// Rows of locals that are ghosts on other ranks, in executor memory, and where their records are
/// written (ShortRange::pack_records).
struct SentRecords {
  const std::int32_t* rows = nullptr;
  Index count = 0;
  std::byte* records = nullptr;
};

/// The interface of short-range forces.
class ShortRange {
 public:
  virtual ~ShortRange() = default;

  /// The names of the contributions to the potential energy, which are columns of the thermo table.
  virtual std::vector<std::string> energy_names() const = 0;
  /// The largest distance of two interacting atoms. Lists contain pairs up to this plus the skin.
  virtual double cutoff() const = 0;
  /// Ghosts are needed within this distance of the locals.
  virtual double ghost_reach() const { return cutoff(); }
  /// The largest force and energy of one interaction, from which quanta are chosen.
  virtual LargestForce largest() const = 0;
  /// InputError if largest() is above 2^50 quanta.
  virtual void set_quanta(const ForceQuanta& quanta) = 0;
  /// The quanta of the last set_quanta(); before that, those chosen for largest() alone.
  virtual const ForceQuanta& quanta() const = 0;

  /// Sets the box after its shape has changed (by a barostat). The lists are kept.
  virtual void box_changed(const Box& box) = 0;
  /// Whether a device may change the box, and compute energies and virials for a barostat there.
  virtual bool can_use_device_box() const { return false; }
  /// Kernels read the box from executor memory from now on, and leave their sums there. Sets these
  /// sums to zero, and appends them, and what the lists expect of the box, to `forces`.
  virtual void use_device_box(const DeviceBox* /*box*/, DeviceForces& /*forces*/) {}
  /// Kernels use the box of box_changed() again.
  virtual void leave_device_box() {}
  /// Sets the skin; the next call must be rebuild(). Results do not depend on it.
  virtual void set_skin(double skin) = 0;
  /// Builds new lists from the positions of locals and ghosts, after rows have changed or atoms
  /// have moved far. load_rebuilt() must be called before forces are computed.
  virtual void rebuild(const ForceContext& context) = 0;
  /// The locals in an order that places neighbours in space near each other, from their positions
  /// at rebuild(), in executor memory; valid until the next rebuild().
  virtual View<const std::int32_t> spatial_order() = 0;
  /// The number of cluster pairs in the lists, or the capacity of full lists; for reports.
  virtual Index list_entries() const = 0;

  /// Reads the positions of the locals. Returns false if atoms have moved so far that the lists may
  /// miss pairs; the next call must then be rebuild().
  virtual bool load_locals(const ForceContext& context) = 0;
  /// load_locals() for the positions of the last rebuild().
  virtual bool load_rebuilt(const ForceContext& context) { return load_locals(context); }
  /// load_locals() in two steps, for forces whose lists are shortened at intervals: if those of any
  /// rank are due, all ranks may shorten theirs in the same step, so that they wait for each other
  /// less often.
  virtual ListState read_locals(const ForceContext& context) {
    return load_locals(context) ? ListState::good : ListState::stale;
  }
  virtual void shorten_lists() {}
  /// load_locals() in two parts, on devices, so that forces can be launched before the host has
  /// read the state of the lists. can_start_loading(): false on a host, and on a device if the
  /// lists may become stale soon and more time would be lost by forces that are computed in vain.
  /// `sent`: as pack_records().
  virtual bool can_start_loading() const { return false; }
  virtual void start_loading(const ForceContext& /*context*/, const SentRecords& /*sent*/) {}
  /// The state of the lists since start_loading(), to be called after compute_locals(); with one
  /// rank, after collect(). If the lists are stale, forces and sums since start_loading() are
  /// invalid: the next call must be rebuild(), and sums that were not collected must be collected
  /// before forces are computed again.
  virtual ListState finish_loading() { return ListState::good; }
  /// Several steps of a single rank on a device, all of whose kernels are launched before the host
  /// reads the state of the lists. can_batch_steps(): whether this is possible, and the lists are
  /// unlikely to become stale soon. load_in_batch() replaces load_locals() in each step between
  /// begin_batch() and end_batch(). If the latter returns false, the lists became stale or atoms
  /// overlapped in one of these steps, and the caller restores the atoms of the time of
  /// begin_batch().
  virtual bool can_batch_steps() const { return false; }
  virtual void begin_batch() {}
  virtual void load_in_batch(const ForceContext& /*context*/) {}
  virtual bool end_batch() { return true; }
  /// On devices ranks may send the positions of ghosts in the format that the kernels of forces
  /// read. ghost_record_bytes(): the size of a record, or 0 if this is not possible.
  /// pack_records(): writes the records of locals at their present positions, asynchronously.
  virtual Index ghost_record_bytes() const { return 0; }
  virtual void pack_records(const ForceContext& /*context*/, const SentRecords& /*sent*/) {}
  /// The next compute_ghosts() uses the records of ghosts at `records`, in the order of their rows
  /// (null: the positions at rebuild()) in place of their positions.
  virtual void use_ghost_records(const std::byte* /*records*/) {}
  /// Whether compute_locals() and compute_ghosts() replace the forces on locals by theirs, instead
  /// of adding to them.
  virtual bool replaces_forces() const { return false; }
  /// Computes the interactions of locals with each other.
  virtual void compute_locals(const ForceContext& context) = 0;
  /// Computes the interactions of locals with ghosts, whose positions have arrived.
  virtual void compute_ghosts(const ForceContext& context) = 0;
  /// Adds the forces since the last collect() to the forces of the locals (unless compute_… has
  /// done so) and, if context.with_sums, energies (in the order of energy_names()) and virial to
  /// `sums`. NumericalError if atoms overlap so much that a sum may be out of range; if forces are
  /// computed on a device, the next load_locals() or check() throws it instead.
  virtual void collect(const ForceContext& context, ForceSums& sums) = 0;
  /// NumericalError for overlaps that have not been reported yet.
  virtual void check() {}

  /// The cost of the forces with the lists of the last rebuild(), in a unit that is the same on all
  /// ranks. Writes the cost of every local, half of the cost of its pairs, to `shares` (host
  /// memory). Returns the cost of this rank, which is higher than the sum of the shares, since
  /// pairs with ghosts are computed on the ranks of both owners.
  virtual std::int64_t work(std::span<std::int64_t> shares) const {
    std::fill(shares.begin(), shares.end(), 1);
    return static_cast<std::int64_t>(shares.size());
  }
  /// An estimate of what work() returns, if it is known without looking at every atom.
  virtual std::optional<std::int64_t> estimated_work() const { return std::nullopt; }
};

}  // namespace gsim::md
