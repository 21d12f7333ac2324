#pragma once
// [pair], [[pair.potential]] and [coulomb]: which potentials act between which types of atoms.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/md/units.hpp"
#include "src/modules/md/pair_potentials/coulomb_config.hpp"
#include "src/modules/md/pair_potentials/pair_table.hpp"
#include "src/modules/md/pair_potentials/potential_kind.hpp"
#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

/// One table [[pair.potential]].
struct PotentialConfig {
  std::vector<std::string> types;  ///< names of two types; empty: all pairs
  PairPotential potential;
  KeyLocations keys = {};
};

struct PairConfig {
  double default_cutoff = 0;  ///< cutoff of potentials that do not give one
  MixingRule mixing = MixingRule::none;
  std::vector<PotentialConfig> potentials;
  std::optional<PairTable> table;  ///< uncharged potentials; nullopt: there is no [pair]
  bool tail = false;
  SourceLocation cutoff_at, tail_at;  ///< locations of the longest cutoff and of `tail`
  CoulombConfig coulomb;
  std::string summary;  ///< "Lennard-Jones, reaction field; cutoff 2.5"

  bool is_given() const { return table || coulomb.is_on(); }
};

/// Describes and validates these tables for types named `types`. `coefficients` are those of a data
/// file, which apply where [pair] has no [[pair.potential]]: "Pair Coeffs" and "PairIJ Coeffs" of
/// Lennard-Jones styles. `kinds` are the kinds of [[pair.potential]].
void describe_pairs(Section& top, const std::vector<std::string>& types,
                    const std::vector<CoefficientSection>& coefficients, PairConfig& config,
                    std::span<const PotentialKind* const> kinds = builtin_pair_kinds());

/// The whole table of a run: [pair] and [coulomb], with `types` where there is no [pair];
/// `ewald_alpha` is the alpha of EwaldChoice::parameters, used for CoulombMethod::ewald.
PairTable make_pair_table(const PairConfig& config, const std::vector<std::string>& types,
                          const Units& units, double ewald_alpha = 0);

}  // namespace gsim::md
