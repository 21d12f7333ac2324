#pragma once
// Grids of various shapes, and functions that set and read their cells, for tests of fields.

#include <random>
#include <vector>

#include "gsim/domain/field.hpp"

namespace gsim::test {

struct FieldCase {
  Cell cells, ghost_layers;  ///< numbers of cells and of ghost layers along each axis
  std::array<Boundary, 3> boundaries;
};

/// Calls visit(cell) for the cells of a block, the first axis fastest.
template <class Visit>
void for_each_cell(const CellBlock& block, const Visit& visit) {
  for (Index z = block.lo[2]; z < block.hi[2]; ++z)
    for (Index y = block.lo[1]; y < block.hi[1]; ++y)
      for (Index x = block.lo[0]; x < block.hi[0]; ++x) visit(Cell{x, y, z});
}

/// Small grids of various shapes: thin ones, and some with as many ghost layers as cells.
inline std::vector<FieldCase> field_cases() {
  const auto open = Boundary::open, periodic = Boundary::periodic;
  std::vector<FieldCase> cases = {{{6, 7, 8}, {1, 1, 1}, {open, open, open}},
                                  {{6, 7, 8}, {2, 2, 2}, {open, periodic, open}},
                                  {{17, 3, 1}, {4, 3, 1}, {periodic, open, open}},
                                  {{1, 1, 1}, {1, 1, 1}, {open, open, open}},
                                  {{5, 4, 3}, {0, 2, 0}, {periodic, periodic, open}}};
  std::mt19937 bits(11);
  for (int i = 0; i < 12; ++i) {
    FieldCase c{};
    for (std::size_t a = 0; a < 3; ++a) {
      c.cells[a] = 1 + static_cast<Index>(bits() % 9);
      c.ghost_layers[a] = static_cast<Index>(bits() % 4);
      c.boundaries[a] = bits() % 3 == 0 ? periodic : open;
      if (c.boundaries[a] == open) c.ghost_layers[a] = std::min(c.ghost_layers[a], c.cells[a]);
    }
    cases.push_back(c);
  }
  return cases;
}

/// The host at every level with several numbers of threads, and the CUDA devices.
inline std::vector<Executor> all_executors() {
  std::vector<Executor> executors;
  for (const Target level : available_cpu_targets())
    for (const int threads : {1, 3}) executors.push_back(Executor::host(threads, level));
  for (const CudaDevice& d : cuda_devices()) executors.push_back(Executor::cuda(d.ordinal, 1));
  return executors;
}

/// Copies all elements of a field, ghosts included, to host memory, or from it.
template <class T>
std::vector<T> to_host(Field& field) {
  const auto e = field.elements<T>();
  std::vector<T> host(static_cast<std::size_t>(e.size));
  field.executor().synchronize();
  if (e.size > 0) field.executor().copy_to_host(host.data(), e.data, host.size() * sizeof(T));
  return host;
}
template <class T>
void from_host(const std::vector<T>& host, Field& field) {
  const auto e = field.elements<T>();
  if (e.size > 0) field.executor().copy_from_host(e.data, host.data(), host.size() * sizeof(T));
}

/// Sets the elements of the owned cells to value(cell, component), and all ghosts to `ghost`.
template <class T, class Value>
void set_cells(Field& field, const Value& value, T ghost = T(0)) {
  std::vector<T> host(static_cast<std::size_t>(field.layout().rows * field.components()), ghost);
  for_each_cell(field.layout().block, [&](const Cell& c) {
    for (int k = 0; k < field.components(); ++k)
      host[static_cast<std::size_t>(field.layout().row(c) * field.components() + k)] = value(c, k);
  });
  from_host(host, field);
}

}  // namespace gsim::test
