// Ghosts beyond open faces are compared with a recursion over the complete grid, which every rank
// computes.

#include "gsim/domain/field_boundary.hpp"

#include <atomic>

#include <doctest/doctest.h>

#include "tests/unit/domain/fields/field_cases.hpp"

using namespace gsim;
using namespace gsim::test;

namespace {

/// A rule and a value that differ between faces and components; side 0: lower, 1: upper.
FaceCondition condition_at(int axis, int side, int component) {
  const int n = (7 * axis + 3 * side + component) % 4;
  return {static_cast<FaceRule>(n), 10 * axis + 5 * side + component + 0.25};
}

/// The value of a cell inside; multiples of 1/2, so that sums are exact in float, too.
double cell_value(const Cell& n, const Cell& c, int component) {
  return static_cast<double>((c[2] * n[1] + c[1]) * n[0] + c[0]) * 0.5 + component * 1000;
}

/// The value of any cell, with ghosts filled along x, then y, then z.
double expected_value(const FieldCase& grid, Cell c, int component, double untouched) {
  for (std::size_t a = 3; a-- > 0;) {
    const Index n = grid.cells[a];
    if (grid.boundaries[a] == Boundary::periodic) {
      c[a] = ((c[a] % n) + n) % n;
      continue;
    }
    if (c[a] >= 0 && c[a] < n) continue;
    const int side = c[a] < 0 ? 0 : 1;
    const FaceCondition condition = condition_at(static_cast<int>(a), side, component);
    Cell image = c;
    image[a] = side == 0 ? -1 - c[a] : 2 * n - 1 - c[a];
    switch (condition.rule) {
      case FaceRule::untouched:
        return untouched;
      case FaceRule::ghost_value:
        return condition.value;
      case FaceRule::zero_gradient:
        return expected_value(grid, image, component, untouched);
      case FaceRule::face_value:
        return 2 * condition.value - expected_value(grid, image, component, untouched);
    }
  }
  return cell_value(grid.cells, c, component);
}

template <class T>
int count_errors(const Communicator& comm, const FieldCase& c, const Executor& executor,
                 int components) {
  const GridDecomposition grid(c.cells, c.boundaries, comm.size());
  FieldHalo halo(comm, grid, c.ghost_layers, executor,
                 executor.is_cuda() ? BufferPath::staged : BufferPath::host);
  FieldBoundary boundary(grid, halo.layout(), components);
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2 && grid.boundary(axis) == Boundary::open; ++side)
      for (int k = 0; k < components; ++k) boundary.set(axis, side, k, condition_at(axis, side, k));
  Field field = Field::of<T>(executor, halo.layout(), components);
  const T untouched = -7;
  set_cells<T>(
      field, [&](const Cell& cell, int k) { return static_cast<T>(cell_value(c.cells, cell, k)); },
      untouched);
  Field* const fields[] = {&field};
  halo.post(fields);
  halo.finish();
  boundary.fill(field);
  const auto values = to_host<T>(field);
  int errors = 0;
  for_each_cell(halo.layout().extended(), [&](const Cell& cell) {
    for (int k = 0; k < components; ++k)
      errors += values[static_cast<std::size_t>(halo.layout().row(cell) * components + k)] !=
                static_cast<T>(expected_value(c, cell, k, untouched));
  });
  return errors;
}

}  // namespace

TEST_CASE(
    "field boundary: ghosts beyond faces, edges and corners have their values on any number of "
    "ranks") {
  for (const FieldCase& c : field_cases())
    for (const int ranks : {1, 2, 3, 4, 7}) {
      std::atomic<int> errors{0};
      run_in_process(ranks, [&](Communicator comm) {
        errors += count_errors<double>(comm, c, Executor::host(1), 1);
        errors += count_errors<double>(comm, c, Executor::host(1), 11);
        errors += count_errors<float>(comm, c, Executor::host(1), 3);
      });
      INFO("ranks " << ranks << ", cells " << c.cells[0] << " " << c.cells[1] << " " << c.cells[2]
                    << ", ghost layers " << c.ghost_layers[0] << " " << c.ghost_layers[1] << " "
                    << c.ghost_layers[2]);
      CHECK(errors == 0);
    }
}

TEST_CASE("field boundary: every target and number of threads gives the same ghosts") {
  for (const Executor& executor : all_executors())
    for (const FieldCase& c : field_cases())
      CHECK(count_errors<double>(Communicator::self(), c, executor, 9) == 0);
}

TEST_CASE("field boundary: invalid faces, components and layouts are refused") {
  const auto open = Boundary::open;
  const GridDecomposition grid({3, 2, 4}, {open, Boundary::periodic, open}, 1);
  const FieldLayout layout = FieldLayout::of(grid.block(0), {1, 1, 1});
  FieldBoundary boundary(grid, layout, 2);
  CHECK_THROWS_AS(boundary.set(1, 0, {FaceRule::zero_gradient}), Error);
  CHECK_THROWS_AS(boundary.set(3, 0, {FaceRule::zero_gradient}), Error);
  CHECK_THROWS_AS(boundary.set(0, 2, {FaceRule::zero_gradient}), Error);
  CHECK_THROWS_AS(boundary.set(0, 0, 2, {FaceRule::zero_gradient}), Error);
  Field other = Field::of<double>(Executor::host(1), layout, 1);
  CHECK_THROWS_AS(boundary.fill(other), Error);
  CHECK_THROWS_AS(FieldBoundary(grid, FieldLayout::of(grid.block(0), {4, 1, 1})), InputError);
  CHECK_NOTHROW(FieldBoundary(grid, FieldLayout::of(grid.block(0), {3, 5, 1})));
}
