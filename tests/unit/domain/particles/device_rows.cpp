// Rows that a device selects by position equal those of a loop over the positions.

#include "src/domain/particles/device_rows.hpp"

#include <doctest/doctest.h>

#include "particles.hpp"

using namespace gsim;

namespace {

struct Selection {
  std::vector<std::int32_t> inside, outside;
};

template <class Region>
Selection select(std::span<const FixedPosition> positions, const Region& region) {
  Selection found;
  for (std::size_t i = 0; i < positions.size(); ++i)
    (region.contains(positions[i]) ? found.inside : found.outside)
        .push_back(static_cast<std::int32_t>(i));
  return found;
}

void check_device(const Executor& device, Index count) {
  CAPTURE(count);
  const Box box({0, 0, 0}, {10, 9, 8}, {},
                {Boundary::periodic, Boundary::open, Boundary::periodic});
  const auto all = test::random_positions(box, count, /*seed=*/5);
  ParticleStore store(device);
  store.resize_locals(count);
  device.copy_from_host(store.data(store.position()), all.data(), all.size() * sizeof all[0]);
  const Decomposition bricks(box, 5);
  std::vector<domain::CutRegion> regions;
  detail::RowsOutside rows_outside(device);
  std::vector<Selection> expected;
  for (int rank = 0; rank < bricks.ranks(); ++rank) {
    const HaloRegion halo(box, bricks.brick(rank), 1.5);
    regions.push_back(detail::region_of(halo));
    expected.push_back(select(std::span(all), halo));
    const detail::SelectedRows outside = rows_outside.find(store, bricks.brick(rank));
    const Selection of_brick = select(std::span(all), bricks.brick(rank));
    CHECK(outside.rows == of_brick.outside);
    for (std::size_t i = 0; i < outside.rows.size(); ++i)
      REQUIRE(outside.positions[i] == all[static_cast<std::size_t>(outside.rows[i])]);
  }
  detail::RowsInRegions inside(device);
  // More regions than are listed together, and more rows than the last time.
  for (const std::size_t most : {std::size_t{1}, regions.size(), std::size_t{60}}) {
    std::vector<domain::CutRegion> some;
    std::vector<std::int32_t> all_rows;
    std::vector<Index> ends;
    for (std::size_t r = 0; r < most; ++r) {
      const std::vector<std::int32_t>& rows = expected[r % regions.size()].inside;
      some.push_back(regions[r % regions.size()]);
      all_rows.insert(all_rows.end(), rows.begin(), rows.end());
      ends.push_back(static_cast<Index>(all_rows.size()));
    }
    inside.list(store, some);
    REQUIRE(std::vector<Index>(inside.ends().begin(), inside.ends().end()) == ends);
    std::vector<std::int32_t> listed(all_rows.size());
    if (!listed.empty())
      device.copy_to_host(listed.data(), inside.rows(), listed.size() * sizeof listed[0]);
    CHECK(listed == all_rows);
  }
}

}  // namespace

TEST_CASE("device rows: the rows in halos and outside bricks are those of a loop on the host") {
  for (const CudaDevice& device : cuda_devices())
    for (const Index count : {0, 1, 31, 1000, 20000})
      check_device(Executor::cuda(device.ordinal, 1), count);
}
