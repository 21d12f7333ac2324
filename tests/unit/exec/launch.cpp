#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/exec/array.hpp"
#include "tests/unit/exec/launch_kernels.hpp"

using namespace gsim;

namespace {

std::vector<double> inputs(Index count) {
  std::vector<double> x(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<double>(i % 1009) / 1009.0 - static_cast<double>(i % 17) / 23.0;
  return x;
}

/// The arithmetic of the functor Polynomial, with every intermediate result rounded to a double.
double reference(double v) {
  volatile double square = v * v;
  volatile double sum = square + 0.1;
  for (int k = 0; k < 20; ++k) {
    volatile double product = sum * v;
    sum = product + 1.0 / (k + 3);
  }
  // The smallest normal number, and 2^1022.
  volatile double scaled = (v + 1.0) * 2.2250738585072014e-308;
  volatile double tiny = scaled * 0.25;
  volatile double restored = tiny * 4.49423283715579e+307;
  return sum + restored;
}

std::uint64_t bits(double x) {
  std::uint64_t result = 0;
  std::memcpy(&result, &x, sizeof result);
  return result;
}

Index count_differences(const std::vector<double>& a, const std::vector<double>& b) {
  Index n = 0;
  for (std::size_t i = 0; i < a.size(); ++i) n += bits(a[i]) != bits(b[i]);
  return n;
}

std::vector<double> run(const Executor& executor, const std::vector<double>& x, Index grain) {
  Array<double> in(executor, x), out(executor, in.size());
  const Array<double>& source = in;
  test_polynomial(executor, {source.view(), out.view(), grain});
  return out.to_host();
}

}  // namespace

TEST_CASE("launch: a kernel gives the same bits on every CPU level, number of threads and grain") {
  for (Index count : {0, 1, 5, 1000, 4099}) {
    const auto x = inputs(count);
    std::vector<double> expected;
    for (const double v : x) expected.push_back(reference(v));
    for (const Target level : processor_cpu_targets())
      for (int threads : {1, 2, 3})
        for (Index grain : {0, 1, 64, 100000})
          CHECK(count_differences(run(Executor::host(threads, level), x, grain), expected) == 0);
  }
}

TEST_CASE("launch: a kernel gives the same bits on every CUDA device") {
  if (cuda_devices().empty()) MESSAGE("SKIP: no CUDA device: " << no_cuda_reason());
  for (const CudaDevice& device : cuda_devices()) {
    const auto x = inputs(100003);
    std::vector<double> expected;
    for (const double v : x) expected.push_back(reference(v));
    CHECK(count_differences(run(Executor::cuda(device.ordinal, 1), x, 0), expected) == 0);
  }
}

TEST_CASE("launch: the code for the executor's target is run") {
  std::vector<Executor> executors;
  for (const Target level : processor_cpu_targets()) executors.push_back(Executor::host(1, level));
  for (const CudaDevice& d : cuda_devices()) executors.push_back(Executor::cuda(d.ordinal, 1));
  for (const Executor& executor : executors) {
    Array<int> out(executor, 10);
    test_report_target(executor, {out.view()});
    CHECK(out.to_host() == std::vector<int>(10, static_cast<int>(executor.target())));
  }
}

TEST_CASE("launch: for a CPU level that was not compiled the next lower one is used") {
  using Launcher = int (*)();
  const Launcher base = [] { return 0; }, avx2 = [] { return 1; }, cuda = [] { return 3; };
  const auto select = [](const Launcher(&compiled)[4], Target target) {
    return launching::select_launcher(compiled, target, "pair_force")();
  };
  const Launcher portable[] = {base, avx2, nullptr, nullptr};
  CHECK(select(portable, Target::base) == 0);
  CHECK(select(portable, Target::avx2) == 1);
  CHECK(select(portable, Target::avx512) == 1);
  CHECK_THROWS_AS(select(portable, Target::cuda), DeviceError);
  const Launcher one_level[] = {nullptr, avx2, nullptr, cuda};
  CHECK(select(one_level, Target::cuda) == 3);
  CHECK_THROWS_AS(select(one_level, Target::base), DeviceError);
}

TEST_CASE("launch: a missing target is reported with the name of the kernel") {
  std::string message;
  try {
    launching::no_launcher("pair_force", Target::cuda);
  } catch (const DeviceError& e) {
    message = e.what();
  }
  CHECK(message.find("pair_force") != std::string::npos);
  CHECK(message.find("cuda") != std::string::npos);
}
