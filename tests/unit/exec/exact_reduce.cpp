#include <array>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/exact_sum.hpp"
#include "gsim/exec/array.hpp"
#include "tests/unit/exec/launch_kernels.hpp"

using namespace gsim;

namespace {

std::vector<Executor> every_executor() {
  std::vector<Executor> executors;
  for (const Target level : processor_cpu_targets())
    for (int threads : {1, 2, 3}) executors.push_back(Executor::host(threads, level));
  for (const CudaDevice& d : cuda_devices()) executors.push_back(Executor::cuda(d.ordinal, 1));
  return executors;
}

}  // namespace

TEST_CASE("exact reduction: sums do not depend on the target and the number of threads") {
  const std::vector<Executor> executors = every_executor();
  for (const Index count : {0, 1, 2047, 2049, 100003}) {
    std::vector<std::int64_t> values;
    std::array<ExactSum, 2> expected;
    std::uint64_t bits = 88172645463325252u;
    for (Index i = 0; i < count; ++i) {
      bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;  // Marsaglia (2003), xorshift64
      // Mostly near the ends of the range, where 64-bit sums would wrap.
      values.push_back(static_cast<std::int64_t>(i % 3 == 0 ? bits : ~std::uint64_t{0} >> 1));
      expected[0].add(values.back());
      expected[1].add(~values.back() >> 1);
    }
    for (const Executor& executor : executors) {
      Array<std::int64_t> array(executor, values);
      const Array<std::int64_t>& source = array;
      std::array<ExactSum, 2> sums;
      test_exact_reduce(executor, {source.view(), sums.data()});
      CHECK(sums == expected);
    }
  }
}

TEST_CASE("exact reduction: totals in executor memory are added to, in order with launches") {
  for (const Executor& executor : every_executor()) {
    Array<WideInteger> totals(executor, 2);
    std::array<ExactSum, 2> expected;
    // Grids of one block and of several ones, of which the last to end is another each time.
    for (const Index count : {40000, 3, 300, 0, 70001}) {
      const Array<std::int64_t> words(
          executor, std::vector<std::int64_t>(static_cast<std::size_t>(count), -(count << 40)));
      test_exact_reduce(executor, {words.view(), nullptr, totals.view().data});
      expected[0].add(ExactSum(WideInteger{-(count << 40)} * count));
      expected[1].add(ExactSum(WideInteger{((count << 40) - 1) >> 1} * count));
    }
    const std::vector<WideInteger> sums = totals.to_host();
    CHECK(ExactSum(sums[0]) == expected[0]);
    CHECK(ExactSum(sums[1]) == expected[1]);
  }
}
