#pragma once
// The list of the interactions of one style on a rank, by rows of atoms, divided into the blocks of
// rows that the kernels process.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gsim/exec/array.hpp"
#include "gsim/exec/executor.hpp"
#include "gsim/md/bonded/bonded_job.hpp"

namespace gsim::md {

/// The rows of an interaction's atoms; the other entries are not used.
using BondedRows = std::array<std::int32_t, max_bonded_atoms>;

class BondedList {
 public:
  using Launcher = void (*)(const Executor&, const BondedJob&);
  /// Whether an interaction is out of range.
  using FaultTest = bool (*)(const BondedJob&, const std::int32_t* rows, std::int32_t type);
  /// `atoms`: number of atoms of an interaction; `energy`: index of its energy among the energies
  /// of the force term; `constants`: kernel constants of all types; `order`: highest multiple of
  /// the angle of dihedrals.
  BondedList(Executor executor, Launcher launcher, FaultTest is_fault, int atoms,
             std::size_t energy, const std::vector<double>& constants, int order = 0);

  int atoms() const { return atoms_; }
  bool is_fault(const BondedJob& job, const BondedRows& rows, std::int32_t type) const {
    return is_fault_(job, rows.data(), type);
  }
  std::size_t energy() const { return energy_; }

  /// Empties the list and divides it into `blocks` blocks. Afterwards add() fills each block, from
  /// one thread at a time, and finish() ends the list.
  void start(Index blocks);
  void add(Index block, const BondedRows& rows, std::int32_t type) {
    Rows& to = rows_[static_cast<std::size_t>(block)];
    for (int k = 0; k < atoms_; ++k)
      to.row[static_cast<std::size_t>(k)].push_back(rows[static_cast<std::size_t>(k)]);
    to.type.push_back(type);
  }
  /// `block_first_row`: the first row of each block, then the end of the last block.
  void finish(const std::vector<std::int32_t>& block_first_row);
  Index size() const;

  /// Computes forces; the members of `job` that belong to the list are set here.
  void run(BondedJob job);
  /// Returns the sums since the last call, the energy and then the six components of the virial,
  /// and sets them to zero.
  void take_sums(ExactSum (&sums)[7]);
  /// The lowest id of the first atoms of all interactions that have been out of range since the
  /// last call, or no_particle. Waits for the executor.
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
    std::array<std::vector<std::int32_t>, max_bonded_atoms> row;
    std::vector<std::int32_t> type;
    std::size_t count = 0;  // without padding
  };
  void copy_to_device(const Rows& rows, BondedBlock& block);

  Executor executor_;
  Launcher launcher_;
  FaultTest is_fault_;
  int atoms_;
  std::size_t energy_;
  int order_;
  std::vector<double> host_constants_;
  Array<double> constants_;
  Array<BondedFault> fault_;
  std::vector<Rows> rows_;
  std::vector<BondedBlock> blocks_;
  std::vector<std::array<ExactSum, 7>> sums_;
  std::vector<Array<std::int32_t>> device_;  // on CUDA: rows, then types
};

}  // namespace gsim::md
