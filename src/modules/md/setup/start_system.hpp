#pragma once
// The initial system of a run from any source. Every rank can generate every part of it.

#include <memory>
#include <vector>

#include "src/modules/md/setup/atom_system.hpp"
#include "src/modules/md/structures/chains.hpp"
#include "src/modules/md/structures/lattice.hpp"

namespace gsim::md {

class StartSystem {
 public:
  virtual ~StartSystem() = default;
  virtual const Box& box() const = 0;
  virtual Index atoms() const = 0;
  /// The atoms with indices [range.first, range.last): types, positions, images, and velocities,
  /// charges and molecules where the source has them (for all atoms or for none).
  virtual AtomColumns atoms_in(IndexRange range) const = 0;
  /// Bonds, angles and dihedrals; empty where the source has none.
  virtual const Topology& topology() const = 0;
  /// Ids of the atoms in the input (AtomSystem::given_ids).
  virtual const std::vector<Index>& given_ids() const = 0;
  virtual bool has_velocities() const { return false; }
  virtual bool has_charges() const { return false; }
  virtual bool has_molecules() const { return false; }
};

/// A crystal.
std::unique_ptr<StartSystem> start_from(const LatticeOptions& options);
/// Chains of atoms of type `type`.
std::unique_ptr<StartSystem> start_from(const ChainOptions& options, std::int32_t type);
/// A whole system that was read or made; `types[t]` is the index that its type t has in the run.
std::unique_ptr<StartSystem> start_from(AtomSystem system, std::vector<std::int32_t> types);
/// `counts[t]` atoms of type t at random positions in `box` with at least `distance` between each
/// other (0: no limit), in the order of types. InputError when the box is too full.
std::unique_ptr<StartSystem> start_at_random(std::uint64_t seed, const Box& box,
                                             std::vector<Index> counts, double distance);

}  // namespace gsim::md
