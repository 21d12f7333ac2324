#pragma once
// The interactions of one law around a rank's atoms, as rows, in the blocks that kernels take.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gsim/exec/array.hpp"
#include "gsim/exec/executor.hpp"
#include "gsim/md/bonded/bonded_job.hpp"

namespace gsim::md {

/// An interaction by rows: entries behind those of the law's atoms mean nothing.
using BondedRows = std::array<std::int32_t, most_bonded_atoms>;

class LawList {
 public:
  using Launcher = void (*)(const Executor&, const BondedJob&);
  /// Whether an interaction is out of range: of a plugin's law.
  using FaultTest = bool (*)(const BondedJob&, const std::int32_t* rows, std::int32_t type);
  /// `law` numbers a BondLaw or AngleLaw; `constants`: by type, as the law has them; `order`: of
  /// dihedrals; its energy is column `energy` of the term.
  LawList(Executor executor, Launcher launcher, int law, int atoms, std::size_t energy,
          const std::vector<double>& constants, int order = 0, FaultTest fault_test = nullptr);

  int law() const { return law_; }
  int atoms() const { return atoms_; }
  FaultTest fault_test() const { return fault_test_; }
  std::size_t energy() const { return energy_; }

  /// Empties the list for `blocks` blocks. Then, on any thread for each block, add(); then
  /// finish().
  void start(Index blocks);
  void add(Index block, const BondedRows& rows, std::int32_t type) {
    Rows& to = rows_[static_cast<std::size_t>(block)];
    for (int k = 0; k < atoms_; ++k)
      to.row[static_cast<std::size_t>(k)].push_back(rows[static_cast<std::size_t>(k)]);
    to.type.push_back(type);
  }
  /// `edges`: rows at which blocks begin, and the end of the last.
  void finish(const std::vector<std::int32_t>& edges);
  Index size() const;

  /// Computes; `job` lacks what the list itself knows.
  void run(BondedJob job);
  /// The sums since the last call; they are zero then.
  void take_sums(ExactSum (&sums)[7]);
  /// The lowest id of a first atom of an interaction out of range since the last call, or
  /// no_particle; waits for the executor.
  std::uint64_t take_fault();
  /// Calls visit(rows, type) for every interaction.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const Rows& block : rows_)
      for (std::size_t i = 0; i < block.count; ++i) {
        BondedRows rows{};
        for (int k = 0; k < atoms_; ++k)
          rows[static_cast<std::size_t>(k)] = block.row[static_cast<std::size_t>(k)][i];
        visit(rows, block.type[i]);
      }
  }
  const std::vector<double>& constants() const { return host_constants_; }
  int order() const { return order_; }

 private:
  struct Rows {
    std::array<std::vector<std::int32_t>, most_bonded_atoms> row;
    std::vector<std::int32_t> type;
    std::size_t count = 0;  // without padding
  };
  void copy_to_device(const Rows& rows, BondedBlock& block);

  Executor executor_;
  Launcher launcher_;
  int law_, atoms_;
  std::size_t energy_;
  int order_;
  FaultTest fault_test_;
  std::vector<double> host_constants_;
  Array<double> constants_;
  Array<BondedFault> fault_;
  std::vector<Rows> rows_;
  std::vector<BondedBlock> blocks_;
  std::vector<std::array<ExactSum, 7>> sums_;
  std::vector<Array<std::int32_t>> device_;  // on CUDA: rows, then types
};

}  // namespace gsim::md
