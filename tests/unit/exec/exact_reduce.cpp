#include <array>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/exact_sum.hpp"
#include "gsim/exec/array.hpp"
#include "tests/unit/exec/launch_kernels.hpp"

using namespace gsim;

TEST_CASE("exact reduction: the sum of all terms on every target and thread count") {
  std::vector<Executor> executors;
  for (const Target level : processor_cpu_targets())
    for (int threads : {1, 2, 3}) executors.push_back(Executor::host(threads, level));
  for (const CudaDevice& d : cuda_devices()) executors.push_back(Executor::cuda(d.ordinal, 1));
  for (const Index count : {0, 1, 2047, 2049, 100003}) {
    std::vector<std::int64_t> words;
    std::array<ExactSum, 2> expected;
    std::uint64_t word = 88172645463325252u;
    for (Index i = 0; i < count; ++i) {
      word ^= word << 13, word ^= word >> 7, word ^= word << 17;  // Marsaglia (2003), xorshift64
      // Mostly near the ends of the range, where 64-bit sums would wrap.
      words.push_back(static_cast<std::int64_t>(i % 3 == 0 ? word : ~std::uint64_t{0} >> 1));
      expected[0].add(words.back());
      expected[1].add(~words.back() >> 1);
    }
    for (const Executor& executor : executors) {
      Array<std::int64_t> in(executor, words);
      const Array<std::int64_t>& source = in;
      std::array<ExactSum, 2> sums;
      test_exact_reduce(executor, {source.view(), sums.data()});
      CHECK(sums == expected);
    }
  }
}
