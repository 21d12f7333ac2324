#pragma once
// [bonded]: the parameters of bonds, angles and dihedrals, by the labels of their types, and which
// pairs of bonded atoms interact through pair potentials.

#include <span>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/md/bonded/bonded_kinds.hpp"
#include "src/modules/md/bonded/bonded_parameters.hpp"
#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

/// Parameters of one type.
template <class Parameters>
struct LabelledParameters {
  std::string name;  ///< its label in the topology
  Parameters parameters;
  SourceLocation where = {};  ///< location of the name
};

struct BondedConfig {
  bool is_given = false;  ///< there is a table [bonded]
  std::vector<LabelledParameters<BondParameters>> bonds;
  std::vector<LabelledParameters<AngleParameters>> angles;
  std::vector<LabelledParameters<DihedralSeries>> dihedrals;
  std::vector<std::string> exclude;  ///< names in the configuration; they determine `special`
  SpecialPairs special;
  /// Maximum distance of neighbouring atoms in angles and dihedrals; 0: the largest max_length of
  /// the bonds.
  double max_arm = 0;
  SourceLocation where = {}, special_at = {};  ///< locations of the table and of the 1-4 factors
  const BondedKinds* kinds = nullptr;  ///< those given to describe_bonded(); null: gsim's own
};

/// Describes the optional table [bonded] of the top level. `kinds` must outlive `config`.
void describe_bonded(Section& top, BondedConfig& config,
                     const BondedKinds& kinds = builtin_bonded_kinds());

/// The parameters of a topology's types, from the configuration, or else from the file: from the
/// coefficients of a LAMMPS data file (bonds and angles of kinds that have a lammps_style, and
/// dihedrals of the styles opls, harmonic, charmm and fourier; the comment of each section of
/// coefficients names its style), or from an H5MD file that gsim wrote. The latter also holds the
/// exclusions and factors of 1-4 pairs, so that it needs no [bonded]. The Lennard-Jones parameters
/// of 1-4 pairs are left to the caller. InputError for a type without parameters, a label that the
/// topology does not have, coefficients of another style, or a topology for which there is neither
/// [bonded] nor special pairs in the file.
BondedParameters bonded_parameters(const BondedConfig& config, const Topology& topology,
                                   const BondedOfFile& of_file);

}  // namespace gsim::md
