#pragma once
// Reading of frames from H5MD files of gsim and of other programs.

#include <cstdint>
#include <string>

#include "gsim/md/units.hpp"
#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

struct H5mdOptions {
  Index frame = -1;        ///< index of the frame, from 0; -1: the last one
  std::string group = {};  ///< name below "particles"; empty: the only group that has positions
  /// The units of the run, which must be those of the file; null: not checked.
  const Units* units = nullptr;
  bool connectivity = true;  ///< whether to read bonds, angles and dihedrals
};

/// Reads box, positions and, if present, images, velocities, species, charges, masses and ids of
/// one frame, and the bonds, angles and dihedrals between its atoms (h5md_topology.hpp). Type names
/// are those of parameters/type_names if gsim wrote the file, otherwise the numbers of the species.
/// Every rank that calls this function opens the file itself. InputError with file and dataset for
/// missing or malformed input.
AtomSystem read_h5md(const std::string& path, const H5mdOptions& options = {});

/// A digest of box, types, atoms and bonded interactions.
std::uint64_t digest_of(const AtomSystem& system);

}  // namespace gsim::md
