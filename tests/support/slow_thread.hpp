#pragma once
// Slows a thread down on purpose, for tests of ranks with unequal speeds.

#include <csignal>
#include <ctime>
#include <stdexcept>

#include <unistd.h>

namespace gsim::test {

/// Processor time of the calling thread, in nanoseconds. What else runs on the machine does not
/// change it.
inline long thread_nanoseconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}

/// While it exists, a signal interrupts the thread that has made it every quarter of a millisecond,
/// and the thread sleeps `factor` times as long as it has computed since the last signal. One at a
/// time in a process, and destroyed by the same thread.
class SlowThread {
 public:
  explicit SlowThread(long factor) {
    factor_ = factor;
    last_ = thread_nanoseconds();
    struct sigaction action {};
    action.sa_handler = sleep_in_proportion;
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR2, &action, &before_);
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGUSR2;
    event._sigev_un._tid = gettid();  // glibc 2.36 has no other name for it
    if (timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0)
      throw std::runtime_error("a timer cannot be made");
    arm();
  }
  ~SlowThread() {
    timer_delete(timer_);
    sigaction(SIGUSR2, &before_, nullptr);
  }
  SlowThread(const SlowThread&) = delete;
  SlowThread& operator=(const SlowThread&) = delete;

 private:
  static void arm() {
    const itimerspec once{{0, 0}, {0, 250'000}};
    timer_settime(timer_, 0, &once, nullptr);
  }
  // Calls functions only that POSIX allows in handlers of signals.
  static void sleep_in_proportion(int) {
    const long pause = factor_ * (thread_nanoseconds() - last_);
    const timespec time{pause / 1'000'000'000, pause % 1'000'000'000};
    nanosleep(&time, nullptr);
    last_ = thread_nanoseconds();
    arm();
  }
  static inline timer_t timer_{};
  static inline long factor_ = 0, last_ = 0;
  struct sigaction before_ {};
};

}  // namespace gsim::test
