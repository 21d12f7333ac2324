#pragma once
// Makes the parts of a simulation from a configuration.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gsim/engine/module.hpp"
#include "src/modules/md/bonded/bonded_forces.hpp"
#include "src/modules/md/long_range/ewald_config.hpp"
#include "src/modules/md/md_config.hpp"
#include "src/modules/md/setup/forecast.hpp"
#include "src/modules/md/simulation/simulation.hpp"

namespace gsim::md {

class Assembly {
 public:
  /// Derives cutoffs, skin and parameters from configuration and system, without large allocations.
  /// `config` and `system` must outlive the object. Collective; the same on every rank. InputError
  /// for impossible settings. `ranks`: number of ranks of the run, which may differ from that of
  /// the communicator.
  Assembly(const MdConfig& config, const StartSystem& system, const Context& context, int ranks);

  /// Radius of the pair lists.
  double list_radius() const { return cutoff_ + margin_; }
  /// The skin: the distance by which pair lists and the halo of ghosts exceed the cutoffs.
  double margin() const { return margin_; }
  /// Distance from a rank's domain within which it has ghosts.
  double halo_width() const;
  PairMemory pair_memory() const;
  /// Lines for the summary of the run.
  std::vector<std::string> notes() const;
  /// A warning, or empty.
  std::string warning() const;

  /// Particles and forces; `quanta` returns the fixed-point units of the run. `type_counts`: atoms
  /// of each type in the system.
  SimulationParts make_forces(std::span<const Index> type_counts, ForceQuanta& quanta) const;
  /// The parts for pushing overlapping atoms apart (push_off.hpp): particles without charges, the
  /// pair potentials of `table` in lists with this skin, and the bonded forces.
  SimulationParts make_push_off(const PairTable& table, double skin, ForceQuanta& quanta) const;
  /// Table of the pair potentials; null where there are none.
  const PairTable* table() const { return table_ ? &*table_ : nullptr; }
  /// Parameters of bonds, angles and dihedrals, without Lennard-Jones parameters of 1-4 pairs.
  const BondedParameters& bonded() const { return bonded_; }
  /// InputError if there are forces other than pair forces.
  void require_pairs_alone() const;
  /// A separate instance of the pair forces, for the energies of single atoms. InputError as
  /// require_pairs_alone().
  std::unique_ptr<FullListPairForces> make_single_atom_pairs() const;

 private:
  bool has_bonded_terms() const { return system_.topology().has_bonded_terms(); }
  /// Determines the cutoff of the short-range forces and the reach of ghosts, and for pair
  /// potentials their table (plan_pairs) and the parameters of the Ewald sum.
  void plan_short_range(const Context& context);
  void plan_pairs(const Context& context);
  double choose_margin(const Context& context, int ranks) const;
  /// Adds bonded forces where the system has bonds; returns the pairs that are excluded from pair
  /// forces, or null.
  const Exclusions* add_bonded(SimulationParts& parts, const PairTable* table) const;
  /// Chooses the fixed-point units of the run and sets them in all force terms.
  ForceQuanta agree_on_quanta(SimulationParts& parts) const;
  /// ConfigError if atoms have charges, for a configuration without [coulomb].
  void refuse_charges(const Context& context) const;
  /// ConfigError where the box is narrower than twice the reach of forces.
  void check_box() const;
  /// A function that returns the id in the input of the atom with an index.
  std::function<Index(Index)> atom_id_function() const;
  /// bonded_ with the scaled interactions of 1-4 pairs from `table`; null: without them.
  BondedParameters bonded_parameters_of(const PairTable* table) const;
  std::unique_ptr<ShortRange> make_pairs(std::span<const Index> type_counts,
                                         const Exclusions* exclusions) const;

  const MdConfig& config_;
  const StartSystem& system_;
  Executor executor_;
  BufferPath buffers_;
  double cutoff_ = 0, margin_ = 0;
  double ghost_reach_ = 0;  // of short-range forces, without the margin
  std::optional<PairTable> table_;
  BondedParameters bonded_;  // without Lennard-Jones parameters of 1-4 pairs
  ChargeSums charges_;
  std::optional<EwaldChoice> ewald_;
};

}  // namespace gsim::md
