#include "gsim/exec/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "gsim/core/error.hpp"
#include "gsim/exec/float_environment.hpp"

namespace gsim {
namespace {

// The pool whose task this thread is executing, to reject nested runs instead of deadlocking.
thread_local const void* active_pool = nullptr;

class ActivePoolScope {
 public:
  explicit ActivePoolScope(const void* pool) : previous_(std::exchange(active_pool, pool)) {}
  ~ActivePoolScope() { active_pool = previous_; }
  ActivePoolScope(const ActivePoolScope&) = delete;
  ActivePoolScope& operator=(const ActivePoolScope&) = delete;

 private:
  const void* previous_;
};

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// A store fence: non-temporal stores of this thread become visible before its later stores; atomic
/// operations do not order them.
void finish_streaming_stores() {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#endif
}

/// Spins until `ready()` or a timeout; returns whether it is ready. Yields occasionally, because
/// the awaited thread may need this processor.
template <class Ready>
bool spin_until(std::chrono::nanoseconds budget, Ready ready) {
  if (ready()) return true;
  const auto end = std::chrono::steady_clock::now() + budget;
  do {
    for (int i = 0; i < 32; ++i) {
      pause_briefly();
      if (ready()) return true;
    }
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

}  // namespace

// A run is announced by making `state` odd and closed by making it even. A worker may access the
// job only between incrementing and decrementing `active_workers`, and only if it read an odd state
// after incrementing; the caller changes the job only after closing it and reading 0 from
// `active_workers`. Hence run() never waits for a worker that was asleep during the whole run. The
// operations on `state`, `active_workers`, `sleeping` and `caller_sleeps` are sequentially
// consistent: caller and workers each write one of them and then read another.
struct ThreadPool::Impl {
  explicit Impl(int threads);
  ~Impl();

  void start_workers(int count);
  void worker_loop(int worker);
  void wait_for_job(std::uint64_t last_state);
  void run_chunks(int worker);
  void record_exception(Index chunk) noexcept;
  void open_job();
  void close_job();
  void run_alone(Index chunks, void (*task)(void*, Index, int), void* context);

  // Waking a sleeping thread takes about 50 us; a thread sleeps only after longer gaps between
  // launches. A pool with more threads than processors would spin while other threads
  // need the processor.
  std::chrono::nanoseconds spin_budget{20'000};

  // the current job
  void (*task)(void*, Index, int) = nullptr;
  void* context = nullptr;
  Index chunks = 0;
  alignas(64) std::atomic<Index> next{0};  // chunk that is executed next

  alignas(64) std::atomic<std::uint64_t> state{0};
  alignas(64) std::atomic<int> active_workers{0};
  std::atomic<int> sleeping{0};
  std::atomic<bool> caller_sleeps{false};
  std::atomic<bool> stopping{false};

  std::mutex mutex;  // protects the sleeping threads and the members below
  std::condition_variable wake_workers, wake_caller;
  std::exception_ptr exception;
  Index exception_chunk = 0;
  int started_workers = 0;

  std::mutex caller_mutex;
  std::vector<std::thread> workers;
};

ThreadPool::Impl::Impl(int threads) {
  const auto processors = std::thread::hardware_concurrency();
  if (processors != 0 && static_cast<unsigned>(threads) > processors)
    spin_budget = std::chrono::nanoseconds{0};
}

ThreadPool::Impl::~Impl() {
  {
    const std::lock_guard lock(mutex);
    stopping = true;
  }
  wake_workers.notify_all();
  for (auto& worker : workers) worker.join();
}

void ThreadPool::Impl::start_workers(int count) {
  workers.reserve(static_cast<std::size_t>(count));
  try {
    for (int w = 1; w <= count; ++w) workers.emplace_back([this, w] { worker_loop(w); });
  } catch (const std::system_error& e) {  // the destructor ends the running threads
    throw Error("cannot start thread " + std::to_string(workers.size() + 2) + " of " +
                std::to_string(count + 1) + ": " + e.code().message() +
                "; the limits on memory (ulimit -v) or processes (ulimit -u) leave no room for so "
                "many: choose fewer with --threads, or raise the limits");
  }
  std::unique_lock lock(mutex);
  wake_caller.wait(lock, [&] { return started_workers == count; });
  if (exception) std::rethrow_exception(exception);
}

void ThreadPool::Impl::worker_loop(int worker) {
  {
    const std::lock_guard lock(mutex);
    try {
      check_floating_point_environment();
    } catch (...) {
      exception = std::current_exception();
    }
    ++started_workers;
    wake_caller.notify_all();
  }
  std::uint64_t last_state = 0;
  for (;;) {
    wait_for_job(last_state);
    if (stopping) return;
    active_workers.fetch_add(1);
    last_state = state.load();
    if (last_state % 2 == 1) run_chunks(worker);
    if (active_workers.fetch_sub(1) == 1 && caller_sleeps) {
      const std::lock_guard lock(mutex);
      wake_caller.notify_all();
    }
  }
}

/// Waits until a job other than `last_state` is open, or the pool ends.
void ThreadPool::Impl::wait_for_job(std::uint64_t last_state) {
  const auto ready = [&] {
    const std::uint64_t now = state.load();
    return (now != last_state && now % 2 == 1) || stopping.load();
  };
  if (spin_until(spin_budget, ready)) return;
  std::unique_lock lock(mutex);
  sleeping.fetch_add(1);
  wake_workers.wait(lock, ready);
  sleeping.fetch_sub(1);
}

void ThreadPool::Impl::run_chunks(int worker) {
  const ActivePoolScope activity(this);
  for (;;) {
    const Index chunk = next.fetch_add(1, std::memory_order_relaxed);
    if (chunk >= chunks) break;
    try {
      task(context, chunk, worker);
    } catch (...) {
      record_exception(chunk);
    }
  }
  finish_streaming_stores();
}

/// Chunks are assigned in ascending order, so every chunk below a throwing one is complete or
/// running: keeping the exception of the lowest chunk makes the result independent of timing.
void ThreadPool::Impl::record_exception(Index chunk) noexcept {
  next.store(chunks, std::memory_order_relaxed);
  const std::lock_guard lock(mutex);
  if (!exception || chunk < exception_chunk) {
    exception = std::current_exception();
    exception_chunk = chunk;
  }
}

void ThreadPool::Impl::open_job() {
  state.fetch_add(1);
  if (sleeping.load() == 0) return;
  {
    const std::lock_guard lock(mutex);
  }  // waits for a worker that has checked `state` and is about to sleep
  wake_workers.notify_all();
}

void ThreadPool::Impl::close_job() {
  state.fetch_add(1);
  const auto is_idle = [&] { return active_workers.load() == 0; };
  if (spin_until(spin_budget, is_idle)) return;
  std::unique_lock lock(mutex);
  caller_sleeps = true;
  wake_caller.wait(lock, is_idle);
  caller_sleeps = false;
}

void ThreadPool::Impl::run_alone(Index count, void (*work)(void*, Index, int), void* argument) {
  const ActivePoolScope activity(this);
  for (Index chunk = 0; chunk < count; ++chunk) work(argument, chunk, 0);
  finish_streaming_stores();
}

ThreadPool::ThreadPool(int threads) {
  GSIM_VALIDATE(threads >= 1 && threads <= 65536,
                "a thread pool of " + std::to_string(threads) + " threads is not possible",
                "choose 1 to 65536");
  check_floating_point_environment();
  impl_ = std::make_unique<Impl>(threads);
  impl_->start_workers(threads - 1);
}

ThreadPool::~ThreadPool() = default;

int ThreadPool::threads() const { return static_cast<int>(impl_->workers.size()) + 1; }

void ThreadPool::run(Index chunks, void (*task)(void*, Index, int), void* context) {
  if (chunks <= 0) return;
  Impl& pool = *impl_;
  if (active_pool == &pool)
    throw Error(
        "internal error: a thread-pool task started a run on its own pool; please report it");
  if (pool.workers.empty() || chunks == 1) return pool.run_alone(chunks, task, context);

  const std::lock_guard caller_lock(pool.caller_mutex);
  pool.task = task;
  pool.context = context;
  pool.chunks = chunks;
  pool.next.store(0, std::memory_order_relaxed);
  pool.open_job();
  pool.run_chunks(0);
  pool.close_job();

  std::exception_ptr exception;
  {
    const std::lock_guard lock(pool.mutex);
    exception = std::exchange(pool.exception, nullptr);
  }
  if (exception) std::rethrow_exception(exception);
}

}  // namespace gsim
