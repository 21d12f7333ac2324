#include "gsim/engine/signals.hpp"

#include <array>
#include <csignal>
#include <ctime>

namespace gsim::engine {
namespace {

constexpr std::array<int, 4> handled{SIGTERM, SIGINT, SIGUSR1, SIGUSR2};
constexpr double one_keystroke = 0.5;  // seconds; launcher and terminal may both send a signal
std::array<struct sigaction, handled.size()> previous;
volatile std::sig_atomic_t flag = 0;
timespec first_at{};
int guards = 0;

double since_first() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);  // allowed in handlers
  return static_cast<double>(now.tv_sec - first_at.tv_sec) +
         1e-9 * static_cast<double>(now.tv_nsec - first_at.tv_nsec);
}

extern "C" void remember_signal(int number) {
  if (flag == 0) {
    clock_gettime(CLOCK_MONOTONIC, &first_at);
    flag = number;
    return;
  }
  // A second Ctrl-C ends the process at once. Batch systems send several signals for one stop: a
  // warning first, SIGTERM at the limit, and SIGKILL later.
  if (number == SIGINT && since_first() > one_keystroke) {
    std::signal(number, SIG_DFL);
    std::raise(number);
  }
}

}  // namespace

SignalGuard::SignalGuard(bool enabled) : enabled_(enabled) {
  if (!enabled_) return;
  if (guards++ == 0) {
    flag = 0;
    for (std::size_t i = 0; i < handled.size(); ++i) sigaction(handled[i], nullptr, &previous[i]);
  }
  reinstall();
}

void SignalGuard::reinstall() const {
  if (!enabled_) return;
  struct sigaction action {};
  action.sa_handler = remember_signal;
  action.sa_flags = SA_RESTART;  // writes and MPI calls are not interrupted
  sigemptyset(&action.sa_mask);
  for (const int number : handled) sigaction(number, &action, nullptr);
}

SignalGuard::~SignalGuard() {
  if (!enabled_ || --guards > 0) return;
  for (std::size_t i = 0; i < handled.size(); ++i) sigaction(handled[i], &previous[i], nullptr);
  flag = 0;
}

int SignalGuard::received() { return flag; }

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
