#pragma once
// From a configuration to the parts of a simulation.

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
  /// Decides all that follows from configuration and system, and makes nothing big. Both outlive
  /// it. The same on every rank; collective. InputError for what cannot be. `ranks`: how many the
  /// run is for.
  Assembly(const MdConfig& config, const StartSystem& system, const Context& context, int ranks);

  /// How far lists of pairs reach, and ghosts.
  double list_radius() const { return cutoff_ + margin_; }
  /// How far both reach beyond the distances that matter.
  double margin() const { return margin_; }
  double halo_width() const;
  PairMemory pair_memory() const;
  /// What people should know of it.
  std::vector<std::string> notes() const;
  /// What they should be warned of; or empty.
  std::string warning() const;

  /// Particles and forces, with the quanta of the whole run. `type_counts`: the system's atoms of
  /// each type.
  SimulationParts make_forces(std::span<const Index> type_counts, ForceQuanta& quanta) const;
  /// Particles without charges whose pairs are those of `table` alone, in lists that reach by
  /// `skin` beyond its cutoff; and the bonded forces.
  SimulationParts make_push_off(const PairTable& table, double skin, ForceQuanta& quanta) const;
  /// Of the pair potentials; null where there are none.
  const PairTable* table() const { return table_ ? &*table_ : nullptr; }
  /// Of bonds, angles and dihedrals; without Lennard-Jones parameters of 1-4 pairs.
  const BondedParameters& bonded() const { return bonded_; }
  /// InputError where forces are not those of pairs alone.
  void require_pairs_alone() const;
  /// Pair forces of their own for the energies of single atoms. InputError as
  /// require_pairs_alone().
  std::unique_ptr<FullListPairForces> make_single_atom_pairs() const;

 private:
  bool is_bound() const { return system_.topology().is_bound(); }
  void plan_short_range(const Context& context);
  void plan_pairs(const Context& context);
  double choose_margin(const Context& context, int ranks) const;
  /// Adds bonded forces, where there are any; what they leave out of the pairs.
  const Exclusions* add_bonded(SimulationParts& parts, const PairTable* table) const;
  ForceQuanta agree_on_quanta(SimulationParts& parts) const;
  void refuse_charges(const Context& context) const;
  /// ConfigError where the box is narrower than twice the reach of forces.
  void check_box() const;
  /// The ids that people know atoms by.
  std::function<Index(Index)> names_of_atoms() const;
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
  BondedParameters bonded_;  // without 1-4 pairs
  ChargeSums charges_;
  std::optional<EwaldChoice> ewald_;
};

}  // namespace gsim::md
