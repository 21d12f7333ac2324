#pragma once
// The map from the id of a particle to its row in the columns of a rank, in the memory of an
// executor. A particle has at most one row, since ghosts are copies of particles of other ranks.

#include <cstdint>

#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::domain {

/// An entry of a hash table; row -1: the slot is empty.
struct IdSlot {
  std::int64_t id;
  std::int32_t row;
};

/// Either a table of the rows of all ids from `lowest` on, or, if `rows` is empty, a hash table
/// with open addressing (Knuth, The Art of Computer Programming 3, 6.4, algorithm L), whose size is
/// a power of two.
struct IdTable {
  std::int64_t lowest = 0;
  View<std::int32_t> rows;  ///< the row of id lowest + k, or -1
  View<IdSlot> slots;

  /// The row of a particle, or -1 if this rank has neither the particle nor a ghost of it.
  GSIM_HD std::int32_t find(std::int64_t id) const {
    const auto above = static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(lowest);
    if (rows.size > 0)
      return above < static_cast<std::uint64_t>(rows.size) ? rows[static_cast<Index>(above)] : -1;
    for (Index slot = hash_slot(id);; slot = (slot + 1) & (slots.size - 1)) {
      if (slots[slot].row < 0) return -1;
      if (slots[slot].id == id) return slots[slot].row;
    }
  }
  /// The slot where a search begins: Fibonacci hashing (Knuth, same section).
  GSIM_HD Index hash_slot(std::int64_t id) const {
    const std::uint64_t hash = static_cast<std::uint64_t>(id) * 0x9e3779b97f4a7c15u;
    return static_cast<Index>(hash >> 32) & (slots.size - 1);
  }
};

/// Enters the rows of all ids into the table, whose previous contents are discarded.
struct FillIdTableArgs {
  View<const std::int64_t> ids;
  IdTable table;
};

}  // namespace gsim::domain

GSIM_DECLARE_LAUNCHER(domain_fill_id_table, domain::FillIdTableArgs)
