// Prefix sums on hosts and devices, compared with those of the standard library.

#include "kernels/domain/exclusive_scan.hpp"

#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/exec/array.hpp"
#include "gsim/random/stream.hpp"

using namespace gsim;

TEST_CASE("exclusive scan: prefix sums of any number of integers, in place") {
  std::vector<Executor> executors{Executor::host(1), Executor::host(3)};
  for (const CudaDevice& device : cuda_devices())
    executors.push_back(Executor::cuda(device.ordinal, 1));
  for (const Executor& executor : executors)
    for (const std::size_t size : {0, 1, 2, 63, 64, 65, 257, 4097, 40001}) {
      CAPTURE(executor.describe());
      CAPTURE(size);
      std::vector<std::int32_t> values(size), expected(size);
      for (std::size_t i = 0; i < size; ++i)
        values[i] = static_cast<std::int32_t>(mix64(i) % 1000) - 300;
      std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0);
      Array<std::int32_t> array(executor, values);
      domain_exclusive_scan(executor, {array.view()});
      CHECK(array.to_host() == expected);
    }
}
