#include "gsim/domain/field_sums.hpp"

#include <atomic>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "tests/unit/domain/fields/field_cases.hpp"

using namespace gsim;
using namespace gsim::test;

namespace {

/// Multiples of 1/3 of both signs, for which rounded sums depend on the order.
double value_of(const Cell& c, int k) {
  return static_cast<double>((c[0] * 31 + c[1] * 17 + c[2] * 5 + k) % 13 - 6) / 3;
}

std::vector<double> sums_on(int ranks, const FieldCase& c, const Executor& executor,
                            double quantum) {
  std::vector<double> sums;
  run_in_process(ranks, [&](Communicator comm) {
    const GridDecomposition grid(c.cells, c.boundaries, comm.size());
    Field field =
        Field::of<double>(executor, FieldLayout::of(grid.block(comm.rank()), c.ghost_layers), 2);
    set_cells<double>(field, value_of, 1e6);
    const auto result = sum_cells(comm, field, quantum);
    if (comm.rank() == comm.size() - 1) sums = result;
  });
  return sums;
}

}  // namespace

TEST_CASE("field sums: sums of rounded values are exact for any ranks, threads and targets") {
  for (const FieldCase& c : field_cases())
    for (const double quantum : {sum_quantum(2), 0x1p-3}) {
      WideInteger quanta[2] = {0, 0};
      for_each_cell({{0, 0, 0}, c.cells}, [&](const Cell& cell) {
        for (int k = 0; k < 2; ++k)
          quanta[k] += std::llrint(value_of(cell, k) / quantum);  // ties to even by default
      });
      const std::vector<double> expected{ExactSum(quanta[0]).value(quantum),
                                         ExactSum(quanta[1]).value(quantum)};
      for (const int ranks : {1, 2, 3, 4, 7})
        CHECK(sums_on(ranks, c, Executor::host(1), quantum) == expected);
      for (const Executor& executor : all_executors())
        CHECK(sums_on(1, c, executor, quantum) == expected);
    }
}

TEST_CASE("field sums: values that cannot be summed are errors") {
  const Communicator self = Communicator::self();
  Field field = Field::of<float>(Executor::host(1), FieldLayout::of({{0, 0, 0}, {3, 2, 1}}, {}));
  const auto set = [&](float x) {
    set_cells<float>(field, [&](const Cell& c, int) { return c[0] == 1 ? x : 1.0f; });
  };
  // Values of up to 2^62 quanta can be summed: 4 with quanta of 2^-60.
  set(3.0f);
  CHECK(sum_cells(self, field, 0x1p-60) == std::vector<double>{10});
  set(4.0f);
  CHECK(sum_cells(self, field, 0x1p-60) == std::vector<double>{12});
  set(4.5f);
  CHECK_THROWS_AS(sum_cells(self, field, 0x1p-60), NumericalError);
  set(std::numeric_limits<float>::quiet_NaN());
  CHECK_THROWS_AS(sum_cells(self, field, 1), NumericalError);
  set(std::numeric_limits<float>::infinity());
  CHECK_THROWS_AS(sum_cells(self, field, 1), NumericalError);
  CHECK(sum_quantum(1) == 0x1p-62);
  CHECK(sum_quantum(0.75) == 0x1p-62);
  CHECK(sum_quantum(1.25) == 0x1p-61);
  CHECK_THROWS_AS(sum_quantum(0), InputError);
  CHECK_THROWS_AS(sum_quantum(std::numeric_limits<double>::infinity()), InputError);
}

TEST_CASE("field sums: the first value that cannot be summed is reported, on any number of ranks") {
  const Cell cells{5, 4, 3};
  for (const int ranks : {1, 2, 3, 5})
    run_in_process(ranks, [&](Communicator comm) {
      const GridDecomposition grid(cells, {Boundary::open, Boundary::periodic, Boundary::periodic},
                                   comm.size());
      Field field = Field::of<double>(Executor::host(1),
                                      FieldLayout::of(grid.block(comm.rank()), {1, 1, 1}), 2);
      const auto fill = [&](double x) {
        set_cells<double>(
            field,
            [&](const Cell& c, int k) {
              return k == 1 && (c == Cell{4, 1, 2} || c == Cell{3, 2, 1}) ? x : 1.0;
            },
            1.0);
      };
      const auto message = [&](double x, const FieldLabel& label) -> std::string {
        fill(x);
        try {
          (void)sum_cells(comm, field, 0x1p-60, label);
        } catch (const NumericalError& error) {
          return error.what();
        }
        return "no error";
      };
      const std::string nan_message =
          message(std::numeric_limits<double>::quiet_NaN(), {"temperature", 40});
      CHECK(nan_message ==
            "field `temperature` at step 40: cell (3, 2, 1), component 1, has the value nan; "
            "in total, 2 values are not finite or greater than 4 in magnitude, the largest that "
            "can be summed");
      CHECK(message(-5, {}).starts_with("a field: cell (3, 2, 1), component 1, has the value -5;"));
      CHECK(message(4, {}) == "no error");
    });
}
