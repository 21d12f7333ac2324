// Halo exchange of fields on 1 to 8 ranks is compared with the complete grid, which every rank
// computes.

#include "gsim/domain/field.hpp"

#include <algorithm>
#include <atomic>
#include <random>

#include <doctest/doctest.h>

#include "support/connect_ipc.hpp"

using namespace gsim;

namespace {

struct Case {
  Cell cells, ghost_layers;
  std::array<Boundary, 3> boundaries;
};

/// The value of a cell, different for each cell, component and step.
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

/// Number of elements that differ from the complete grid: owned cells must have the values of
/// `own_step`, ghosts those of `step`, and ghosts beyond open faces must still be `untouched`.
template <class T>
int count_wrong_elements(Field& field, const Case& c, int step, int own_step, T untouched) {
  int errors = 0;
  const auto e = field.elements<T>();
  for_each(field.layout().extended(), [&](const Cell& cell) {
    bool outside = false;
    Cell source_cell = cell;
    for (std::size_t a = 0; a < 3; ++a) {
      while (c.boundaries[a] == Boundary::periodic && source_cell[a] < 0)
        source_cell[a] += c.cells[a];
      while (c.boundaries[a] == Boundary::periodic && source_cell[a] >= c.cells[a])
        source_cell[a] -= c.cells[a];
      outside = outside || source_cell[a] < 0 || source_cell[a] >= c.cells[a];
    }
    const int s = field.layout().block.contains(cell) ? own_step : step;
    for (int k = 0; k < field.components(); ++k)
      errors += e[field.layout().row(cell) * field.components() + k] !=
                (outside ? untouched : value<T>(c.cells, source_cell, k, s));
  });
  return errors;
}

/// Number of wrong elements after exchanges of two halos at the same time.
int count_errors(const Communicator& comm, const Case& c, BufferPath path) {
  const GridDecomposition grid(c.cells, c.boundaries, comm.size());
  const Executor host = Executor::host(1);
  // Exchanges that are active at the same time have different tags, here 3 and 4.
  FieldHalo halo(comm, grid, c.ghost_layers, host, path, 3);
  FieldHalo other(comm, grid, c.ghost_layers, host, path, 4);
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
    // Owned cells may be changed immediately: the previous values are sent.
    fill<double>(a, layout.interior(), c.cells, step + 4);
    for (const CellBlock& part : layout.rim()) fill<double>(a, part, c.cells, step + 4);
    halo.progress();
    other.finish();
    halo.finish();
    errors += count_wrong_elements<double>(a, c, step, step + 4, -1);
    errors += count_wrong_elements<float>(b, c, step, step, -1);
    errors += count_wrong_elements<std::int64_t>(d, c, step, step, 0);
    errors += count_wrong_elements<std::int32_t>(e, c, step, step, 0);
  }
  // The cells of interior and rim add up to those of the block.
  Index cells = layout.interior().cells();
  for (const CellBlock& part : layout.rim()) cells += part.cells();
  return errors + (cells != layout.block.cells());
}

}  // namespace

TEST_CASE("field: ghosts of any width are copies of the right cells on any number of ranks") {
  const auto open = Boundary::open, periodic = Boundary::periodic;
  std::vector<Case> cases = {{{6, 7, 8}, {1, 1, 1}, {periodic, periodic, periodic}},
                             {{6, 7, 8}, {2, 2, 2}, {open, open, open}},
                             {{17, 2, 1}, {4, 3, 2}, {periodic, periodic, open}},     // thin blocks
                             {{3, 1, 2}, {5, 4, 3}, {periodic, periodic, periodic}},  // halo > grid
                             {{1, 1, 1}, {1, 1, 1}, {periodic, periodic, periodic}},
                             {{5, 4, 3}, {0, 2, 0}, {periodic, periodic, open}}};
  std::mt19937 bits(7);
  for (int i = 0; i < 12; ++i) {
    Case c{};
    for (std::size_t a = 0; a < 3; ++a) {
      c.cells[a] = 1 + static_cast<Index>(bits() % 9);
      c.ghost_layers[a] = static_cast<Index>(bits() % 4);
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
        test::connect_ipc(comm);
        errors += count_errors(comm, c, BufferPath::ipc);
        release_buffer_path(comm);
      });
      INFO("ranks " << ranks << ", cells " << c.cells[0] << " " << c.cells[1] << " " << c.cells[2]
                    << ", ghost layers " << c.ghost_layers[0] << " " << c.ghost_layers[1] << " "
                    << c.ghost_layers[2]);
      CHECK(errors == 0);
    }
}

namespace {

/// Side of the block on which a ghost is, along axis a: -1, 1, or 0 within the block's range.
Index side_of(const CellBlock& block, const Cell& cell, std::size_t a) {
  return cell[a] < block.lo[a] ? -1 : cell[a] >= block.hi[a] ? 1 : 0;
}

/// Counts wrong ghosts if each field is sent in its direction in `directions` only: ghosts on the
/// upstream sides must be copies of their cells, other ghosts must be unchanged.
int count_directional_errors(const Communicator& comm, const Case& c, std::vector<Cell> directions,
                             BufferPath path) {
  const GridDecomposition grid(c.cells, c.boundaries, comm.size());
  const Executor host = Executor::host(1);
  FieldHalo halo(comm, grid, c.ghost_layers, host, path);
  const FieldLayout& layout = halo.layout();
  std::vector<Field> fields;
  fields.push_back(Field::of<float>(host, layout, 3));
  while (fields.size() < directions.size()) fields.push_back(Field::of<double>(host, layout));
  std::vector<Field*> field_pointers;
  for (Field& f : fields) field_pointers.push_back(&f);
  int errors = 0;
  for (int step = 0; step < 2; ++step) {
    for (auto& x : fields[0].elements<float>()) x = -1;
    fill<float>(fields[0], layout.block, c.cells, step);
    for (std::size_t k = 1; k < fields.size(); ++k) {
      for (auto& x : fields[k].elements<double>()) x = -1;
      fill<double>(fields[k], layout.block, c.cells, step + static_cast<int>(k));
    }
    halo.post(field_pointers, directions);
    halo.finish();
    for (std::size_t k = 0; k < fields.size(); ++k)
      for_each(layout.extended(), [&](const Cell& cell) {
        Cell source_cell = cell;
        bool is_sent = true;
        for (std::size_t a = 0; a < 3; ++a) {
          const Index n = c.cells[a], side = side_of(layout.block, cell, a);
          is_sent = is_sent && (side == 0 || directions[k][a] == -side);
          if (c.boundaries[a] == Boundary::periodic) source_cell[a] = (cell[a] % n + n) % n;
          is_sent = is_sent && source_cell[a] >= 0 && source_cell[a] < n;
        }
        const Index row = layout.row(cell);
        if (k == 0)
          for (int i = 0; i < 3; ++i)
            errors += fields[0].elements<float>()[3 * row + i] !=
                      (is_sent ? value<float>(c.cells, source_cell, i, step) : -1);
        else
          errors +=
              fields[k].elements<double>()[row] !=
              (is_sent ? value<double>(c.cells, source_cell, 0, step + static_cast<int>(k)) : -1);
      });
  }
  // A later exchange through the same halo without directions fills all ghosts.
  fill<float>(fields[0], layout.block, c.cells, 5);
  Field* const first[] = {&fields[0]};
  halo.post(first);
  halo.finish();
  return errors + count_wrong_elements<float>(fields[0], c, 5, 5, -1);
}

}  // namespace

TEST_CASE("field: fields that propagate in one direction are sent in this direction only") {
  const auto open = Boundary::open, periodic = Boundary::periodic;
  const std::vector<Case> cases = {{{6, 7, 8}, {1, 1, 1}, {periodic, periodic, periodic}},
                                   {{6, 7, 8}, {2, 1, 0}, {open, periodic, open}},
                                   {{5, 1, 3}, {2, 3, 1}, {periodic, periodic, periodic}},
                                   {{130, 3, 4}, {1, 1, 1}, {periodic, open, periodic}}};
  std::vector<Cell> directions;  // those of the D3Q19 lattice: none, axes and face diagonals
  for (Index x = -1; x <= 1; ++x)
    for (Index y = -1; y <= 1; ++y)
      for (Index z = -1; z <= 1; ++z)
        if (x * y * z == 0) directions.push_back({x, y, z});
  for (const Case& c : cases)
    for (int ranks : {1, 2, 4, 7}) {
      std::atomic<int> errors{0};
      run_in_process(ranks, [&](Communicator comm) {
        errors += count_directional_errors(comm, c, directions, BufferPath::host);
        errors += count_directional_errors(comm, c, {{0, 0, 0}}, BufferPath::host);
      });
      INFO("ranks " << ranks << ", cells " << c.cells[0] << " " << c.cells[1] << " " << c.cells[2]);
      CHECK(errors == 0);
    }
  run_in_process(1, [&](Communicator comm) {
    FieldHalo halo(comm, GridDecomposition({4, 4, 4}, {}, 1), {1, 1, 1}, Executor::host(1),
                   BufferPath::host);
    Field field = Field::of<double>(Executor::host(1), halo.layout());
    Field* const fields[] = {&field};
    const std::vector<Cell> two(2);
    CHECK_THROWS_AS(halo.post(fields, two), Error);
  });
}

TEST_CASE("field: long lines are aligned to 64 bytes, and the margin around a field may be read") {
  for (const Index n : {1, 127, 128, 129, 256})
    for (const Index width : {0, 1, 3, 8, 9}) {
      const FieldLayout layout = FieldLayout::of({{5, 2, 1}, {5 + n, 6, 4}}, {width, 1, 2});
      Field field = Field::of<double>(Executor::host(1), layout);
      const Index length = n + 2 * width;
      const CellBlock all = layout.extended();  // 6 x 7 lines
      CHECK(layout.row(all.lo) >= 0);
      CHECK(layout.row(all.hi[0] - 1, all.hi[1] - 1, all.hi[2] - 1) < layout.rows);
      CHECK(layout.stride[1] >= length);
      CHECK(layout.stride[2] == layout.stride[1] * 6);
      CHECK(layout.rows == layout.stride[2] * 7 + layout.lead);
      if (length >= FieldLayout::long_line) {
        CHECK(layout.rows <= (length + 7) * 42 + 7);
        for (Index y = 2; y < 6; ++y)
          CHECK(reinterpret_cast<std::uintptr_t>(&field.elements<double>()[layout.row(5, y, 1)]) %
                    64 ==
                0);
      } else {
        CHECK(layout.rows == length * 42);
      }
      double margin_sum = 0;
      for (Index i = 1; i <= Field::margin / 8; ++i)
        margin_sum +=
            field.elements<double>().data[-i] + field.elements<double>().data[layout.rows - 1 + i];
      CHECK(margin_sum == 0);
    }
  CHECK(FieldLayout::of({{0, 0, 0}, {0, 3, 3}}, {1, 1, 1}).rows == 0);
}

TEST_CASE(
    "grid decomposition: blocks tile any grid, divided evenly or along the bricks of particles") {
  const std::array<Boundary, 3> mixed{Boundary::periodic, Boundary::open, Boundary::periodic};
  const Box box({0, 0, 0}, {10, 8, 3}, {}, mixed);
  for (int ranks : {1, 2, 3, 5, 8, 13})
    for (const Cell& n : {Cell{1, 1, 1}, Cell{10, 8, 3}, Cell{31, 2, 5}})
      for (const GridDecomposition& grid :
           {GridDecomposition(n, mixed, ranks), GridDecomposition(n, box, {box, ranks})}) {
        std::vector<CellBlock> blocks;
        for (int r = 0; r < ranks; ++r) blocks.push_back(grid.block(r));
        CHECK_NOTHROW(GridDecomposition(n, mixed, blocks));
        const auto non_empty = std::find_if(blocks.begin(), blocks.end(),
                                            [](const CellBlock& b) { return !b.empty(); });
        non_empty->hi[0] += 1;
        CHECK_THROWS_AS(GridDecomposition(n, mixed, blocks), Error);
      }
  // Lines along the first axis are not cut as long as no other axis is longer.
  const GridDecomposition cube({8, 8, 8}, mixed, 4);
  for (int r = 0; r < 4; ++r) CHECK(cube.block(r).size(0) == 8);
  CHECK_THROWS_AS(GridDecomposition({0, 1, 1}, mixed, 1), InputError);
  CHECK_THROWS_AS(GridDecomposition({1, 1, 1}, mixed, 0), InputError);
}
