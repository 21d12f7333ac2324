#pragma once
// The executor of tests that run on the host or on a device: tests/gpu.cmake runs the same
// test programs with GSIM_TEST_DEVICE=cuda.

#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "gsim/domain/particle_store.hpp"
#include "gsim/exec/executor.hpp"
#include "support/test_executor.hpp"

namespace gsim::test {

/// Whether tests run on a device: the environment variable GSIM_TEST_DEVICE is "cuda".
inline bool tests_on_device() {
  const char* const device = std::getenv("GSIM_TEST_DEVICE");
  return device != nullptr && std::string_view(device) == "cuda";
}

/// CUDA device 0 with `threads` host threads where tests run on a device, else the host with
/// `threads` threads. DeviceError if there is no device.
inline Executor test_executor(int threads = 1) {
  return tests_on_device() ? Executor::cuda(0, threads) : Executor::host(threads);
}

/// The executor of one of several ranks that are threads of a process: `executor`, but a CUDA
/// executor of its own where tests run on a device, because two threads must not use the same one
/// at a time.
inline Executor executor_of_rank(const Executor& executor) {
  return executor.is_cuda() ? test_executor(executor.threads()) : executor;
}

/// The executors on which a test must have the same bits: the host at every CPU level with each of
/// these numbers of threads, or CUDA device 0 where tests run on a device.
inline std::vector<Executor> test_executors(std::initializer_list<int> threads = {1, 3}) {
  if (tests_on_device()) return {test_executor()};
  std::vector<Executor> executors;
  for (const Target level : available_cpu_targets())
    for (const int count : threads) executors.push_back(Executor::host(count, level));
  return executors;
}

/// A copy in host memory of all rows of a column, those of ghosts included.
template <class Row>
std::vector<Row> rows_of(ParticleStore& store, ColumnId column) {
  const View<Row> view = store.view<Row>(column);
  std::vector<Row> rows(static_cast<std::size_t>(view.size));
  store.executor().synchronize();
  if (view.size > 0)
    store.executor().copy_to_host(rows.data(), view.data, rows.size() * sizeof(Row));
  return rows;
}

/// Replaces all rows of a column, those of ghosts included, by `rows`.
template <class Row>
void set_rows(ParticleStore& store, ColumnId column, const std::vector<Row>& rows) {
  const View<Row> view = store.view<Row>(column);
  GSIM_EXPECT(static_cast<Index>(rows.size()) == view.size);
  if (view.size > 0)
    store.executor().copy_from_host(view.data, rows.data(), rows.size() * sizeof(Row));
}

}  // namespace gsim::test
