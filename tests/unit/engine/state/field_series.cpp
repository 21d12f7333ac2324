// Fields in checkpoints and in time series for ParaView, on any number of ranks.

#include "gsim/engine/field_series.hpp"

#include <doctest/doctest.h>

#include "gsim/engine/field_state.hpp"
#include "gsim/io/memory_datasets.hpp"
#include "gsim/io/result_file.hpp"
#include "support/folder_contents.hpp"
#include "support/test_executor.hpp"
#include "unit/domain/fields/field_cases.hpp"

using namespace gsim;
using namespace gsim::test;

namespace {

const Cell cells{5, 4, 6};
const std::array<Boundary, 3> boundaries{Boundary::periodic, Boundary::open, Boundary::periodic};

double value_of(Index row, Index component, Index step) {
  return static_cast<double>(row) + static_cast<double>(component) / 4 +
         static_cast<double>(step) * 1000;
}

/// A rank's part of the fields temperature and velocity, and their time series.
struct FieldsAndSeries {
  FieldsAndSeries(const Communicator& c, const std::string& path)
      : communicator(c),
        grid(cells, boundaries, c.size()),
        layout(FieldLayout::of(grid.block(c.rank()), {1, 1, 1})),
        temperature(
            Field::of<double>(gsim::test::test_executor(), layout, 1, {"temperature", "K"})),
        velocity(Field::of<float>(gsim::test::test_executor(), layout, 3, {"velocity", "m/s"})),
        series(c, grid, {cells, {0.5, 0, -1}, {0.1, 0.2, 0.3}, "m", "s"}, path,
               std::vector<const Field*>{&temperature, &velocity}, {.buffer_bytes = 700}) {}

  void set(Index step) {
    auto temperatures = gsim::test::to_host<double>(temperature);
    auto velocities = gsim::test::to_host<float>(velocity);
    for (Index z = layout.block.lo[2]; z < layout.block.hi[2]; ++z)
      for (Index y = layout.block.lo[1]; y < layout.block.hi[1]; ++y)
        for (Index x = layout.block.lo[0]; x < layout.block.hi[0]; ++x) {
          const Index row = x + cells[0] * (y + cells[1] * z);
          const auto at = static_cast<std::size_t>(layout.row(x, y, z));
          temperatures[at] = value_of(row, 0, step);
          for (Index k = 0; k < 3; ++k)
            velocities[3 * at + static_cast<std::size_t>(k)] =
                static_cast<float>(value_of(row, k, step));
        }
    gsim::test::from_host(temperatures, temperature);
    gsim::test::from_host(velocities, velocity);
  }
  void append(Index first, Index last) {
    for (Index step = first; step < last; ++step) {
      set(step);
      const Field* const appended[] = {&temperature, &velocity};
      series.append(0.25 * static_cast<double>(step), appended);
    }
  }

  Communicator communicator;
  GridDecomposition grid;
  FieldLayout layout;
  Field temperature, velocity;
  FieldSeries series;
};

void check_file(const std::string& path, Index steps) {
  ResultReader file(Communicator::self(), path);
  CHECK(file.extents("VTKHDF/CellData/temperature") == std::vector<Index>{steps, 6, 4, 5});
  CHECK(file.extents("VTKHDF/CellData/velocity") == std::vector<Index>{steps, 6, 4, 5, 3});
  // Each quantity and its unit is given once, where the field is created.
  CHECK(file.attribute("VTKHDF/CellData/temperature", "unit") == "K");
  CHECK(file.attribute("VTKHDF/CellData/velocity", "unit") == "m/s");
  CHECK(file.attribute("VTKHDF", "length_unit") == "m");
  CHECK(file.attribute("VTKHDF/Steps/Values", "unit") == "s");
  const auto t = file.read<double>("VTKHDF/CellData/temperature");
  const auto v = file.read<float>("VTKHDF/CellData/velocity");
  bool same = true;
  for (Index step = 0, i = 0; step < steps; ++step)
    for (Index row = 0; row < 120; ++row, ++i) {
      same = same && t[static_cast<std::size_t>(i)] == value_of(row, 0, step);
      for (Index k = 0; k < 3; ++k)
        same = same &&
               v[static_cast<std::size_t>(3 * i + k)] == static_cast<float>(value_of(row, k, step));
    }
  CHECK(same);
  std::vector<double> times;
  for (Index step = 0; step < steps; ++step) times.push_back(0.25 * static_cast<double>(step));
  CHECK(file.read<double>("VTKHDF/Steps/Values") == times);
  CHECK(file.attribute("VTKHDF", "Type") == "ImageData");
  const auto numbers = [&](const char* group, const char* name) {
    return file.attribute_numbers(group, name);
  };
  CHECK(numbers("VTKHDF", "WholeExtent") == std::vector<double>{0, 5, 0, 4, 0, 6});
  CHECK(numbers("VTKHDF", "Origin") == std::vector<double>{0.5, 0, -1});
  CHECK(numbers("VTKHDF", "Spacing") == std::vector<double>{0.1, 0.2, 0.3});
  CHECK(numbers("VTKHDF/Steps", "NSteps") == std::vector<double>{static_cast<double>(steps)});
}

}  // namespace

TEST_CASE(
    "field series: the same file on any number of ranks, also if a run is resumed on another "
    "number") {
  const ScratchFolder folder;
  std::string reference;
  std::uint64_t digest = 0;
  for (const int ranks : {1, 2, 3, 4, 7}) {
    const std::string path = folder / ("whole" + std::to_string(ranks) + ".vtkhdf");
    std::uint64_t file_digest = 0;
    run_in_process(ranks, [&](Communicator comm) {
      FieldsAndSeries fields(comm, path);
      fields.series.start();
      fields.append(0, 5);
      const std::uint64_t d = fields.series.digest();
      CHECK(fields.series.finish().empty());
      if (comm.is_root()) file_digest = d;
    });
    if (ranks == 1) {
      check_file(path, 5);
      reference = bytes_of(path);
      digest = file_digest;
    }
    CHECK(file_digest == digest);
    CHECK(bytes_of(path) == reference);

    const std::string resumed = folder / ("resumed" + std::to_string(ranks) + ".vtkhdf");
    MemoryDatasets::Contents state;
    run_in_process(ranks, [&](Communicator comm) {
      FieldsAndSeries fields(comm, resumed);
      fields.series.start();
      fields.append(0, 2);
      MemoryDatasets memory(comm);
      fields.series.save(memory, "pictures");
      fields.append(2, 4);  // no checkpoint covers these
      if (comm.is_root()) state = memory.contents();
    });
    run_in_process(ranks % 3 + 1, [&](Communicator comm) {
      FieldsAndSeries fields(comm, resumed);
      MemoryDatasets memory(comm, state);
      fields.series.restore(memory, "pictures");
      CHECK(fields.series.steps() == 2);
      fields.append(2, 5);
      CHECK(fields.series.digest() == digest);
      fields.series.finish();
    });
    CHECK(bytes_of(resumed) == reference);
  }
}

TEST_CASE(
    "field state: the dataset of a field is the same from any number of ranks and restored on "
    "any") {
  MemoryDatasets::Contents reference;
  for (const int ranks : {1, 2, 3, 4, 7}) {
    MemoryDatasets::Contents state;
    run_in_process(ranks, [&](Communicator comm) {
      const ScratchFolder folder;
      FieldsAndSeries fields(comm, folder / "unused.vtkhdf");
      fields.set(3);
      MemoryDatasets memory(comm);
      const FieldRows rows(comm, fields.grid, 7);
      save_field<double>(memory, "state/temperature", rows, fields.temperature);
      save_field<float>(memory, "state/velocity", rows, fields.velocity);
      CHECK_THROWS_AS(save_field<float>(memory, "state/wrong", rows, fields.temperature), Error);
      if (comm.is_root()) state = memory.contents();
    });
    if (ranks == 1) {
      reference = state;
      const auto& v = reference.datasets.at("state/velocity");
      CHECK(v.shape.rows == 120);
      CHECK(v.shape.columns == 3);
    }
    CHECK(state == reference);
    run_in_process(ranks, [&](Communicator comm) {
      const ScratchFolder folder;
      FieldsAndSeries a(comm, folder / "unused.vtkhdf"), b(comm, folder / "unused.vtkhdf");
      a.set(3);
      MemoryDatasets memory(comm, reference);
      const FieldRows rows(comm, b.grid, 11);
      restore_field<double>(memory, "state/temperature", rows, b.temperature);
      restore_field<float>(memory, "state/velocity", rows, b.velocity);
      CHECK(rows.digest<double>(a.temperature) == rows.digest<double>(b.temperature));
      CHECK(rows.digest<float>(a.velocity) == rows.digest<float>(b.velocity));
      Field two_components = Field::of<double>(gsim::test::test_executor(), b.layout, 2);
      CHECK_THROWS_AS(restore_field<double>(memory, "state/temperature", rows, two_components),
                      IoError);
      CHECK_THROWS_AS(restore_field<float>(memory, "state/temperature", rows, two_components),
                      Error);
    });
  }
}
