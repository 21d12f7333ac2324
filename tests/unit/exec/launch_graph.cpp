#include "gsim/exec/launch_graph.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/exec/array.hpp"
#include "support/test_executor.hpp"
#include "tests/unit/exec/launch_kernels.hpp"

using namespace gsim;

namespace {

std::vector<double> ramp(Index count, double step) {
  std::vector<double> x;
  for (Index i = 0; i < count; ++i) x.push_back(step * static_cast<double>(i));
  return x;
}

/// The function of test_polynomial at each element, applied `times` times.
std::vector<double> expected(const Executor& executor, const std::vector<double>& x, int times) {
  Array<double> a(executor, x), b(executor, x);
  for (int k = 0; k < times; ++k) {
    test_polynomial(executor, {a.view(), b.view(), 0});
    std::swap(a, b);
  }
  return a.to_host();
}

}  // namespace

TEST_CASE("launch graphs: sequences of any length and arguments give the results of launches") {
  const Executor executor = test::test_executor(1);
  LaunchGraph graph(executor);
  for (const int times : {3, 5, 3, 3, 1, 5}) {
    CAPTURE(times);
    // Arrays of other sizes are at other places, and need other numbers of blocks.
    const std::vector<double> x = ramp(1000 + 700 * times, 1e-4 * times);
    Array<double> a(executor, x), b(executor, x);
    graph.run(times, [&] {
      for (int k = 0; k < times; ++k) {
        test_polynomial(executor, {a.view(), b.view(), 0});
        copy_on_executor(executor, a.view().data, b.view().data, x.size() * sizeof(double));
      }
    });
    CHECK(a.to_host() == expected(executor, x, times));
  }
}

TEST_CASE("launch graphs: a sequence of other kernels replaces one of the same length") {
  const Executor executor = test::test_executor(1);
  LaunchGraph graph(executor);
  const std::vector<double> x = ramp(500, 1e-3);
  Array<double> a(executor, x), b(executor, x);
  Array<int> targets(executor, std::vector<int>(500, -1));
  for (int round = 0; round < 2; ++round) {
    b.resize_discard(500);
    graph.run(1, [&] { test_polynomial(executor, {a.view(), b.view(), 0}); });
    CHECK(b.to_host() == expected(executor, x, 1));
    graph.run(1, [&] {
      executor.fill_zero(b.view().data, 500 * sizeof(double));
      test_report_target(executor, {targets.view()});
    });
    CHECK(b.to_host() == std::vector<double>(500, 0.0));
    CHECK(targets.to_host() == std::vector<int>(500, static_cast<int>(executor.target())));
  }
}

TEST_CASE(
    "launch graphs: after an exception in a sequence, the executor and the graph are usable") {
  const Executor executor = test::test_executor(1);
  LaunchGraph graph(executor);
  const std::vector<double> x = ramp(100, 1e-2);
  Array<double> a(executor, x), b(executor, x);
  CHECK_THROWS_AS(graph.run(1,
                            [&] {
                              test_polynomial(executor, {a.view(), b.view(), 0});
                              throw NumericalError("an error of the caller");
                            }),
                  NumericalError);
  graph.run(1, [&] { test_polynomial(executor, {a.view(), b.view(), 0}); });
  CHECK(b.to_host() == expected(executor, x, 1));
}
