#include <array>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/exact_sum.hpp"
#include "gsim/exec/array.hpp"
#include "tests/unit/exec/launch_kernels.hpp"

using namespace gsim;

TEST_CASE("exact reduction: sums do not depend on the target and the number of threads") {
  std::vector<Executor> executors;
  for (const Target level : processor_cpu_targets())
    for (int threads : {1, 2, 3}) executors.push_back(Executor::host(threads, level));
  for (const CudaDevice& d : cuda_devices()) executors.push_back(Executor::cuda(d.ordinal, 1));
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
