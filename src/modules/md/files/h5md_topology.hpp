#pragma once
// Bonds, angles and dihedrals in H5MD files: connectivity/bonds [N][2], connectivity/angles [N][3]
// and connectivity/dihedrals [N][4] are lists of ids of particles (H5MD 1.1, proposals 101 and
// 103).
//
// The standard defines neither types nor their parameters. gsim adds, for each of the three lists:
//
//   parameters/bonds/type         [N]     type of each row, 1, 2, …
//   parameters/bonds/type_names   [T]     label of each type
//   parameters/bonds/style        [T]     name of the style of each type
//   parameters/bonds/values       [T][C]  parameters of each type (bonded/stored_bonded.hpp), in
//                                         rows that are padded with NaN
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
  std::string group;  ///< group of the particles: "particles/trajectory"
  /// Whether an atom is in the file; a bond is written if all its atoms are.
  std::function<bool(Index)> has;
  std::function<Index(Index)> id_of;
};
void write_h5md_topology(ObjectWriter& objects, const WrittenTopology& written);

/// The atoms of a frame of a file.
struct H5mdAtoms {
  std::string path, group;  ///< path of the file, for messages; group of the particles
  Index frame = -1;         ///< frame of lists that change in time; -1: the last one
  std::vector<Index> ids;   ///< ascending; atom i has the id ids[i]
  /// Whether the file has ids; otherwise lists refer to particles by row, from 0, and ids are the
  /// row plus 1.
  bool has_ids = true;
};
/// Reads the lists of the group of `atoms` into `system`. Lists without types get one type,
/// labelled "1". InputError for lists of other names, missing atoms, repeated atoms or bonds, and
/// types without labels.
void read_h5md_topology(ResultReader& file, const H5mdAtoms& atoms, AtomSystem& system);

}  // namespace gsim::md
