#include "gsim/domain/field_rows.hpp"

#include <atomic>
#include <cstring>
#include <limits>
#include <mutex>
#include <set>

#include <doctest/doctest.h>

#include "tests/unit/domain/fields/field_cases.hpp"

using namespace gsim;
using namespace gsim::test;

namespace {

std::int64_t cell_number(const Cell& n, const Cell& c) {
  return c[0] + n[0] * (c[1] + n[1] * c[2]);
}

/// The rows of a rank begin at a multiple of `unit`.
int count_errors(const Communicator& comm, const FieldCase& c, Index unit,
                 const Executor& executor) {
  const GridDecomposition grid(c.cells, c.boundaries, comm.size());
  const FieldLayout layout = FieldLayout::of(grid.block(comm.rank()), c.ghost_layers);
  const FieldRows rows(comm, grid, unit);
  Field field = Field::of<std::int64_t>(executor, layout, 2);
  set_cells<std::int64_t>(
      field, [&](const Cell& cell, int k) { return 2 * cell_number(c.cells, cell) + k; }, -5);
  const auto before = to_host<std::int64_t>(field);

  int errors = 0;
  const std::vector<std::byte> bytes = rows.from_field(field);
  std::vector<std::int64_t> values(static_cast<std::size_t>(2 * rows.mine().size()));
  errors += bytes.size() != values.size() * 8;
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    errors += values[i] != 2 * rows.mine().first + static_cast<std::int64_t>(i);
  errors += rows.mine().first % unit != 0 && rows.mine().first != rows.rows();

  set_cells<std::int64_t>(
      field, [](const Cell&, int) { return -1; }, -5);
  rows.to_field(bytes, field);
  return errors + (to_host<std::int64_t>(field) != before);
}

}  // namespace

TEST_CASE(
    "field rows: blocks are redistributed to contiguous rows and back, on any number of ranks") {
  for (const FieldCase& c : field_cases())
    for (const int ranks : {1, 2, 3, 4, 7})
      for (const Index unit : {Index{1}, Index{5}, c.cells[0] * c.cells[1], Index{1000}}) {
        std::atomic<int> errors{0};
        run_in_process(ranks, [&](Communicator comm) {
          errors += count_errors(comm, c, unit, Executor::host(1));
        });
        INFO("ranks " << ranks << ", unit " << unit << ", cells " << c.cells[0] << " " << c.cells[1]
                      << " " << c.cells[2]);
        CHECK(errors == 0);
      }
  for (const Executor& executor : all_executors())
    CHECK(count_errors(Communicator::self(), field_cases()[1], 7, executor) == 0);
}

TEST_CASE("field rows: the digest depends on every value and not on the number of ranks") {
  const auto periodic = Boundary::periodic;
  const Cell n{7, 5, 6};
  const auto digest_of = [&](int ranks, const Cell& changed, double value) {
    std::set<std::uint64_t> digests;
    std::mutex lock;
    run_in_process(ranks, [&](Communicator comm) {
      const GridDecomposition grid(n, {periodic, periodic, periodic}, comm.size());
      Field field =
          Field::of<double>(Executor::host(1), FieldLayout::of(grid.block(comm.rank()), {1, 1, 1}));
      set_cells<double>(field, [&](const Cell& c, int) {
        return c == changed ? value : 0.1 * static_cast<double>(cell_number(n, c));
      });
      const std::uint64_t d = FieldRows(comm, grid, 16).digest<double>(field);
      const std::lock_guard guard(lock);
      digests.insert(d);
    });
    CHECK(digests.size() == 1);  // the same on every rank
    return *digests.begin();
  };
  const Cell no_cell{-1, 0, 0};
  const std::uint64_t on_one_rank = digest_of(1, no_cell, 0);
  for (const int ranks : {2, 3, 4, 7}) CHECK(digest_of(ranks, no_cell, 0) == on_one_rank);
  for (const Cell& c : {Cell{0, 0, 0}, Cell{3, 2, 2}, Cell{6, 4, 5}})
    CHECK(digest_of(3, c, 1e-300) != on_one_rank);
}
