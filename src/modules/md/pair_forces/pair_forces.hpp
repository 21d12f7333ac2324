#pragma once
// Forces of pair potentials, in sums of integers that do not depend on lists, threads, vector
// lengths or ranks. Two classes implement them with the same integers: over cluster pair lists on
// the host (cluster_pair_forces.hpp), and over full neighbour lists on any executor
// (full_list_pair_forces.hpp).
//
// In mixed precision a pair's force is rounded to 2^-28 of the largest one that is allowed for; in
// double precision to the run's common quantum.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/modules/md/forces/exclusions.hpp"
#include "src/modules/md/forces/short_range.hpp"
#include "src/modules/md/neighbour_lists/pair_atoms.hpp"
#include "src/modules/md/pair_potentials/pair_table.hpp"

namespace gsim::md {

struct PairForceOptions {
  double skin = 0.3;
  PairPrecision precision = PairPrecision::mixed;
  double largest_charge = 0;  ///< the largest |charge| of any atom of the system
  /// The id of an atom in messages, from its id in the run; none: the latter.
  std::function<Index(Index)> id_of = {};
};

class PairForces : public ShortRange {
 public:
  /// Sets the pairs that lists leave out. They are read at every rebuild() and must live as long as
  /// this.
  void use_exclusions(const Exclusions* exclusions) { exclusions_ = exclusions; }
  /// Adds the long-range corrections of potentials for systems of counts[t] atoms of type t: the
  /// energy "tail", and its pressure. To be called before the run.
  void add_tail(TailFunction tail, std::vector<Index> counts);

  /// "pair", "coulomb" where there are potentials between charges, "tail" where it was added.
  std::vector<std::string> energy_names() const final;
  void rebuild(const ForceContext& context) final;
  bool load_locals(const ForceContext& context) final;
  ListState read_locals(const ForceContext& context) final;
  void compute_locals(const ForceContext& context) final;
  void compute_ghosts(const ForceContext& context) final;
  void collect(const ForceContext& context, ForceSums& sums) final;

  // The same for atoms in plain arrays of executor memory (x, y, z of every local in `forces`).

  /// Lists the pairs of `atoms`, which must stay where they are until the next call.
  virtual void list_pairs(const PairAtoms& atoms, const Exclusions* exclusions) = 0;
  /// As read_locals().
  virtual ListState read_positions(View<const FixedPosition> positions) = 0;
  /// As load_locals().
  bool load_positions(View<const FixedPosition> positions);
  /// Computes the pairs of locals; `forces` are those of the collect_forces() that follows, and may
  /// be added to at once.
  virtual void compute_local_pairs(View<std::int64_t> forces, bool with_sums) = 0;
  /// Computes the pairs of locals and ghosts.
  virtual void compute_ghost_pairs(View<const FixedPosition> positions, View<std::int64_t> forces,
                                   bool with_sums) = 0;
  /// Adds the forces since the last call to `forces`, in force quanta, and energies and virial to
  /// `sums`. NumericalError as collect().
  virtual void collect_forces(View<std::int64_t> forces, ForceSums& sums) = 0;

 protected:
  /// `has_charges`: some potentials act between charges.
  explicit PairForces(bool has_charges) : has_charges_(has_charges) {}

 private:
  std::size_t table_energies() const { return has_charges_ ? 2 : 1; }

  bool has_charges_;
  const Exclusions* exclusions_ = nullptr;
  std::optional<TailFunction> tail_;
  std::vector<Index> counts_;
};

/// Full neighbour lists on a CUDA executor, cluster pair lists on the host. InputError for
/// potentials that PairFunction or PairPass refuse, and as check_list_radius().
std::unique_ptr<PairForces> make_pair_forces(const Executor& executor, const Box& box,
                                             const PairTable& table,
                                             const PairForceOptions& options);

}  // namespace gsim::md
