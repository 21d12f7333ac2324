#include "signals.hpp"

#include <array>
#include <csignal>

namespace gsim::engine {
namespace {

constexpr std::array<int, 4> handled{SIGTERM, SIGINT, SIGUSR1, SIGUSR2};
std::array<struct sigaction, handled.size()> previous;
volatile std::sig_atomic_t flag = 0;

extern "C" void remember_signal(int number) {
  if (flag != 0) {  // the second one: no more patience
    std::signal(number, SIG_DFL);
    std::raise(number);
    return;
  }
  flag = number;
}

}  // namespace

SignalGuard::SignalGuard(bool enabled) : enabled_(enabled) {
  if (!enabled_) return;
  flag = 0;
  struct sigaction action {};
  action.sa_handler = remember_signal;
  action.sa_flags = SA_RESTART;  // no write or MPI call is cut short
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < handled.size(); ++i) sigaction(handled[i], &action, &previous[i]);
}

SignalGuard::~SignalGuard() {
  if (!enabled_) return;
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
