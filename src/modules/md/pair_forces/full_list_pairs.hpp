#pragma once
// Forces between atoms that are near each other, over full neighbour lists: the engine of a GPU.
// The same integers as Nonbonded gives, on every executor.
//
// Forces go straight into the atoms' sums. Whether atoms overlap stands in a word in executor
// memory, which is read with the next load_locals(), so that a step waits for the device once.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "src/modules/md/neighbour_lists/list_limits.hpp"
#include "src/modules/md/pair_forces/pair_engine.hpp"

namespace gsim::md {

class FullListPairs final : public PairEngine {
 public:
  /// As Nonbonded; `capacity`: the neighbours of an atom that lists have room for before they grow.
  FullListPairs(const Executor& executor, const Box& box, const PairTable& table,
                const NonbondedOptions& options, int capacity = full_list_capacity);
  ~FullListPairs() override;

  std::vector<std::string> energy_names() const override;
  double cutoff() const override;
  LargestForce largest() const override;
  void set_quanta(const ForceQuanta& quanta) override;
  ForceQuanta quanta() const override;
  void set_box(const Box& box) override;
  void set_skin(double skin) override;
  void rebuild(const PairAtoms& atoms, const Exclusions* exclusions) override;
  View<const std::int32_t> spatial_order() const override;
  /// NumericalError as check().
  bool load_locals(View<const FixedPosition> positions) override;
  void compute_locals(View<std::int64_t> forces, bool with_sums) override;
  void compute_ghosts(View<const FixedPosition> positions, View<std::int64_t> forces,
                      bool with_sums) override;
  void collect(View<std::int64_t> forces, ForceSums& sums) override;
  /// NumericalError, with an atom's id, when two atoms overlapped so far that a sum may have left
  /// its range.
  void check() override;
  std::int64_t work(std::span<std::int64_t> shares) const override;

  /// What pairs do to single atoms.
  struct AtomTerms {
    /// Seven a local: the energies of all its pairs, and the sums of r_a F_b over them (xx, yy, zz,
    /// xy, xz, yz; r from the neighbour, F on the local). An atom's own share is half of each.
    std::vector<std::int64_t> values;
    double quantum;  ///< energy that values count
  };
  /// Of atoms whose ghosts reach as far as the cutoff, wherever they were before. NumericalError as
  /// check().
  AtomTerms atom_terms(const PairAtoms& atoms, const Exclusions* exclusions = nullptr);

  /// Neighbours that a row of the list has room for.
  int capacity() const;

  class Engine;

 private:
  void check_overlap(std::uint64_t id) const;
  std::unique_ptr<Engine> engine_;
  std::function<Index(Index)> id_of_;
};

}  // namespace gsim::md
