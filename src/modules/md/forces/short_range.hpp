#pragma once
// Forces between atoms within a cutoff, found in neighbour lists: pair potentials (pair_forces/),
// embedded atoms and three-body potentials (many_body/). At every step the simulation calls
// load_locals(), then compute_locals() while the ghosts' positions are being exchanged, then
// compute_ghosts() and collect().

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gsim/exec/view.hpp"
#include "src/modules/md/forces/force_term.hpp"
#include "src/modules/md/neighbour_lists/list_state.hpp"

namespace gsim::md {

class ShortRange {
 public:
  virtual ~ShortRange() = default;

  /// The parts of the potential energy, as columns of the thermo table.
  virtual std::vector<std::string> energy_names() const = 0;
  /// Largest distance of two atoms that interact; lists reach farther by the skin.
  virtual double cutoff() const = 0;
  /// Ghosts are needed within this distance of the locals.
  virtual double ghost_reach() const { return cutoff(); }
  virtual LargestForce largest() const = 0;
  /// InputError where largest() is above 2^50 of them.
  virtual void set_quanta(const ForceQuanta& quanta) = 0;
  /// Those of the last set_quanta(); at first those that suit largest() alone.
  virtual const ForceQuanta& quanta() const = 0;

  /// Sets the box after its shape has changed (by a barostat). Lists stay, if the skin allows.
  virtual void box_changed(const Box& box) = 0;
  /// Sets how far lists reach beyond the cutoff, from the next rebuild() on: only that may follow.
  /// No result depends on it.
  virtual void set_skin(double skin) = 0;
  /// Makes new lists from the positions of locals and ghosts, after rows have changed or atoms have
  /// moved far.
  virtual void rebuild(const ForceContext& context) = 0;
  /// Locals in an order in which neighbours in space are near each other, in executor memory; valid
  /// from rebuild() to the next one.
  virtual View<const std::int32_t> spatial_order() const = 0;
  /// Cluster pairs in the lists, or the neighbours that full lists have room for: for reports.
  virtual Index list_entries() const = 0;

  /// Reads the locals' positions. False when atoms have moved so far that lists may miss pairs:
  /// then only rebuild() may follow.
  virtual bool load_locals(const ForceContext& context) = 0;
  /// The same in two steps, where lists are shortened from time to time: if those of any rank are
  /// due, all ranks may shorten theirs at once, so that they wait for each other less often.
  virtual ListState read_locals(const ForceContext& context) {
    return load_locals(context) ? ListState::good : ListState::stale;
  }
  virtual void shorten_lists() {}
  /// Computes the interactions of locals with each other.
  virtual void compute_locals(const ForceContext& context) = 0;
  /// Computes the interactions of locals with ghosts, whose positions have arrived.
  virtual void compute_ghosts(const ForceContext& context) = 0;
  /// Adds the forces since the last collect() to the locals' forces (compute_… may have done so),
  /// and where context.with_sums to `sums`, whose energies are those of energy_names().
  /// NumericalError when atoms overlapped so far that a sum may have left its range; where forces
  /// are computed on a device, the next load_locals() or check() throws it instead.
  virtual void collect(const ForceContext& context, ForceSums& sums) = 0;
  /// NumericalError for overlaps that have not been reported yet.
  virtual void check() {}

  /// The cost of the forces with the lists of the last rebuild(), in a unit that is the same on all
  /// ranks. Writes the share of every local to `shares` (one entry a local, in host memory), where
  /// each of two interacting atoms has half of their pair. Returns the cost for this rank, which is
  /// higher than the sum of the shares: some pairs with ghosts are computed on both owners' ranks.
  virtual std::int64_t work(std::span<std::int64_t> shares) const {
    std::fill(shares.begin(), shares.end(), 1);
    return static_cast<std::int64_t>(shares.size());
  }
};

}  // namespace gsim::md
