#pragma once
// Lists bonded interactions by the rows of their atoms, from columns that contain for each atom the
// interactions in which it takes part, by ids.
//
// An interaction is listed in every block of rows that contains one of its atoms, at the first of
// its atoms in the block; on a device there is one block. A first launch for each kind of
// interaction finds the rows of the partners and counts the entries of every list; prefix sums over
// all lists and rows give the places of the entries, and a launch for each list writes them.

#include <cstdint>

#include "gsim/exec/launch.hpp"
#include "gsim/md/bonded/bonded_job.hpp"
#include "kernels/domain/id_rows.hpp"

namespace gsim::md {

/// What the lists of all kinds have in common.
struct InteractionRows {
  domain::IdTable table;
  const std::int64_t* ids;  ///< of all rows
  Index locals;
  std::int32_t block_rows;  ///< number of rows of a block; the last block may have fewer
  /// counts[list * locals + i]: number of entries that row i adds to a list. Initially 0; for
  /// md_list_… the sum of all preceding counts.
  std::int32_t* counts;
  std::uint64_t* missing;  ///< lowest id of an atom one of whose partners has no row
};

/// Tuples of 2, 3 or 4 atoms, `capacity` slots for each row.
struct TupleRows : InteractionRows {
  int atoms;  ///< of a tuple
  /// Ids of the atoms - 1 partners in each slot, in their order in the tuple.
  const std::int64_t* partners;
  /// atoms * type + index of the atom in the tuple; -1: the row has no further tuples.
  const std::int32_t* codes;
  Index capacity;
  const std::int32_t* list_of;  ///< the list of each type
  /// The rows of the partners, in the order of `partners`; the first one of a slot is -1 if the
  /// tuple is listed elsewhere.
  std::int32_t* rows;
};

/// Pairs of atoms three bonds apart, from the list of exclusions.
struct ScaledPairRows : InteractionRows {
  const std::int32_t* first;  ///< as of Exclusions, like the following two
  const std::int32_t* partner_rows;
  const std::int64_t* codes;
  const std::int32_t* types;  ///< of all rows
  std::int32_t kinds;         ///< number of atom types
  std::int32_t list;
};

/// The entries of one list.
struct BondedEntries {
  std::int32_t list;
  std::int32_t* row[max_bonded_atoms];
  std::int32_t* type;
};

struct TupleListArgs {
  TupleRows from;
  BondedEntries to;
};
struct ScaledPairListArgs {
  ScaledPairRows from;
  BondedEntries to;
};

/// Sets sizes[list] to the number of entries of each list, after the prefix sums.
struct ListSizesArgs {
  const std::int32_t* counts;
  Index locals, lists;
  std::uint64_t* sizes;
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(md_find_tuple_rows, md::TupleRows)
GSIM_DECLARE_LAUNCHER(md_list_tuples, md::TupleListArgs)
GSIM_DECLARE_LAUNCHER(md_count_scaled_pairs, md::ScaledPairRows)
GSIM_DECLARE_LAUNCHER(md_list_scaled_pairs, md::ScaledPairListArgs)
GSIM_DECLARE_LAUNCHER(md_list_sizes, md::ListSizesArgs)
