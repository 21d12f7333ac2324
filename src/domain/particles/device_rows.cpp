#include "src/domain/particles/device_rows.hpp"

#include "kernels/domain/copy_rows.hpp"

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

std::vector<std::int64_t> count_rows_on_device(const ParticleStore& store,
                                               std::span<const domain::CutRegion> regions) {
  const Array<domain::CutRegion> device_regions(store.executor(), regions);
  Array<std::int64_t> counts(store.executor(), device_regions.size());
  domain_count_rows(store.executor(), {positions_of(store), device_regions.view(), counts.view()});
  return counts.to_host();
}

void select_rows_on_device(const ParticleStore& store, const domain::CutRegion& region, bool inside,
                           std::int32_t* rows) {
  domain_select_rows(store.executor(), {positions_of(store), region, inside, rows});
}

SelectedRows rows_outside_on_device(const ParticleStore& store, const Brick& brick) {
  const domain::CutRegion region = region_of(brick);
  const Index outside = store.locals() - count_rows_on_device(store, {&region, 1}).front();
  if (outside == 0) return {};
  Array<std::int32_t> rows(store.executor(), outside);
  select_rows_on_device(store, region, false, rows.view().data);
  Array<FixedPosition> positions(store.executor(), outside);
  domain::CopyRowsArgs copy{rows.view().data, nullptr, outside, 1, {}};
  constexpr Index bytes = sizeof(FixedPosition);
  copy.column[0] = {store.data(store.position()),
                    reinterpret_cast<std::byte*>(positions.view().data), bytes, bytes, bytes};
  domain_copy_rows(store.executor(), copy);
  return {rows.to_host(), positions.to_host()};
}

}  // namespace gsim::detail
