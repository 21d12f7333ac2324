#pragma once
// A pool of host threads that process fixed chunks. Chunks are assigned to threads dynamically;
// since the work of a chunk does not depend on its thread, the number of threads cannot change
// results.

#include <memory>
#include <type_traits>

#include "gsim/core/types.hpp"

namespace gsim {

class ThreadPool {
 public:
  /// Starts `threads` >= 1 workers, including the calling thread. Every worker's floating-point
  /// control register is checked at its start (exec/float_environment.hpp).
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const;

  /// Calls task(context, chunk, worker) for every chunk in [0, chunks), with worker in [0,
  /// threads()); synchronous. If tasks throw, the exception of the lowest throwing chunk is
  /// rethrown, the same for every number of threads; chunks above it may not have run. Calls from
  /// different threads are serialised. A task must not call run(): that is an Error.
  void run(Index chunks, void (*task)(void* context, Index chunk, int worker), void* context);

  /// As above for a callable `task(chunk, worker)`.
  template <class Task>
  void for_each(Index chunks, Task&& task) {
    using Callable = std::remove_reference_t<Task>;
    run(
        chunks,
        [](void* c, Index chunk, int worker) { (*static_cast<Callable*>(c))(chunk, worker); },
        const_cast<void*>(static_cast<const void*>(&task)));
  }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gsim
