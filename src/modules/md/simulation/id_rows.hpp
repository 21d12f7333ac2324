#pragma once
// The map from the id of an atom to its row in the columns of a rank. An atom has at most one row,
// since ghosts are copies of atoms of other ranks only.

#include <cstdint>
#include <vector>

#include "gsim/exec/view.hpp"

namespace gsim::md {

/// A table of all ids between the lowest and the highest one if its size is not much larger than
/// the number of atoms; else a hash table with open addressing (Knuth, The Art of Computer
/// Programming 3, 6.4, algorithm L).
class IdRows {
 public:
  /// Builds the map of the ids of rows 0 … ids.size - 1.
  void build(View<const std::int64_t> ids);
  /// The row of an atom, or -1 if this rank has neither the atom nor a ghost of it.
  std::int32_t find(std::int64_t id) const {
    const auto above = static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(lowest_);
    if (above < rows_.size()) return rows_[static_cast<std::size_t>(above)];
    if (!rows_.empty()) return -1;
    for (std::size_t slot = hash_slot(id);; slot = (slot + 1) & mask_) {
      if (slots_[slot].row < 0) return -1;
      if (slots_[slot].id == id) return slots_[slot].row;
    }
  }

 private:
  void build_hash(View<const std::int64_t> ids);
  struct Slot {
    std::int64_t id;
    std::int32_t row;
  };
  std::size_t hash_slot(std::int64_t id) const {  // Fibonacci hashing (Knuth, same section)
    return static_cast<std::size_t>((static_cast<std::uint64_t>(id) * 0x9e3779b97f4a7c15u) >> 32) &
           mask_;
  }
  std::int64_t lowest_ = 0;
  std::vector<std::int32_t> rows_;  // row of id lowest_ + k; empty: slots_ are used
  std::vector<Slot> slots_{{0, -1}};
  std::size_t mask_ = 0;
};

}  // namespace gsim::md
