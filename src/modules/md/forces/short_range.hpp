#pragma once
// Forces between atoms that are near each other, found in lists: pair potentials (nonbonded/),
// embedded atoms (eam/) and potentials of triplets (triplet/). The simulation's loop calls, at
// every step: load_locals(), then compute_locals() while the ghosts' positions travel, then
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

  virtual std::vector<std::string> energy_names() const = 0;
  /// Largest distance of two atoms that interact; lists reach farther by the skin.
  virtual double cutoff() const = 0;
  /// Ghosts are needed this far.
  virtual double ghost_reach() const { return cutoff(); }
  virtual LargestForce largest() const = 0;
  virtual void set_quanta(const ForceQuanta& quanta) = 0;

  /// The box has another shape since the last call (a barostat); lists stay, if the skin allows.
  virtual void box_changed(const Box& box) = 0;
  /// How far lists reach beyond the cutoff, from the next rebuild() on: only that may follow. No
  /// result depends on it.
  virtual void set_skin(double skin) = 0;
  /// Rows are other ones, or have moved far: lists anew, from positions of locals and ghosts.
  virtual void rebuild(const ForceContext& context) = 0;
  /// Locals in an order in which neighbours in space are near each other, in executor memory; valid
  /// from rebuild() to the next one.
  virtual View<const std::int32_t> spatial_order() const = 0;

  /// Reads the locals' positions. False when atoms have moved so far that lists may miss pairs:
  /// then only rebuild() may follow.
  virtual bool load_locals(const ForceContext& context) = 0;
  /// The same in two steps, where lists are shortened now and then: if those of any rank are due,
  /// all ranks may shorten theirs at once, so that they wait for each other less often.
  virtual ListState read_locals(const ForceContext& context) {
    return load_locals(context) ? ListState::good : ListState::stale;
  }
  virtual void shorten_lists() {}
  /// Interactions of locals with each other.
  virtual void compute_locals(const ForceContext& context) = 0;
  /// Interactions of locals with ghosts, whose positions are there now.
  virtual void compute_ghosts(const ForceContext& context) = 0;
  /// Adds the forces since the last collect() to the locals' forces (compute_… may have done so),
  /// and where context.with_sums to `sums`, whose energies are those of energy_names().
  /// NumericalError when atoms overlapped so far that a sum may have left its range; an engine that
  /// does not wait for its device says so with the next load_locals() or check().
  virtual void collect(const ForceContext& context, ForceSums& sums) = 0;
  /// NumericalError for overlaps that nothing has reported yet.
  virtual void check() {}

  /// What forces cost with the lists of the last rebuild(), in a unit that all ranks share. Writes
  /// every local's share, in host memory: that of its pairs, of which it shares each with the other
  /// atom, wherever that is. Returns what this rank has to do: it does some pairs with ghosts whole
  /// that the ghosts' owners do again.
  virtual std::int64_t work(std::span<std::int64_t> shares) const {
    std::fill(shares.begin(), shares.end(), 1);
    return static_cast<std::int64_t>(shares.size());
  }
};

}  // namespace gsim::md
