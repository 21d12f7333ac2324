#include "src/modules/md/simulation/id_rows.hpp"

#include <bit>

namespace gsim::md {

void IdRows::build(View<const std::int64_t> ids) {
  const auto count = static_cast<std::size_t>(ids.size);
  const std::size_t size = std::bit_ceil(2 * count + 1);  // at most half full
  slots_.assign(size, {0, -1});
  mask_ = size - 1;
  for (Index row = 0; row < ids.size; ++row) {
    std::size_t place = home(ids[row]);
    while (slots_[place].row >= 0) place = (place + 1) & mask_;
    slots_[place] = {ids[row], static_cast<std::int32_t>(row)};
  }
}

}  // namespace gsim::md
