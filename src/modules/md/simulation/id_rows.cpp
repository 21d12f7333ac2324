#include "src/modules/md/simulation/id_rows.hpp"

#include <bit>

namespace gsim::md {

void IdRows::build(View<const std::int64_t> ids, std::int64_t lowest, std::int64_t highest) {
  // Up to 8 rows of 4 bytes per atom, no more memory than the two slots of 16 bytes of a hash
  // table.
  constexpr std::uint64_t span_per_atom = 8;
  const auto count = static_cast<std::uint64_t>(ids.size);
  const auto span = static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(lowest);
  table_ = {lowest, {}, {}};
  if (span < span_per_atom * count) {
    rows_.resize_uninitialised(static_cast<Index>(span + 1));
    table_.rows = rows_.view();
  } else {
    slots_.resize_uninitialised(
        static_cast<Index>(std::bit_ceil(2 * count + 1)));  // at most half full
    table_.slots = slots_.view();
  }
  domain_fill_id_table(rows_.executor(), {ids, table_});
}

}  // namespace gsim::md
