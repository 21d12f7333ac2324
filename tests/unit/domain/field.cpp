// Fields' halos on 1 to 8 ranks against the whole grid, which every rank knows.

#include "gsim/domain/field.hpp"

#include <algorithm>
#include <atomic>
#include <random>

#include <doctest/doctest.h>

#include "support/link.hpp"

using namespace gsim;

namespace {

struct Case {
  Cell cells, width;
  std::array<Boundary, 3> boundaries;
};

/// What a cell of the grid holds: another value for each cell, component and step.
template <class T>
T value(const Cell& n, const Cell& c, int component, int step) {
  return static_cast<T>(((c[2] * n[1] + c[1]) * n[0] + c[0]) * 64 + component * 8 + step + 1);
}

template <class Visit>
void for_each(const CellBlock& block, Visit visit) {
  for (Index x = block.lo[0]; x < block.hi[0]; ++x)
    for (Index y = block.lo[1]; y < block.hi[1]; ++y)
      for (Index z = block.lo[2]; z < block.hi[2]; ++z) visit(Cell{x, y, z});
}

template <class T>
void fill(Field& field, const CellBlock& block, const Cell& n, int step) {
  const auto e = field.elements<T>();
  for_each(block, [&](const Cell& c) {
    for (int k = 0; k < field.components(); ++k)
      e[field.layout().row(c) * field.components() + k] = value<T>(n, c, k, step);
  });
}

/// Elements that are not the whole grid's; those beyond open faces must still be `untouched`.
template <class T>
int wrong(Field& field, const Case& c, int step, int own_step, T untouched) {
  int errors = 0;
  const auto e = field.elements<T>();
  for_each(field.layout().extended(), [&](const Cell& at) {
    bool outside = false;
    Cell home = at;
    for (std::size_t a = 0; a < 3; ++a) {
      while (c.boundaries[a] == Boundary::periodic && home[a] < 0) home[a] += c.cells[a];
      while (c.boundaries[a] == Boundary::periodic && home[a] >= c.cells[a]) home[a] -= c.cells[a];
      outside = outside || home[a] < 0 || home[a] >= c.cells[a];
    }
    const int s = field.layout().block.contains(at) ? own_step : step;
    for (int k = 0; k < field.components(); ++k)
      errors += e[field.layout().row(at) * field.components() + k] !=
                (outside ? untouched : value<T>(c.cells, home, k, s));
  });
  return errors;
}

int count_errors(const Communicator& comm, const Case& c, BufferPath path) {
  const GridDecomposition grid(c.cells, c.boundaries, comm.size());
  const Executor host = Executor::host(1);
  FieldHalo halo(comm, grid, c.width, host, path, 3);
  FieldHalo other(comm, grid, c.width, host, path, 4);
  const FieldLayout& layout = halo.layout();
  Field a = Field::of<double>(host, layout), b = Field::of<float>(host, layout, 3);
  Field d = Field::of<std::int64_t>(host, layout, 2), e = Field::of<std::int32_t>(host, layout);
  for (auto& x : a.elements<double>()) x = -1;
  for (auto& x : b.elements<float>()) x = -1;
  int errors = 0;
  for (int step = 0; step < 2; ++step) {
    fill<double>(a, layout.block, c.cells, step);
    fill<float>(b, layout.block, c.cells, step);
    fill<std::int64_t>(d, layout.block, c.cells, step);
    fill<std::int32_t>(e, layout.block, c.cells, step);
    Field* const first[] = {&a, &b, &e};
    Field* const second[] = {&d};
    halo.post(first);
    other.post(second);
    // Owned cells may change at once: what travels is what they were.
    fill<double>(a, layout.interior(), c.cells, step + 4);
    for (const CellBlock& part : layout.rim()) fill<double>(a, part, c.cells, step + 4);
    halo.progress();
    other.finish();
    halo.finish();
    errors += wrong<double>(a, c, step, step + 4, -1);
    errors += wrong<float>(b, c, step, step, -1);
    errors += wrong<std::int64_t>(d, c, step, step, 0);
    errors += wrong<std::int32_t>(e, c, step, step, 0);
  }
  // Interior and rim are the block, and nothing twice.
  Index cells = layout.interior().cells();
  for (const CellBlock& part : layout.rim()) cells += part.cells();
  return errors + (cells != layout.block.cells());
}

}  // namespace

TEST_CASE("field: ghosts of any width are the cells they are copies of") {
  const auto open = Boundary::open, periodic = Boundary::periodic;
  std::vector<Case> cases = {{{6, 7, 8}, {1, 1, 1}, {periodic, periodic, periodic}},
                             {{6, 7, 8}, {2, 2, 2}, {open, open, open}},
                             {{17, 2, 1}, {4, 3, 2}, {periodic, periodic, open}},     // thin bricks
                             {{3, 1, 2}, {5, 4, 3}, {periodic, periodic, periodic}},  // images
                             {{1, 1, 1}, {1, 1, 1}, {periodic, periodic, periodic}},
                             {{5, 4, 3}, {0, 2, 0}, {periodic, periodic, open}}};
  std::mt19937 bits(7);
  for (int i = 0; i < 12; ++i) {
    Case c{};
    for (std::size_t a = 0; a < 3; ++a) {
      c.cells[a] = 1 + static_cast<Index>(bits() % 9);
      c.width[a] = static_cast<Index>(bits() % 4);
      c.boundaries[a] = bits() % 3 == 0 ? open : periodic;
    }
    cases.push_back(c);
  }
  for (const Case& c : cases)
    for (int ranks : {1, 2, 3, 4, 5, 8}) {
      std::atomic<int> errors{0};
      run_in_process(ranks, [&](Communicator comm) {
        errors += count_errors(comm, c, BufferPath::host);
        if (comm.size() == 1) return;
        test::link(comm);
        errors += count_errors(comm, c, BufferPath::ipc);
        release_buffer_path(comm);
      });
      INFO("ranks " << ranks << ", cells " << c.cells[0] << " " << c.cells[1] << " " << c.cells[2]
                    << ", width " << c.width[0] << " " << c.width[1] << " " << c.width[2]);
      CHECK(errors == 0);
    }
}

TEST_CASE("grid: blocks tile any grid, evenly or along the bricks of particles") {
  const std::array<Boundary, 3> mixed{Boundary::periodic, Boundary::open, Boundary::periodic};
  const Box box({0, 0, 0}, {10, 8, 3}, {}, mixed);
  for (int ranks : {1, 2, 3, 5, 8, 13})
    for (const Cell& n : {Cell{1, 1, 1}, Cell{10, 8, 3}, Cell{31, 2, 5}})
      for (const GridDecomposition& grid :
           {GridDecomposition(n, mixed, ranks), GridDecomposition(n, box, {box, ranks})}) {
        std::vector<CellBlock> blocks;
        for (int r = 0; r < ranks; ++r) blocks.push_back(grid.block(r));
        CHECK_NOTHROW(GridDecomposition(n, mixed, blocks));
        const auto full = std::find_if(blocks.begin(), blocks.end(),
                                       [](const CellBlock& b) { return !b.empty(); });
        full->hi[0] += 1;
        CHECK_THROWS_AS(GridDecomposition(n, mixed, blocks), Error);
      }
  // Lines along the first axis stay whole as long as no other is longer.
  const GridDecomposition cube({8, 8, 8}, mixed, 4);
  for (int r = 0; r < 4; ++r) CHECK(cube.block(r).size(0) == 8);
  CHECK_THROWS_AS(GridDecomposition({0, 1, 1}, mixed, 1), InputError);
  CHECK_THROWS_AS(GridDecomposition({1, 1, 1}, mixed, 0), InputError);
}
