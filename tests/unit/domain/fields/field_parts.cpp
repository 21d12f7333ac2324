// Cells that may be computed before ghosts have been received: ghosts are NaN until they are set,
// and the stencil of a cell that may be computed must contain no NaN.

#include "gsim/domain/field_parts.hpp"

#include <atomic>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "gsim/domain/field_boundary.hpp"
#include "tests/unit/domain/fields/field_cases.hpp"

using namespace gsim;
using namespace gsim::test;

namespace {

/// Whether a cell and all its neighbours along the axes hold finite numbers.
bool stencil_is_finite(const std::vector<double>& e, const FieldLayout& layout, const Cell& c) {
  for (std::size_t a = 0; a < 3; ++a)
    for (Index d = -layout.width[a]; d <= layout.width[a]; ++d) {
      Cell cell = c;
      cell[a] += d;
      if (std::isnan(e[static_cast<std::size_t>(layout.row(cell))])) return false;
    }
  return true;
}

int count_errors(const Communicator& comm, const FieldCase& c) {
  const GridDecomposition grid(c.cells, c.boundaries, comm.size());
  const Executor host = Executor::host(1);
  FieldHalo halo(comm, grid, c.ghost_layers, host, BufferPath::host);
  FieldBoundary boundary(grid, halo.layout());
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2 && grid.boundary(axis) == Boundary::open; ++side)
      boundary.set(axis, side, {FaceRule::zero_gradient});
  Field field = Field::of<double>(host, halo.layout());
  set_cells<double>(
      field, [](const Cell&, int) { return 1; }, std::numeric_limits<double>::quiet_NaN());
  Field* const fields[] = {&field};
  const FieldParts parts = FieldParts::of(grid, halo.layout());
  int errors = 0;
  halo.post(fields);
  boundary.fill(field);
  const auto before = to_host<double>(field);
  for_each_cell(parts.inner, [&](const Cell& cell) {
    errors += !stencil_is_finite(before, halo.layout(), cell);
  });
  halo.finish();
  const auto after = to_host<double>(field);
  Index cells = parts.inner.cells();
  for (const CellBlock& part : parts.outer) {
    cells += part.cells();
    for_each_cell(part, [&](const Cell& cell) {
      errors += !stencil_is_finite(after, halo.layout(), cell) || parts.inner.contains(cell);
    });
  }
  if (comm.size() == 1) errors += !parts.outer.empty();
  return errors + (cells != halo.layout().block.cells());
}

}  // namespace

TEST_CASE(
    "field parts: inner cells need no received ghosts, and inner and outer parts make up the "
    "block") {
  for (const FieldCase& c : field_cases())
    for (const int ranks : {1, 2, 3, 4, 7}) {
      // Cases with blocks thinner than the halo are omitted: there a ghost beyond a face may mirror
      // a cell of another rank.
      std::atomic<int> errors{0};
      std::atomic<bool> is_thin{false};
      run_in_process(ranks, [&](Communicator comm) {
        const GridDecomposition grid(c.cells, c.boundaries, comm.size());
        for (int a = 0; a < 3; ++a)
          if (const Index n = grid.block(comm.rank()).size(a);
              n > 0 && n < c.ghost_layers[static_cast<std::size_t>(a)])
            is_thin = true;
        comm.barrier();
        if (!is_thin) errors += count_errors(comm, c);
      });
      INFO("ranks " << ranks << ", cells " << c.cells[0] << " " << c.cells[1] << " " << c.cells[2]
                    << ", ghost layers " << c.ghost_layers[0] << " " << c.ghost_layers[1] << " "
                    << c.ghost_layers[2]);
      CHECK(errors == 0);
    }
}
