#pragma once
// [bonded]: what bonds, angles and dihedrals are made of, by the labels of their types, and which
// pairs of bound atoms interact as pairs.

#include <span>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/md/bonded/bonded_parameters.hpp"
#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

/// Parameters of one type.
template <class Parameters>
struct LabelledParameters {
  std::string name;  ///< its label in the topology
  Parameters parameters;
  SourceLocation where = {};  ///< of the name
};

/// Laws of plugins.
struct MoreLaws {
  std::span<const BondKind* const> bonds = {};
  std::span<const AngleKind* const> angles = {};
};

struct BondedConfig {
  bool is_given = false;  ///< there is a table [bonded]
  std::vector<LabelledParameters<BondParameters>> bonds;
  std::vector<LabelledParameters<AngleParameters>> angles;
  std::vector<LabelledParameters<DihedralParameters>> dihedrals;
  SpecialPairs special;
  double max_arm = 0;
  SourceLocation where = {}, special_at = {};  ///< the table; what says how 1-4 pairs interact
  MoreLaws more;                               ///< that a trajectory's bonds may have, too
};

/// Describes the optional table [bonded] of the top level.
void describe_bonded(Section& top, BondedConfig& config, const MoreLaws& more = {});

/// What a topology's types are, from the configuration, or else from the file: from the sections of
/// coefficients of a LAMMPS data file (bonds harmonic and fene, angles harmonic, cosine and
/// cosine/squared, dihedrals opls, harmonic, charmm and fourier, as the section's comment names
/// them), or from an H5MD file of gsim's. The latter also says which pairs of bound atoms interact,
/// so that it needs no [bonded]. The Lennard-Jones parameters of 1-4 pairs are left to the caller.
/// InputError for a type without parameters, a label that the topology does not have, coefficients
/// of another style, or a topology without [bonded] or special pairs of the file.
BondedParameters bonded_parameters(const BondedConfig& config, const Topology& topology,
                                   const BondedOfFile& of_file);

}  // namespace gsim::md
