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
#include "gsim/exec/transfer_buffers.hpp"
#include "kernels/domain/select_rows.hpp"

namespace gsim::detail {

domain::CutRegion region_of(const Brick& brick);
domain::CutRegion region_of(const HaloRegion& halo);

/// Local rows and their positions, in host memory.
struct SelectedRows {
  std::vector<std::int32_t> rows;
  std::vector<FixedPosition> positions;
};

/// Finds the locals outside a brick. Only these are written to host memory.
class RowsOutside {
 public:
  explicit RowsOutside(const Executor& device);
  /// The rows, ascending, and their positions; waits for the device.
  SelectedRows find(const ParticleStore& store, const Brick& brick);
  /// Host memory for lists of rows that kernels read until the next find() has returned.
  PinnedBuffer& lists() { return lists_; }

 private:
  View<domain::OutsideRow> found();
  PinnedBuffer memory_, lists_;  // memory_: of found()
  Array<std::int64_t> counter_;  // counts all rows that were found so far
  Index before_ = 0;             // counter_ at the last find()
};

/// Lists the locals in regions.
class RowsInRegions {
 public:
  explicit RowsInRegions(const Executor& device);
  /// Lists the rows of the locals in each region; waits for the device.
  void list(const ParticleStore& store, std::span<const domain::CutRegion> regions);
  /// The rows in device memory, by region, and ascending within each. Those of region r are
  /// [ends()[r - 1], ends()[r]).
  const std::int32_t* rows() const { return rows_.view().data; }
  std::span<const Index> ends() const { return ends_; }

 private:
  /// Lists at most ListRowsArgs::most_regions regions after the rows of earlier ones.
  void list_some(const ParticleStore& store, std::span<const domain::CutRegion> regions);
  /// Makes rows_ larger, keeping its first rows.
  void grow(Index size, Index kept);
  Array<std::int32_t> rows_, counts_;
  PinnedBuffer group_ends_;
  std::vector<Index> ends_;
};

}  // namespace gsim::detail
