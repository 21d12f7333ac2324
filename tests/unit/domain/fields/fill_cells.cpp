#include "gsim/domain/fill_cells.hpp"

#include <array>
#include <atomic>

#include <doctest/doctest.h>

#include "tests/unit/domain/fields/field_cases.hpp"

using namespace gsim;
using namespace gsim::test;

namespace {

double value_of(const Cell& c) { return static_cast<double>(c[0] + 100 * c[1] + 10000 * c[2]); }

/// Number of elements that differ from value(cell, component), or from 0 in ghosts.
template <class T, class Value>
int count_errors(Field& field, const Value& value) {
  Field expected = Field::of<T>(field.executor(), field.layout(), field.components());
  set_cells<T>(expected, value);
  const auto values = to_host<T>(field), expected_values = to_host<T>(expected);
  int errors = values.size() != expected_values.size();
  for (std::size_t i = 0; i < values.size(); ++i) errors += values[i] != expected_values[i];
  return errors;
}

int count_errors(const Communicator& comm, const FieldCase& c, const Executor& executor) {
  const GridDecomposition grid(c.cells, c.boundaries, comm.size());
  const FieldLayout layout = FieldLayout::of(grid.block(comm.rank()), c.ghost_layers);
  int errors = 0;

  Field scalar = Field::of<double>(executor, layout);
  fill_cells(scalar, value_of);
  errors += count_errors<double>(scalar, [](const Cell& cell, int) { return value_of(cell); });

  Field vector = Field::of<float>(executor, layout, 3);
  fill_cells(vector, [](const Cell& cell) {
    const auto x = static_cast<float>(value_of(cell));
    return std::array<float, 3>{x, -x, x + 1};
  });
  errors += count_errors<float>(vector, [](const Cell& cell, int k) {
    const auto x = static_cast<float>(value_of(cell));
    return k == 0 ? x : k == 1 ? -x : x + 1;
  });

  std::vector<Field> two_fields;
  for (int k = 0; k < 2; ++k) two_fields.push_back(Field::of<double>(executor, layout));
  fill_cells(std::span<Field>(two_fields), [](const Cell& cell) {
    return std::array<double, 2>{value_of(cell), 2 * value_of(cell)};
  });
  for (int k = 0; k < 2; ++k)
    errors += count_errors<double>(two_fields[static_cast<std::size_t>(k)],
                                   [&](const Cell& cell, int) { return (k + 1) * value_of(cell); });
  return errors;
}

}  // namespace

TEST_CASE("fill cells: the cells of a rank have their values, and ghosts are zero") {
  for (const FieldCase& c : field_cases()) {
    for (const int ranks : {1, 2, 3, 7}) {
      std::atomic<int> errors{0};
      run_in_process(
          ranks, [&](Communicator comm) { errors += count_errors(comm, c, Executor::host(1)); });
      INFO("ranks " << ranks << ", cells " << c.cells[0] << " " << c.cells[1] << " " << c.cells[2]);
      CHECK(errors == 0);
    }
    for (const Executor& executor : all_executors())
      CHECK(count_errors(Communicator::self(), c, executor) == 0);
  }
}

TEST_CASE("fill cells: values of another size than the cells are errors") {
  Field field =
      Field::of<double>(Executor::host(1), FieldLayout::of({{0, 0, 0}, {2, 2, 2}}, {}), 2);
  CHECK_THROWS_WITH_AS(
      fill_cells(field, value_of),
      "fill_cells(): a cell of the fields has 16 bytes, but the function returns 8 bytes; return "
      "one value of the element type for each component of the fields",
      Error);
}
