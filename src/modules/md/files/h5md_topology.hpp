#pragma once
// Bonds, angles and dihedrals in H5MD files: connectivity/bonds [N][2], connectivity/angles [N][3]
// and connectivity/dihedrals [N][4] are lists of particles' ids (H5MD 1.1, proposals 101 and 103).
//
// The standard defines neither types nor their parameters. gsim adds, for each of the three lists:
//
//   parameters/bonds/type         [N]     type of each row, 1, 2, …
//   parameters/bonds/type_names   [T]     the types' labels
//   parameters/bonds/law          [T]     the name of each type's style
//   parameters/bonds/values       [T][C]  its parameters (bonded/stored_bonded.hpp), padded with
//   NaN
//
// and parameters/special_pairs (StoredBonded::special).

#include <functional>
#include <string>
#include <vector>

#include "gsim/io/object_writer.hpp"
#include "gsim/io/result_file.hpp"
#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

/// The part of a topology that is written.
struct WrittenTopology {
  const Topology& topology;
  const StoredBonded& parameters;
  std::string group;  ///< of the particles: "particles/trajectory"
  /// Whether an atom is in the file; a bond is written where all of its atoms are.
  std::function<bool(Index)> has;
  std::function<Index(Index)> id_of;
};
void write_h5md_topology(ObjectWriter& objects, const WrittenTopology& written);

/// The atoms of a frame in its file.
struct H5mdAtoms {
  std::string path, group;  ///< of the file, for messages; of the particles
  Index frame = -1;         ///< of lists that change in time; -1: the last one
  std::vector<Index> ids;   ///< ascending: atom i has ids[i]
  /// Whether the file gives ids; otherwise lists name particles by their rows, from 0 on, and ids
  /// are these plus 1.
  bool has_ids = true;
};
/// Reads the lists that belong to the atoms' group into `system`: those without types have one,
/// labelled "1". InputError for lists of other names, missing atoms, repeated atoms or
/// bonds, and types without labels.
void read_h5md_topology(ResultReader& file, const H5mdAtoms& atoms, AtomSystem& system);

}  // namespace gsim::md
