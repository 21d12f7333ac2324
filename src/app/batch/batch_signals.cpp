#include "batch_signals.hpp"

#include <ctime>

namespace gsim::app {
namespace {

constexpr double min_repeat_interval = 0.5;  // seconds: as in engine/signals.hpp
volatile std::sig_atomic_t second_interrupt = 0;
timespec watch_time{};

extern "C" void remember_second_interrupt(int /*number*/) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);  // allowed in handlers
  const double seconds = static_cast<double>(now.tv_sec - watch_time.tv_sec) +
                         1e-9 * static_cast<double>(now.tv_nsec - watch_time.tv_nsec);
  if (seconds > min_repeat_interval) second_interrupt = 1;
}

}  // namespace

ChildSignals::ChildSignals() {
  sigemptyset(&set_);
  sigaddset(&set_, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set_, &previous_);
}

ChildSignals::~ChildSignals() { sigprocmask(SIG_SETMASK, &previous_, nullptr); }

void ChildSignals::wait(double seconds) const {
  timespec timeout{
      static_cast<time_t>(seconds),
      static_cast<long>(1e9 * (seconds - static_cast<double>(static_cast<time_t>(seconds))))};
  sigtimedwait(&set_, nullptr, &timeout);
}

void SecondInterrupt::watch() {
  if (is_watching_) return;
  is_watching_ = true;
  second_interrupt = 0;
  clock_gettime(CLOCK_MONOTONIC, &watch_time);
  struct sigaction action {};
  action.sa_handler = remember_second_interrupt;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previous_);
}

SecondInterrupt::~SecondInterrupt() {
  if (is_watching_) sigaction(SIGINT, &previous_, nullptr);
}

bool SecondInterrupt::has_arrived() const { return is_watching_ && second_interrupt != 0; }

}  // namespace gsim::app
