#include "gsim/exec/executor.hpp"

#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/exec/array.hpp"

using namespace gsim;

TEST_CASE("executor: host memory is aligned, and copied and zeroed exactly") {
  const Executor host = Executor::host(2);
  CHECK(!host.is_cuda());
  CHECK(host.threads() == 2);
  CHECK(host.stream() == nullptr);
  CHECK(host.device_ordinal() == -1);
  CHECK(host.device_uuid().empty());
  // The last two sizes are allocated with huge pages and filled by several threads.
  for (std::size_t bytes : {1ul, 255ul, 256ul, 1000ul, (16ul << 20) + 3, (33ul << 20) + 5}) {
    auto* const p = static_cast<unsigned char*>(host.allocate(bytes));
    CHECK(reinterpret_cast<std::uintptr_t>(p) % 256 == 0);
    std::vector<unsigned char> pattern(bytes), copy(bytes, 1);
    for (std::size_t i = 0; i < bytes; ++i) pattern[i] = static_cast<unsigned char>(i * 7 + 1);
    host.copy_from_host(p, pattern.data(), bytes);
    host.fill_zero(p, bytes - 1);
    host.copy_to_host(copy.data(), p, bytes);
    CHECK(std::accumulate(copy.begin(), copy.end() - 1, 0u) == 0);
    CHECK(copy.back() == pattern.back());
    host.deallocate(p);
  }
  host.deallocate(nullptr);
  host.synchronize();
}

TEST_CASE("executor: large arrays begin at different offsets within a page") {
  const Executor host = Executor::host(1);
  std::vector<void*> arrays;
  std::set<std::uintptr_t> offsets;
  for (int i = 0; i < 16; ++i) {
    arrays.push_back(host.allocate(std::size_t{8} << 20));
    offsets.insert(reinterpret_cast<std::uintptr_t>(arrays.back()) % 4096);
  }
  CHECK(offsets.size() == 16);
  for (void* array : arrays) host.deallocate(array);
}

TEST_CASE("executor: failed allocations are DeviceErrors with the requested size") {
  const Executor host = Executor::host(1);
  for (const std::size_t bytes : {std::size_t{1} << 60, std::numeric_limits<std::size_t>::max()}) {
    std::string message;
    try {
      host.deallocate(host.allocate(bytes));
    } catch (const DeviceError& e) {
      message = e.what();
    }
    CHECK(message.find("out of host memory") != std::string::npos);
    CHECK(message.find("requested") != std::string::npos);
    CHECK(message.find("available") != std::string::npos);
  }
}

TEST_CASE("executor: one can be created for every supported CPU level") {
  for (const Target level : processor_cpu_targets()) {
    const Executor host = Executor::host(1, level);
    CHECK(host.target() == level);
    CHECK(host.describe().rfind("1 thread · cpu", 0) == 0);
  }
  CHECK(Executor::host(3, Target::base).describe() == "3 threads · cpu");
  CHECK_THROWS_AS(Executor::host(1, Target::cuda), InputError);
  CHECK_THROWS_AS(Executor::host(-1), InputError);
  if (processor_cpu_targets().back() != Target::avx512)
    CHECK_THROWS_AS(Executor::host(1, Target::avx512), InputError);
}

TEST_CASE("executor: a missing GPU is an error only if one is requested") {
  const auto devices = cuda_devices();
  CHECK(devices.empty() == !no_cuda_reason().empty());
  CHECK_THROWS_AS(Executor::cuda(static_cast<int>(devices.size())), DeviceError);
  CHECK_THROWS_AS(Executor::cuda(-1), DeviceError);
}

TEST_CASE("arrays: they are initially zero, can be moved, and are copied only explicitly") {
  const Executor host = Executor::host(1);
  Array<double> a(host, 100);
  for (const double x : a.to_host()) CHECK(x == 0);
  std::vector<double> values(100);
  std::iota(values.begin(), values.end(), 1.0);
  a.assign(values);
  Array<double> b(std::move(a));
  CHECK(b.to_host() == values);
  const double* const memory = b.view().data;
  b.resize_discard(50);
  CHECK(b.view().data == memory);
  CHECK(b.to_host() == std::vector<double>(50, 0.0));
  b.resize_discard(1000);
  CHECK(b.to_host() == std::vector<double>(1000, 0.0));
  Array<double> c(host, std::span<const double>(values));
  c = std::move(b);
  CHECK(c.size() == 1000);
  Array<int> empty(host, 0);
  CHECK(empty.to_host().empty());
}
