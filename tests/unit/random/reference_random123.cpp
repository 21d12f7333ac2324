#include <Random123/philox.h>

#include "reference_philox.hpp"

reference_philox::Words reference_philox::random123_philox(
    const Words& counter, const std::array<std::uint32_t, 2>& key) {
  const r123::Philox4x32::ctr_type c = {{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x32::key_type k = {{key[0], key[1]}};
  const auto words = r123::Philox4x32()(c, k);
  return {words[0], words[1], words[2], words[3]};
}
