#include "gsim/domain/field_norms.hpp"

#include <atomic>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "gsim/core/superaccumulator.hpp"
#include "gsim/domain/field_sums.hpp"
#include "tests/unit/domain/fields/field_cases.hpp"

using namespace gsim;
using namespace gsim::test;

namespace {

/// Values of very different magnitudes, some of which occur in several cells.
double value_of(const Cell& c, int k) {
  const Index n = (c[0] * 31 + c[1] * 17 + c[2] * 5 + 3 * k) % 13 - 6;
  return static_cast<double>(n) / 3 * (n % 2 == 0 ? 1e-30 : n % 3 == 0 ? 1e30 : 1);
}

struct Reductions {
  std::vector<FieldExtremes> extremes;
  std::vector<FieldNorms> norms;
  std::vector<double> sums;
  friend bool operator==(const Reductions&, const Reductions&) = default;
};

/// Results of one loop over all cells of the grid for field a, or for a - b if b is given.
template <class T, class B>
Reductions expected_reductions(const Cell& cells, const B& b) {
  Reductions result;
  for (int k = 0; k < 2; ++k) {
    FieldExtremes e;
    Superaccumulator sum, magnitudes, squares;
    bool is_first = true;
    for_each_cell({{0, 0, 0}, cells}, [&](const Cell& c) {
      const double x = static_cast<double>(static_cast<T>(value_of(c, k))) - b(c, k);
      sum.add(x);
      magnitudes.add(std::abs(x));
      squares.add_product(x, x);
      if (is_first || x < e.minimum.value) e.minimum = {x, c};
      if (is_first || x > e.maximum.value) e.maximum = {x, c};
      is_first = false;
    });
    result.extremes.push_back(e);
    result.norms.push_back({sum.value(), magnitudes.value(), squares.root(),
                            std::max(std::abs(e.minimum.value), std::abs(e.maximum.value))});
    result.sums.push_back(sum.value());
  }
  return result;
}

template <class T>
Reductions reductions_on(const Communicator& comm, const FieldCase& c, const Executor& executor,
                         bool is_difference) {
  const GridDecomposition grid(c.cells, c.boundaries, comm.size());
  const FieldLayout layout = FieldLayout::of(grid.block(comm.rank()), c.ghost_layers);
  Field a = Field::of<T>(executor, layout, 2), b = Field::of<T>(executor, layout, 2);
  set_cells<T>(
      a, [](const Cell& at, int k) { return static_cast<T>(value_of(at, k)); },
      std::numeric_limits<T>::infinity());
  set_cells<T>(
      b, [](const Cell& at, int k) { return static_cast<T>(at[0] + k); },
      std::numeric_limits<T>::quiet_NaN());
  if (is_difference)
    return {extremes_of_difference(comm, a, b), norms_of_difference(comm, a, b), {}};
  return {extremes(comm, a), norms(comm, a), sum_cells(comm, a)};
}

template <class T>
void check_case(const FieldCase& c) {
  const Reductions expected = expected_reductions<T>(c.cells, [](const Cell&, int) { return 0.0; });
  Reductions expected_of_difference = expected_reductions<T>(
      c.cells, [](const Cell& at, int k) { return static_cast<double>(at[0] + k); });
  expected_of_difference.sums.clear();
  for (const int ranks : {1, 2, 3, 7}) {
    std::atomic<int> errors{0};
    run_in_process(ranks, [&](Communicator comm) {
      errors += !(reductions_on<T>(comm, c, Executor::host(1), false) == expected);
      errors += !(reductions_on<T>(comm, c, Executor::host(2), true) == expected_of_difference);
    });
    CHECK(errors == 0);
  }
  for (const Executor& executor : all_executors()) {
    CHECK(reductions_on<T>(Communicator::self(), c, executor, false) == expected);
    CHECK(reductions_on<T>(Communicator::self(), c, executor, true) == expected_of_difference);
  }
}

}  // namespace

TEST_CASE(
    "field norms: sums, norms and extremes are those of a loop over all cells, for any ranks, "
    "threads and targets") {
  for (const FieldCase& c : field_cases()) check_case<double>(c);
  check_case<float>({{40, 5, 3}, {1, 1, 1}, {Boundary::open, Boundary::open, Boundary::periodic}});
}

TEST_CASE("field norms: small terms beside large ones that cancel are not lost") {
  const Communicator self = Communicator::self();
  Field field = Field::of<double>(Executor::host(1), FieldLayout::of({{0, 0, 0}, {4, 1, 1}}, {}));
  const auto set = [&](std::array<double, 4> x) {
    set_cells<double>(field, [&](const Cell& c, int) { return x[static_cast<std::size_t>(c[0])]; });
  };
  set({1e300, 1e-300, -1e300, 3e-300});
  CHECK(sum_cells(self, field)[0] == 4e-300);
  // A quantum with room for the large terms loses the small ones.
  CHECK(sum_cells(self, field, sum_quantum(1e300))[0] == 0);
  CHECK(norms(self, field)[0].l2 == doctest::Approx(std::sqrt(2.0) * 1e300).epsilon(1e-15));
  CHECK(norms(self, field)[0].max == 1e300);
  set({3, 4, -3, -4});
  CHECK(norms(self, field)[0] == FieldNorms{0, 14, std::sqrt(50.0), 4});
  CHECK(extremes(self, field)[0] == FieldExtremes{{-4, {3, 0, 0}}, {4, {1, 0, 0}}});
}

TEST_CASE("field norms: a NaN makes norms and extremes NaN, and is an error of sums") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const int ranks : {1, 2, 3})
    run_in_process(ranks, [&](Communicator comm) {
      const GridDecomposition grid({5, 4, 3}, {Boundary::open, Boundary::open, Boundary::open},
                                   comm.size());
      Field field =
          Field::of<double>(Executor::host(1), FieldLayout::of(grid.block(comm.rank()), {}));
      set_cells<double>(field, [&](const Cell& c, int) {
        return c == Cell{4, 1, 2} || c == Cell{3, 2, 1} ? nan : 1.0;
      });
      const FieldExtremes e = extremes(comm, field)[0];
      const FieldNorms n = norms(comm, field)[0];
      CHECK(std::isnan(e.minimum.value));
      CHECK(std::isnan(e.maximum.value));
      CHECK(e.minimum.cell == Cell{3, 2, 1});
      CHECK(e.maximum.cell == Cell{3, 2, 1});
      for (const double x : {n.sum, n.l1, n.l2, n.max}) CHECK(std::isnan(x));
      CHECK_THROWS_WITH_AS(sum_cells(comm, field, {"temperature", 40}),
                           "field `temperature` at step 40: cell (3, 2, 1) has the value nan; in "
                           "total, 2 values are not finite",
                           NumericalError);
    });
}

TEST_CASE("field norms: differences require fields with equal layouts") {
  const Communicator self = Communicator::self();
  const FieldLayout layout = FieldLayout::of({{0, 0, 0}, {2, 2, 2}}, {});
  const Field a = Field::of<double>(Executor::host(1), layout);
  const Field two_components = Field::of<double>(Executor::host(1), layout, 2);
  const Field single_precision = Field::of<float>(Executor::host(1), layout);
  CHECK_THROWS_AS(norms_of_difference(self, a, two_components), Error);
  CHECK_THROWS_AS(extremes_of_difference(self, a, single_precision), Error);
}
