#pragma once
// Samples one of n outcomes with given probabilities from one uniform number and at most two memory
// reads, for any n: the alias method of A. J. Walker, "An efficient method for
// generating discrete random variables with general distributions", ACM Trans. Math. Softw. 3
// (1977) 253.

#include <cstdint>

#include "gsim/math/scalar.hpp"

namespace gsim::transport {

/// One of n slots of equal probability, shared by two outcomes. src/modules/transport/materials
/// builds them (make_alias_table).
struct AliasSlot {
  double threshold = 1;    ///< fraction of the slot of the first outcome
  std::int32_t value = 0;  ///< the first outcome
  std::int32_t alias = 0;  ///< the second outcome
};
static_assert(sizeof(AliasSlot) == 16);

}  // namespace gsim::transport

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// The slot of u in (0, 1) among n slots, and the position in it as a fraction of the slot. The
/// product u n may round up to n.
struct AliasPlace {
  std::int32_t slot;
  double fraction;
};
GSIM_HD AliasPlace alias_place(std::int32_t n, double u) {
  const double x = u * n;
  const auto i = static_cast<std::int32_t>(x);
  const std::int32_t slot = i < n ? i : n - 1;
  return {slot, x - slot};
}

/// The outcome that u in (0, 1) selects from n slots.
GSIM_HD std::int32_t sample_alias(const transport::AliasSlot* slots, std::int32_t n, double u) {
  const AliasPlace at = alias_place(n, u);
  const transport::AliasSlot& slot = slots[at.slot];
  return at.fraction < slot.threshold ? slot.value : slot.alias;
}

}  // namespace transport_kernels
GSIM_TARGET_END
