#include "runtime/host_functions.hpp"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>

#include "runtime/api/api.hpp"
#include "runtime/device.hpp"

namespace ptxemu {
namespace {

using Clock = std::chrono::steady_clock;

/// The thread, and what it has to do. It is never destroyed: the thread may outlive main().
class HostFunctions {
 public:
  static HostFunctions& instance() {
    static HostFunctions* const only = new HostFunctions;
    return *only;
  }

  void add(Device& device, Stream& stream, std::uint64_t sequence) {
    const std::lock_guard<std::mutex> lock(mutex_);
    expected_.push_back({&device, &stream, sequence, Clock::now() + std::chrono::milliseconds(20)});
    wake_.notify_one();
  }

 private:
  struct Expected {
    Device* device;
    Stream* stream;
    std::uint64_t sequence;
    Clock::time_point due;
  };

  HostFunctions() {
    // At exit nothing is executed any more.
    std::atexit([] {
      const std::lock_guard<std::recursive_mutex> lock(runtime_lock());
      instance().ends_ = true;
    });
    // Signals are for the threads of the program.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread([this] { run(); }).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  Expected next() {
    std::unique_lock<std::mutex> lock(mutex_);
    wake_.wait(lock, [&] { return !expected_.empty(); });
    const Expected first = expected_.front();
    expected_.pop_front();
    return first;
  }

  void run() {
    while (true) {
      const Expected e = next();
      std::this_thread::sleep_until(e.due);
      guarded_without_device([&](Runtime&) {
        if (ends_) return cudaSuccess;
        Runtime::current_device() = e.device->ordinal();
        if (e.device->owns(e.stream)) e.device->drain(*e.stream, e.sequence);
        return cudaSuccess;
      });
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Expected> expected_;
  bool ends_ = false;  ///< protected by the lock of the runtime
};

}  // namespace

void execute_soon(Device& device, Stream& stream, std::uint64_t sequence) {
  HostFunctions::instance().add(device, stream, sequence);
}

}  // namespace ptxemu
