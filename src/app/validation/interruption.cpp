#include "interruption.hpp"

#include <array>
#include <csignal>

namespace gsim::app {
namespace {

constexpr std::array<int, 2> handled{SIGTERM, SIGINT};
std::array<struct sigaction, handled.size()> previous;
volatile std::sig_atomic_t flag = 0;

extern "C" void remember_interruption(int number) {
  if (flag != 0) {
    std::signal(number, SIG_DFL);
    std::raise(number);
    return;
  }
  flag = 1;
}

}  // namespace

InterruptionGuard::InterruptionGuard() {
  flag = 0;
  struct sigaction action {};
  action.sa_handler = remember_interruption;
  action.sa_flags = SA_RESTART;  // no write or MPI call is cut short
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < handled.size(); ++i) sigaction(handled[i], &action, &previous[i]);
}

InterruptionGuard::~InterruptionGuard() {
  for (std::size_t i = 0; i < handled.size(); ++i) sigaction(handled[i], &previous[i], nullptr);
  flag = 0;
}

bool InterruptionGuard::requested() { return flag != 0; }

}  // namespace gsim::app
