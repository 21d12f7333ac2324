#include "gsim/engine/signals.hpp"

#include <array>
#include <csignal>
#include <ctime>

namespace gsim::engine {
namespace {

constexpr std::array<int, 4> handled_signals{SIGTERM, SIGINT, SIGUSR1, SIGUSR2};
/// Seconds. A signal that is repeated within this time may come from the same keystroke, for which
/// the launcher and the terminal both send one.
constexpr double min_repeat_interval = 0.5;
/// The actions before the first guard, which the last guard restores.
std::array<struct sigaction, handled_signals.size()> previous;
volatile std::sig_atomic_t received_signal = 0;
timespec first_signal_time{};
int active_guards = 0;

double seconds_since_first_signal() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);  // allowed in handlers
  return static_cast<double>(now.tv_sec - first_signal_time.tv_sec) +
         1e-9 * static_cast<double>(now.tv_nsec - first_signal_time.tv_nsec);
}

extern "C" void remember_signal(int number) {
  if (received_signal == 0) {
    clock_gettime(CLOCK_MONOTONIC, &first_signal_time);
    received_signal = number;
    return;
  }
  // A second Ctrl-C ends the process at once. Batch systems send several signals for one stop: a
  // warning first, SIGTERM at the limit, and SIGKILL later.
  if (number == SIGINT && seconds_since_first_signal() > min_repeat_interval) {
    std::signal(number, SIG_DFL);
    std::raise(number);
  }
}

}  // namespace

SignalGuard::SignalGuard(bool enabled) : enabled_(enabled) {
  if (!enabled_) return;
  if (active_guards++ == 0) {
    received_signal = 0;
    for (std::size_t i = 0; i < handled_signals.size(); ++i)
      sigaction(handled_signals[i], nullptr, &previous[i]);
  }
  reinstall();
}

void SignalGuard::reinstall() const {
  if (!enabled_) return;
  struct sigaction action {};
  action.sa_handler = remember_signal;
  action.sa_flags = SA_RESTART;  // writes and MPI calls are not interrupted
  sigemptyset(&action.sa_mask);
  for (const int number : handled_signals) sigaction(number, &action, nullptr);
}

SignalGuard::~SignalGuard() {
  if (!enabled_ || --active_guards > 0) return;
  for (std::size_t i = 0; i < handled_signals.size(); ++i)
    sigaction(handled_signals[i], &previous[i], nullptr);
  received_signal = 0;
}

int SignalGuard::received() { return received_signal; }

const char* signal_name(int number) {
  switch (number) {
    case SIGTERM:
      return "SIGTERM";
    case SIGINT:
      return "SIGINT";
    case SIGUSR1:
      return "SIGUSR1";
    case SIGUSR2:
      return "SIGUSR2";
    default:
      return "a signal";
  }
}

}  // namespace gsim::engine
