#pragma once
// Rows of locals by position, selected on a device, so that positions need not be copied to the
// host.

#include <cstdint>
#include <span>
#include <vector>

#include "gsim/domain/decomposition.hpp"
#include "gsim/domain/halo.hpp"
#include "gsim/domain/particle_store.hpp"
#include "gsim/exec/array.hpp"
#include "kernels/domain/select_rows.hpp"

namespace gsim::detail {

domain::CutRegion region_of(const Brick& brick);
domain::CutRegion region_of(const HaloRegion& halo);

/// The number of locals in each region; waits for the device.
std::vector<std::int64_t> count_rows_on_device(const ParticleStore& store,
                                               std::span<const domain::CutRegion> regions);
/// Writes the rows of the locals that are inside `region` (outside, if `inside` is false) to `rows`
/// in device memory, ascending; asynchronous.
void select_rows_on_device(const ParticleStore& store, const domain::CutRegion& region, bool inside,
                           std::int32_t* rows);

/// Local rows and their positions, in host memory.
struct SelectedRows {
  std::vector<std::int32_t> rows;
  std::vector<FixedPosition> positions;
};
/// The locals outside `brick`. Only these are copied to the host.
SelectedRows rows_outside_on_device(const ParticleStore& store, const Brick& brick);

}  // namespace gsim::detail
