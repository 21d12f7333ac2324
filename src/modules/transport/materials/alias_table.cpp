#include "src/modules/transport/materials/alias_table.hpp"

#include "gsim/core/error.hpp"

namespace gsim::transport {

std::vector<AliasSlot> make_alias_table(std::span<const double> weights) {
  const std::size_t n = weights.size();
  double sum = 0;
  for (const double w : weights) sum += w;
  GSIM_EXPECT(sum > 0);
  std::vector<AliasSlot> slots(n);
  std::vector<double> remaining(n);  // remaining probability of each outcome, times n
  std::vector<std::size_t> small, large;
  for (std::size_t i = 0; i < n; ++i) {
    remaining[i] = weights[i] / sum * static_cast<double>(n);
    slots[i].value = slots[i].alias = static_cast<std::int32_t>(i);
    (remaining[i] < 1 ? small : large).push_back(i);
  }
  while (!small.empty() && !large.empty()) {
    const std::size_t s = small.back(), l = large.back();
    small.pop_back();
    slots[s].threshold = remaining[s];
    slots[s].alias = static_cast<std::int32_t>(l);
    remaining[l] -= 1 - remaining[s];
    if (remaining[l] < 1) {
      large.pop_back();
      small.push_back(l);
    }
  }
  // The remaining slots are full up to rounding. Outcomes of weight 0 got an alias in the loop,
  // unless rounding used up the outcomes of large weight first; then their alias is any outcome of
  // positive weight.
  std::size_t possible = 0;
  while (!(weights[possible] > 0)) ++possible;
  for (const std::size_t s : small)
    if (!(weights[s] > 0)) {
      slots[s].threshold = 0;
      slots[s].alias = static_cast<std::int32_t>(possible);
    }
  return slots;
}

}  // namespace gsim::transport
