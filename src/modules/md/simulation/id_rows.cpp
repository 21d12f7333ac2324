#include "src/modules/md/simulation/id_rows.hpp"

#include <algorithm>
#include <bit>

namespace gsim::md {

void IdRows::build(View<const std::int64_t> ids) {
  rows_.clear();
  if (ids.size == 0) return build_hash(ids);
  const auto [lowest, highest] = std::minmax_element(ids.begin(), ids.end());
  // Up to 8 rows of 4 bytes per atom, no more memory than the two slots of 16 bytes of a hash
  // table.
  constexpr std::uint64_t span_per_atom = 8;
  const auto span = static_cast<std::uint64_t>(*highest) - static_cast<std::uint64_t>(*lowest);
  if (span >= span_per_atom * static_cast<std::uint64_t>(ids.size)) return build_hash(ids);
  lowest_ = *lowest;
  rows_.assign(static_cast<std::size_t>(span) + 1, -1);
  for (Index row = 0; row < ids.size; ++row)
    rows_[static_cast<std::size_t>(ids[row] - lowest_)] = static_cast<std::int32_t>(row);
}

void IdRows::build_hash(View<const std::int64_t> ids) {
  const auto count = static_cast<std::size_t>(ids.size);
  const std::size_t size = std::bit_ceil(2 * count + 1);  // at most half full
  slots_.assign(size, {0, -1});
  mask_ = size - 1;
  for (Index row = 0; row < ids.size; ++row) {
    std::size_t slot = hash_slot(ids[row]);
    while (slots_[slot].row >= 0) slot = (slot + 1) & mask_;
    slots_[slot] = {ids[row], static_cast<std::int32_t>(row)};
  }
}

}  // namespace gsim::md
