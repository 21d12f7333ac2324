#pragma once
// Forces between atoms that are near each other, over full neighbour lists: the engine of a GPU.
// The same integers as Nonbonded gives, on every executor.
//
// Forces go straight into the atoms' sums. Whether atoms overlap stands in a word in executor
// memory, which is read with the next load_locals(), so that a step waits for the device once.

#include <cstdint>
#include <functional>
#include <memory>

#include "src/modules/md/nonbonded/pair_engine.hpp"

namespace gsim::md {

class FullListPairs final : public PairEngine {
 public:
  /// As Nonbonded; `capacity`: the neighbours of an atom that lists have room for before they grow.
  FullListPairs(const Executor& executor, const Box& box, const PairTable& table,
                const NonbondedOptions& options, int capacity = 96);
  ~FullListPairs() override;

  std::vector<std::string> energy_names() const override;
  double cutoff() const override;
  LargestForce largest() const override;
  void set_quanta(const ForceQuanta& quanta) override;
  ForceQuanta quanta() const override;
  void set_box(const Box& box) override;
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

  /// Neighbours that a row of the list has room for.
  int capacity() const;

  class Engine;

 private:
  void check_overlap(std::uint64_t id) const;
  std::unique_ptr<Engine> engine_;
  std::function<Index(Index)> id_of_;
};

}  // namespace gsim::md
