#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/ordered_real.hpp"
#include "gsim/exec/array.hpp"
#include "tests/unit/exec/launch_kernels.hpp"

using namespace gsim;

namespace {

struct Reduced {
  std::array<Superaccumulator, 3> sums;
  std::array<MinimalKey, 2> minima;
};

Reduced reduce_on(const Executor& executor, const std::vector<double>& x,
                  const std::vector<double>& y) {
  const Array<double> dx(executor, std::span<const double>(x));
  const Array<double> dy(executor, std::span<const double>(y));
  Reduced r;
  test_real_reduce(executor, {dx.view(), dy.view(), r.sums.data(), r.minima.data()});
  return r;
}

std::vector<Executor> every_executor() {
  std::vector<Executor> executors;
  for (const Target level : processor_cpu_targets())
    for (int threads : {1, 2, 3}) executors.push_back(Executor::host(threads, level));
  for (const CudaDevice& d : cuda_devices()) executors.push_back(Executor::cuda(d.ordinal, 1));
  return executors;
}

}  // namespace

TEST_CASE(
    "real reduction: sums are exact, and of equal extremes the first is found, on every target and "
    "number of threads") {
  std::mt19937_64 bits(21);
  for (const Index count : {0, 1, 127, 1029, 30011}) {
    std::vector<double> x, y;
    for (Index i = 0; i < count; ++i) {
      // Numbers of any magnitude and sign, and runs of equal numbers.
      const int exponent =
          i % 5 == 0 ? static_cast<int>(bits() % 2000) - 1000 : static_cast<int>(bits() % 40) - 20;
      x.push_back(i % 7 == 3 ? 0.25 : std::ldexp(static_cast<double>(bits()) - 0x1p63, exponent));
      y.push_back(std::ldexp(static_cast<double>(bits()) - 0x1p63, -exponent));
    }
    Reduced expected;
    for (Index i = 0; i < count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      expected.sums[0].add(x[k]);
      expected.sums[1].add_product(x[k], y[k]);
      expected.sums[2].add_product(y[k], y[k]);
      const std::array<std::int64_t, 2> key{key_of_minimum(x[k]), key_of_maximum(x[k])};
      for (std::size_t extreme = 0; extreme < 2; ++extreme)
        if (i == 0 || key[extreme] < expected.minima[extreme].key)
          expected.minima[extreme] = {key[extreme], i};
    }
    for (const Executor& executor : every_executor()) {
      const Reduced r = reduce_on(executor, x, y);
      CHECK(r.sums == expected.sums);
      for (std::size_t extreme = 0; extreme < 2; ++extreme) {
        CHECK(r.minima[extreme].key == expected.minima[extreme].key);
        CHECK(r.minima[extreme].index == expected.minima[extreme].index);
      }
    }
  }
}

TEST_CASE("real reduction: NaN and infinities are counted, and a NaN is both minimum and maximum") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> x(1000, 1.0), y(1000, -2.0);
  x[400] = infinity;
  y[500] = std::numeric_limits<double>::quiet_NaN();
  x[600] = 0;
  y[600] = infinity;
  for (const Executor& executor : every_executor()) {
    const Reduced r = reduce_on(executor, x, y);
    CHECK(r.sums[0].value() == infinity);
    CHECK(std::isnan(r.sums[1].value()));
    CHECK(r.sums[1].not_finite() == 3);
    CHECK(std::isnan(r.sums[2].root()));
    CHECK(minimum_of_key(r.minima[0].key) == 0);
    CHECK(r.minima[0].index == 600);
    CHECK(maximum_of_key(r.minima[1].key) == infinity);
    CHECK(r.minima[1].index == 400);
    const Reduced exchanged = reduce_on(executor, y, x);
    CHECK(std::isnan(minimum_of_key(exchanged.minima[0].key)));
    CHECK(exchanged.minima[0].index == 500);
    CHECK(std::isnan(maximum_of_key(exchanged.minima[1].key)));
    CHECK(exchanged.minima[1].index == 500);
  }
}
