#pragma once
// Pairs of atoms up to three bonds apart, which are excluded from the pair potentials or interact
// with scaled strength, in columns that migrate with atoms.

#include <cstdint>
#include <vector>

#include "src/modules/md/bonded/bonded_parameters.hpp"
#include "src/modules/md/bonded/topology/topology_columns.hpp"
#include "src/modules/md/forces/exclusions.hpp"
#include "src/modules/md/simulation/id_rows.hpp"

namespace gsim::md {

/// The molecules as a graph with bonds as edges.
class BondGraph {
 public:
  BondGraph(const std::vector<BondedTuple<2>>& bonds, Index atoms);

  struct Neighbour {
    Index atom;
    int bonds;  ///< along the shortest path
    friend bool operator==(const Neighbour&, const Neighbour&) = default;
  };
  /// Sets `found` to the atoms that are 1 to `max_bonds` bonds away from `atom`, nearest first,
  /// each once.
  void find_within(Index atom, int max_bonds, std::vector<Neighbour>& found) const;

 private:
  std::vector<Index> first_, partner_;  // atom i: [first_[i], first_[i + 1]) of partner_
};

/// The special partners of each atom: those in excluded or scaled pairs.
class SpecialColumns {
 public:
  /// Adds the column "special" (int64) to the store if any pairs are excluded or scaled.
  SpecialColumns(ParticleStore& store, const std::vector<BondedTuple<2>>& bonds, Index atoms,
                 const SpecialPairs& options);

  bool empty() const { return capacity_ == 0; }
  /// Fills the rows of the local atoms, by their ids.
  void fill(ParticleStore& store, const std::vector<BondedTuple<2>>& bonds, Index atoms) const;
  /// Sets `exclusions` to those of the local atoms, in the order of their rows. `table`: the rows
  /// of all ids.
  void list_exclusions(ParticleStore& store, const domain::IdTable& table,
                       Exclusions& exclusions) const;
  /// The ids of the partners of a local atom in pairs that are three bonds apart, in host memory.
  std::vector<std::int64_t> third_neighbours(ParticleStore& store, Index row) const;

 private:
  /// Whether pairs of atoms that are `bonds` bonds apart are excluded or scaled.
  bool is_special(int bonds) const;
  /// The largest number of bonds between the atoms of such a pair; 0: there are none.
  int max_bonds() const;
  SpecialPairs options_;
  Index capacity_ = 0;  // number of entries in a row: the largest number of partners of an atom
  ColumnId column_;
};

}  // namespace gsim::md
