#include "gsim/domain/cell_loop.hpp"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/domain/field_parts.hpp"
#include "tests/unit/domain/fields/cell_loop_kernels.hpp"
#include "tests/unit/domain/fields/field_cases.hpp"

using namespace gsim;
using namespace gsim::test;

namespace {

/// A grid on one rank. An axis has `ghost_layers` on either side, or, where their number is 0, is
/// periodic within the block.
struct LoopCase {
  Cell cells, ghost_layers;
  int reach;  ///< StencilArgs::reach
};

double initial_value(const Cell& c, int k) {
  const double x = static_cast<double>((c[0] * 37 + c[1] * 101 + c[2] * 13 + k * 7) % 29);
  return std::fmod(x, 29) / 3 - 4;
}

/// StencilArgs::along: a value for each index along an axis.
double axis_value(int axis, Index index) { return 1.0 / static_cast<double>(index + 2 + axis); }

/// Fills all rows of a field, ghosts included, with initial_value(cell, component).
template <class T>
void set_all(Field& field) {
  const FieldLayout& layout = field.layout();
  std::vector<T> host(static_cast<std::size_t>(layout.rows * field.components()));
  for_each_cell(layout.extended(), [&](const Cell& c) {
    for (int k = 0; k < field.components(); ++k)
      host[static_cast<std::size_t>(layout.row(c) * field.components() + k)] =
          static_cast<T>(initial_value(c, k));
  });
  from_host(host, field);
}

/// The reference for StencilArgs, cell by cell.
class Reference {
 public:
  explicit Reference(const LoopCase& c) : case_(c) {}

  double value_at(Cell c, Index dx, Index dy, Index dz) const {
    const std::array<Index, 3> d{dx, dy, dz};
    for (std::size_t a = 0; a < 3; ++a) {
      c[a] += d[a];
      if (case_.ghost_layers[a] == 0)
        c[a] = (c[a] % case_.cells[a] + case_.cells[a]) % case_.cells[a];
    }
    return initial_value(c, 0);
  }
  double stencil(const Cell& c) const {
    const double u = value_at(c, 0, 0, 0);
    double sum = 3 * u;
    for (int d = 1; d <= case_.reach; ++d) {
      sum += (value_at(c, -d, 0, 0) - u) * 0.5 + (value_at(c, d, 0, 0) - u) * 0.25;
      sum += (value_at(c, 0, -d, 0) - u) * 0.125 + (value_at(c, 0, d, 0) - u) / 3.0;
      sum += (value_at(c, 0, 0, -d) - u) / 7.0 + (value_at(c, 0, 0, d) - u) / 5.0;
    }
    sum += value_at(c, -1, 1, 0) / 11.0 + value_at(c, 1, -1, 1) / 13.0;
    return sum < 0 ? 0.5 * sum : sum;
  }
  float float_stencil(const Cell& c) const {
    return 2.0f * static_cast<float>(value_at(c, -1, 0, 0)) + 1.0f;
  }
  /// Component k of StencilArgs::pairs.
  double pair_component(const Cell& c, int k) const {
    if (initial_value(c, 0) > 0)
      return k == 0 ? initial_value(c, 1) + static_cast<double>(c[0])
                    : initial_value(c, 0) - static_cast<double>(c[2]);
    return k == 0 ? axis_value(0, c[0]) * axis_value(1, c[1]) + axis_value(2, c[2])
                  : static_cast<double>(c[1]);
  }

 private:
  LoopCase case_;
};

/// Number of values that differ from the reference in the part, or from their previous values
/// elsewhere.
int count_errors(const LoopCase& c, const CellBlock& part, const Executor& executor,
                 bool past_caches) {
  const FieldLayout layout = FieldLayout::of({{0, 0, 0}, c.cells}, c.ghost_layers);
  Field from = Field::of<double>(executor, layout), to = Field::of<double>(executor, layout);
  Field float_from = Field::of<float>(executor, layout),
        float_to = Field::of<float>(executor, layout);
  Field pairs = Field::of<double>(executor, layout, 2);
  set_all<double>(from);
  set_all<double>(to);
  set_all<float>(float_from);
  set_all<float>(float_to);
  set_all<double>(pairs);
  std::vector<Array<double>> axis_values;
  StencilArgs args{CellLoop::of(layout, part),
                   c.reach,
                   std::as_const(from).view<double>(),
                   to.view<double>(),
                   float_from.view<float>(),
                   float_to.view<float>(),
                   pairs.view<double, 2>()};
  args.loop.past_caches = past_caches;
  for (int a = 0; a < 3; ++a) {
    std::vector<double> line;
    for (Index i = 0; i < c.cells[static_cast<std::size_t>(a)]; ++i)
      line.push_back(axis_value(a, i));
    axis_values.emplace_back(executor, std::span<const double>(line));
  }
  for (std::size_t a = 0; a < 3; ++a) args.along[a] = axis_values[a].view().data;
  test_stencil(executor, args);

  const Reference expected(c);
  const auto stencil_values = to_host<double>(to), pair_values = to_host<double>(pairs);
  const auto float_values = to_host<float>(float_to);
  int errors = 0;
  for_each_cell(layout.extended(), [&](const Cell& cell) {
    const auto row = static_cast<std::size_t>(layout.row(cell));
    const bool is_set = part.contains(cell);
    errors += stencil_values[row] != (is_set ? expected.stencil(cell) : initial_value(cell, 0));
    errors += float_values[row] !=
              (is_set ? expected.float_stencil(cell) : static_cast<float>(initial_value(cell, 0)));
    for (int k = 0; k < 2; ++k)
      errors += pair_values[2 * row + static_cast<std::size_t>(k)] !=
                (is_set ? expected.pair_component(cell, k) : initial_value(cell, k));
  });
  return errors;
}

/// Executors of every CPU level that the processor supports, since the kernel is compiled for all
/// of them, and of every GPU.
std::vector<Executor> loop_executors() {
  std::vector<Executor> executors;
  for (const Target level : processor_cpu_targets())
    for (const int threads : {1, 3}) executors.push_back(Executor::host(threads, level));
  for (const CudaDevice& d : cuda_devices()) executors.push_back(Executor::cuda(d.ordinal, 1));
  return executors;
}

}  // namespace

TEST_CASE(
    "cell loop: each cell is computed once from its neighbours, on every target and number of "
    "threads") {
  const std::vector<LoopCase> cases{
      {{40, 5, 4}, {0, 0, 0}, 1},  {{37, 4, 3}, {1, 1, 1}, 1},   {{19, 6, 1}, {0, 1, 0}, 1},
      {{1, 1, 1}, {0, 0, 0}, 1},   {{2, 3, 5}, {0, 0, 2}, 2},    {{150, 3, 2}, {2, 0, 1}, 1},
      {{136, 5, 1}, {0, 0, 0}, 2}, {{5, 1, 1}, {0, 0, 0}, 2},    {{33, 3, 3}, {0, 3, 0}, 2},
      {{64, 64, 1}, {1, 1, 1}, 1}, {{9000, 2, 1}, {0, 0, 0}, 1}, {{17, 4, 4}, {3, 3, 3}, 2}};
  for (const LoopCase& c : cases)
    for (const Executor& executor : loop_executors())
      for (const bool past_caches : {false, true}) {
        INFO("cells " << c.cells[0] << " " << c.cells[1] << " " << c.cells[2] << ", "
                      << executor.describe() << ", past the caches: " << past_caches);
        CHECK(count_errors(c, {{0, 0, 0}, c.cells}, executor, past_caches) == 0);
      }
}

TEST_CASE("cell loop: only the cells of a part are changed") {
  const LoopCase without_ghosts{{41, 5, 4}, {0, 0, 0}, 2}, with_ghosts{{41, 5, 4}, {2, 2, 2}, 2};
  for (const LoopCase& c : {without_ghosts, with_ghosts})
    for (const Executor& executor : loop_executors())
      for (const CellBlock& part :
           {CellBlock{{0, 0, 0}, {1, 5, 4}}, CellBlock{{40, 0, 0}, {41, 5, 4}},
            CellBlock{{3, 1, 2}, {31, 4, 3}}, CellBlock{{1, 0, 0}, {40, 5, 1}},
            CellBlock{{7, 2, 2}, {7, 5, 4}}, CellBlock{{0, 4, 0}, {41, 5, 4}}}) {
        INFO("part from " << part.lo[0] << " to " << part.hi[0] << ", " << executor.describe());
        CHECK(count_errors(c, part, executor, false) == 0);
        CHECK(count_errors(c, part, executor, true) == 0);
      }
}

TEST_CASE("cell loop: views must match the element type and number of components of the field") {
  Field field =
      Field::of<double>(Executor::host(1), FieldLayout::of({{0, 0, 0}, {3, 2, 1}}, {}), 2);
  CHECK(field.view<double, 2>().data == field.elements<double>().data);
  CHECK_THROWS_AS((void)(field.view<double>()), Error);
  CHECK_THROWS_AS((void)(field.view<float, 2>()), Error);
  const FieldView<const double, 2> read_only = field.view<double, 2>();
  CHECK(read_only.data == field.elements<double>().data);
}
