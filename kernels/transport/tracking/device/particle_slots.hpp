#pragma once
// The particles of a block, in shared memory.
//
// Each particle waits for an event, and a warp executes the same event for as many particles as
// wait for it (event_loop.hpp); between events nothing of a particle is in registers. The particles
// are stored one after the other at a distance of an odd number of 8 bytes, so that a member of 16
// successive particles is in different banks, as in a structure of arrays.

#include "kernels/transport/tracking/history_state.hpp"

#if defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Bytes from one particle to the next. In surface tracking a particle has memory for the levels of
/// the geometry only.
template <HistoryFeatures features>
GSIM_HD std::int32_t slot_stride(std::int32_t levels) {
  auto size = static_cast<std::int32_t>(sizeof(ParticleOf<features.levels>));
  if constexpr (features.levels > 1)
    size -= (features.levels - levels) * static_cast<std::int32_t>(sizeof(Level));
  return ((size + 7) / 8 | 1) * 8;
}

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
