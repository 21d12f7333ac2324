#include "src/domain/particles/device_rows.hpp"

#include <algorithm>
#include <utility>

#include "gsim/exec/launch_graph.hpp"

namespace gsim::detail {
namespace {

View<const FixedPosition> positions_of(const ParticleStore& store) {
  return {reinterpret_cast<const FixedPosition*>(store.data(store.position())), store.locals()};
}

}  // namespace

domain::CutRegion region_of(const Brick& brick) {
  domain::CutRegion region;
  for (std::size_t a = 0; a < 3; ++a) {
    region.lo[a] = static_cast<std::uint32_t>(brick.lo[a]);
    region.span[a] = brick.hi[a] - brick.lo[a];
  }
  return region;
}

domain::CutRegion region_of(const HaloRegion& halo) {
  domain::CutRegion region;
  for (std::size_t a = 0; a < 3; ++a) {
    region.lo[a] = halo.lo()[a];
    region.span[a] = halo.span()[a];
  }
  return region;
}

RowsOutside::RowsOutside(const Executor& device)
    : memory_(device, 0), lists_(device, 0), counter_(device, 1) {}

View<domain::OutsideRow> RowsOutside::found() {
  const std::span<std::byte> bytes = memory_.bytes();
  return {reinterpret_cast<domain::OutsideRow*>(bytes.data()),
          static_cast<Index>(bytes.size() / sizeof(domain::OutsideRow))};
}

SelectedRows RowsOutside::find(const ParticleStore& store, const Brick& brick) {
  constexpr Index first_room = 512;
  constexpr std::int64_t none = -1;
  for (Index room = std::max(first_room, found().size);; room *= 4) {
    if (room > found().size) {
      memory_ = PinnedBuffer(store.executor(),
                             static_cast<std::size_t>(room) * sizeof(domain::OutsideRow));
      for (Index k = 0; k < room; ++k) found()[k].row = none;
    }
    domain_collect_rows(store.executor(), {positions_of(store), region_of(brick), found(),
                                           counter_.view().data, before_});
    store.executor().synchronize();
    const View<domain::OutsideRow> rows = found();
    Index count = 0;
    while (count < rows.size && rows[count].row != none) ++count;
    if (count < rows.size) {
      before_ += count;
      std::sort(rows.data, rows.data + count,
                [](const auto& a, const auto& b) { return a.row < b.row; });
      SelectedRows selected;
      for (Index k = 0; k < count; ++k) {
        selected.rows.push_back(static_cast<std::int32_t>(rows[k].row));
        selected.positions.push_back(rows[k].position);
        rows[k].row = none;
      }
      return selected;
    }
    counter_.resize_discard(1);  // there may be more rows than room
    before_ = 0;
  }
}

RowsInRegions::RowsInRegions(const Executor& device)
    : rows_(device, 0),
      counts_(device, 0),
      group_ends_(device, domain::ListRowsArgs::most_regions * sizeof(std::int32_t)) {}

void RowsInRegions::list(const ParticleStore& store, std::span<const domain::CutRegion> regions) {
  ends_.clear();
  constexpr std::size_t group = domain::ListRowsArgs::most_regions;
  for (std::size_t first = 0; first < regions.size(); first += group)
    list_some(store, regions.subspan(first, std::min(group, regions.size() - first)));
}

void RowsInRegions::list_some(const ParticleStore& store,
                              std::span<const domain::CutRegion> regions) {
  const Index before = ends_.empty() ? 0 : ends_.back();
  if (store.locals() == 0) {
    ends_.insert(ends_.end(), regions.size(), before);
    return;
  }
  domain::ListRowsArgs args{};
  args.positions = positions_of(store);
  std::copy(regions.begin(), regions.end(), args.region);
  args.regions = static_cast<int>(regions.size());
  constexpr Index block = domain::ListRowsArgs::block;
  counts_.resize_uninitialised((store.locals() + block - 1) / block * args.regions);
  args.counts = counts_.view().data;
  args.ends = reinterpret_cast<std::int32_t*>(group_ends_.bytes().data());
  domain_count_rows(store.executor(), args);
  // The rows are listed before the host has read their number: memory for as many as in the last
  // call usually suffices.
  const Index room = std::max(rows_.size() - before, Index{0});
  const auto list_rows = [&] {
    args.rows = {rows_.view().data + before, rows_.size() - before};
    domain_list_rows(store.executor(), args);
  };
  if (room > 0) list_rows();
  store.executor().synchronize();
  for (int r = 0; r < args.regions; ++r) ends_.push_back(before + args.ends[r]);
  if (ends_.back() - before <= room) return;
  grow(ends_.back() + ends_.back() / 8, before);
  list_rows();
}

void RowsInRegions::grow(Index size, Index kept) {
  Array<std::int32_t> grown(rows_.executor(), 0);
  grown.resize_uninitialised(size);
  copy_on_executor(rows_.executor(), grown.view().data, rows_.view().data,
                   static_cast<std::size_t>(kept) * sizeof(std::int32_t));
  rows_ = std::move(grown);
}

}  // namespace gsim::detail
