#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/exec/array.hpp"
#include "gsim/exec/delayed_read.hpp"
#include "gsim/exec/device_scratch.hpp"
#include "gsim/exec/recorded_event.hpp"

using namespace gsim;

namespace {

std::vector<Executor> executors() {
  std::vector<Executor> result{Executor::host(1)};
  for (const CudaDevice& device : cuda_devices())
    result.push_back(Executor::cuda(device.ordinal, 1));
  return result;
}

std::int64_t value_of(DelayedRead& read) {
  std::int64_t value = 0;
  std::memcpy(&value, read.wait().data(), sizeof value);
  return value;
}

}  // namespace

TEST_CASE("delayed read: it returns what the memory contained at the start") {
  for (const Executor& executor : executors()) {
    Array<std::int64_t> number(executor, std::vector<std::int64_t>{1});
    DelayedRead read(executor, sizeof(std::int64_t));
    CHECK_FALSE(read.is_under_way());
    read.start(number.view().data);
    CHECK(read.is_under_way());
    number.assign(std::vector<std::int64_t>{2});
    CHECK(value_of(read) == 1);
    CHECK_FALSE(read.is_under_way());
    CHECK(value_of(read) == 1);  // until the next start
    read.start(number.view().data);
    CHECK(value_of(read) == 2);
    read.start(number.view().data);  // is awaited by the destructor
  }
}

TEST_CASE(
    "recorded event: operations before it have ended after a wait, later ones need not have") {
  for (const Executor& executor : executors()) {
    const Array<std::int64_t> numbers(executor, std::vector<std::int64_t>{5, 6});
    DelayedRead first(executor, sizeof(std::int64_t)), second(executor, sizeof(std::int64_t));
    RecordedEvent event(executor);
    event.wait();  // nothing was recorded
    for (int round = 0; round < 2; ++round) {
      first.start(numbers.view().data);
      event.record();
      second.start(numbers.view().data + 1);
      event.wait();
      event.wait();
      CHECK(value_of(first) == 5);
      CHECK(value_of(second) == 6);
    }
  }
}

TEST_CASE("copies: host memory may be changed at once after a copy from it, whatever its size") {
  for (const Executor& executor : executors())
    for (const std::size_t size : {1, 1000, 2048, 2049, 5000}) {  // up to 16 KiB are staged
      Array<std::int64_t> array(executor, static_cast<Index>(size));
      std::vector<std::vector<std::int64_t>> copies;
      // In all more bytes than there is room for between two synchronisations.
      for (std::int64_t round = 0; round < 12; ++round) {
        std::vector<std::int64_t> numbers(size);
        std::iota(numbers.begin(), numbers.end(), round);
        array.assign(numbers);
        numbers.assign(size, -1);
        if (round % 5 == 0) copies.push_back(array.to_host());
      }
      copies.push_back(array.to_host());
      for (std::size_t k = 0; k < copies.size(); ++k) {
        std::vector<std::int64_t> expected(size);
        std::iota(expected.begin(), expected.end(), std::array{0, 5, 10, 11}[k]);
        CHECK(copies[k] == expected);
      }
    }
}

TEST_CASE("device scratch: the executor keeps one block of memory, which grows") {
  for (const CudaDevice& device : cuda_devices()) {
    const Executor executor = Executor::cuda(device.ordinal, 1);
    const DeviceScratch first = device_scratch(executor, 1000);
    CHECK(reinterpret_cast<std::uintptr_t>(first.data) % 256 == 0);
    std::uint32_t counter = 1;
    executor.copy_to_host(&counter, first.counter, sizeof counter);
    CHECK(counter == 0);
    CHECK(device_scratch(executor, 500).data == first.data);
    CHECK(device_scratch(executor, 1000).data == first.data);
    const DeviceScratch grown = device_scratch(executor, 100000);
    executor.fill_zero(grown.data, 100000);
    executor.copy_to_host(&counter, grown.counter, sizeof counter);
    CHECK(counter == 0);
    CHECK(device_scratch(executor, 1000).data == grown.data);
  }
}
