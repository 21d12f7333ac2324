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

  /// Makes room for `size` interactions, which a kernel then writes to entries(), those of the
  /// first block first; set_blocks() ends the list.
  void resize(Index size);
  Index size() const { return size_; }
  /// The row of the k-th atom of each interaction; k = atoms(): the types. In executor memory.
  std::int32_t* entries(int k) { return entries_.view().data + k * stride(); }
  /// `first_rows`: the first row of each block, then the end of the last block; `first_entries`:
  /// the first interaction of each block, then the number of interactions.
  void set_blocks(const std::vector<std::int32_t>& first_rows,
                  const std::vector<Index>& first_entries);

  /// Computes forces; the members of `job` that belong to the list are set here.
  void run(BondedJob job);
  /// Returns the sums since the last call, the energy and then the six components of the virial,
  /// and sets them to zero.
  void take_sums(ExactSum (&sums)[7]);
  /// The lowest id of the first atoms of all interactions that have been out of range since the
  /// last call, or no_particle. Waits for the executor.
  std::uint64_t take_fault();
  /// Keeps a copy of what take_fault() would return, and returns to it, in order with launches.
  void save_fault();
  void restore_fault();
  /// Calls visit(rows, type) for every interaction.
  template <class Visit>
  void for_each(const Visit& visit) const {
    const std::vector<std::int32_t> entries = entries_.to_host();
    for (Index i = 0; i < size_; ++i) {
      BondedRows rows{};
      for (int k = 0; k < atoms_; ++k)
        rows[static_cast<std::size_t>(k)] = entries[static_cast<std::size_t>(k * stride() + i)];
      visit(rows, entries[static_cast<std::size_t>(atoms_ * stride() + i)]);
    }
  }
  const std::vector<double>& constants() const { return host_constants_; }
  int order() const { return order_; }

 private:
  // Kernels for hosts load whole vector registers: at most this many entries beyond the last one.
  static constexpr Index padding = 16;
  Index stride() const { return size_ + padding; }

  Executor executor_;
  Launcher launcher_;
  FaultTest is_fault_;
  int atoms_;
  std::size_t energy_;
  int order_;
  std::vector<double> host_constants_;
  Array<double> constants_;
  Array<BondedFault> fault_, saved_fault_;
  Index size_ = 0;
  Array<std::int32_t> entries_;  // rows of the first atoms, …, types; stride() numbers each
  std::vector<BondedBlock> blocks_;
  std::vector<std::array<ExactSum, 7>> sums_;
};

}  // namespace gsim::md
