#pragma once
// Host threads over fixed chunks. Which thread runs a chunk is left to chance; what a chunk
// computes never depends on it, so the thread count cannot change a result.

#include <memory>
#include <type_traits>

#include "gsim/core/types.hpp"

namespace gsim {

class ThreadPool {
 public:
  /// `threads` >= 1 workers, the calling thread included. Every worker's floating-point control
  /// register is checked as it starts (exec/float_environment.hpp).
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const;

  /// Calls task(context, chunk, worker) for every chunk in [0, chunks), worker in [0, threads());
  /// returns when all are done. When tasks throw, the exception of the lowest throwing chunk is
  /// rethrown here, the same one for every thread count; chunks above it may not have run.
  /// Callers on different threads take turns. A task must not call run(): that is an Error.
  void run(Index chunks, void (*task)(void* context, Index chunk, int worker), void* context);

  /// The same for a callable `task(chunk, worker)`.
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
