#pragma once
// Forces of pair potentials, as sums of integers, which do not depend on the lists, the number of
// threads and ranks, or the length of vector registers. Two classes implement them with the same
// integers: over cluster pair lists on the host (cluster_pair_forces.hpp), and over full neighbour
// lists on any executor (full_list_pair_forces.hpp).
//
// In mixed precision the force of a pair is rounded to 2^-28 of the largest force that is allowed,
// in double precision to the force quantum of the run.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gsim/exec/array.hpp"
#include "src/modules/md/forces/exclusions.hpp"
#include "src/modules/md/forces/short_range.hpp"
#include "src/modules/md/neighbour_lists/pair_atoms.hpp"
#include "src/modules/md/pair_potentials/pair_table.hpp"

namespace gsim::md {

struct PairForceOptions {
  double skin = 0.3;
  PairPrecision precision = PairPrecision::mixed;
  double largest_charge = 0;  ///< the largest |charge| of any atom of the system
  /// Converts the id of an atom in the run to the id that messages print; empty: the same id.
  std::function<Index(Index)> id_of = {};
};

class PairForces : public ShortRange {
 public:
  /// Sets the excluded pairs. They are read at every rebuild() and must stay valid as long as this
  /// object.
  void use_exclusions(const Exclusions* exclusions) { exclusions_ = exclusions; }
  /// Adds the long-range corrections of potentials for systems of counts[t] atoms of type t: the
  /// energy "tail", and its pressure. Must be called before the run.
  void add_tail(TailFunction tail, std::vector<Index> counts);

  /// "pair"; "coulomb" if there are potentials between charges; "tail" after add_tail().
  std::vector<std::string> energy_names() const final;
  void rebuild(const ForceContext& context) final;
  bool load_locals(const ForceContext& context) final;
  ListState read_locals(const ForceContext& context) final;
  void compute_locals(const ForceContext& context) final;
  void compute_ghosts(const ForceContext& context) final;
  void collect(const ForceContext& context, ForceSums& sums) final;

  // The functions above for atoms in arrays of executor memory. `forces`: x, y, z of every local.
  // `with_sums`: energies and virial are computed, too.

  /// Builds the lists of the pairs of `atoms`. The arrays must stay valid until the next call.
  virtual void list_pairs(const PairAtoms& atoms, const Exclusions* exclusions) = 0;
  /// As read_locals().
  virtual ListState read_positions(View<const FixedPosition> positions) = 0;
  /// As load_locals().
  bool load_positions(View<const FixedPosition> positions);
  /// Computes the pairs of locals with locals. Forces are added to `forces` here or in
  /// collect_forces(), which must be called with the same `forces`.
  virtual void compute_local_pairs(View<std::int64_t> forces, bool with_sums) = 0;
  /// As above, but replaces `forces`; called only if replaces_forces().
  virtual void replace_by_local_pairs(View<std::int64_t> forces, bool with_sums) {
    compute_local_pairs(forces, with_sums);
  }
  /// Computes the pairs of locals with ghosts, after the pairs of locals.
  virtual void compute_ghost_pairs(View<const FixedPosition> positions, View<std::int64_t> forces,
                                   bool with_sums) = 0;
  /// Adds the forces since the last call to `forces`, in force quanta, and energies and virial to
  /// `sums`. NumericalError as collect().
  virtual void collect_forces(View<std::int64_t> forces, ForceSums& sums) = 0;

 protected:
  /// `has_charges`: some potentials act between charges.
  explicit PairForces(bool has_charges) : has_charges_(has_charges) {}
  /// Copies what the tail correction needs to executor memory.
  void set_device_tail(const Executor& executor, DeviceTail& tail);

 private:
  /// The number of energies of the table of potentials: pairs, and charges if there are any.
  std::size_t table_energies() const { return has_charges_ ? 2 : 1; }

  bool has_charges_;
  const Exclusions* exclusions_ = nullptr;
  std::optional<TailFunction> tail_;
  std::optional<Array<double>> device_tail_;  // numbers of pairs, then integrals of the pressure
  std::vector<Index> counts_;
};

/// Pair forces over full neighbour lists on a CUDA executor, over cluster pair lists on the host.
/// InputError for potentials that PairFunction or PairPass refuse, and as check_list_radius().
std::unique_ptr<PairForces> make_pair_forces(const Executor& executor, const Box& box,
                                             const PairTable& table,
                                             const PairForceOptions& options);

}  // namespace gsim::md
