#include "src/comm/mpi/mpi_wait.hpp"

#include <algorithm>
#include <thread>

#include "src/comm/mpi/mpi_check.hpp"

namespace gsim::detail {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr int tests_without_pause = 100;  // about 10 us
constexpr auto yield_period = 2ms;        // a longer wait sleeps between tests instead of yielding
constexpr auto min_sleep = 50us;
constexpr auto max_sleep = 1ms;
/// After a yield that takes longer, another program is assumed to use this CPU.
constexpr auto long_yield = 500us;
constexpr int waits_without_yields = 100;  // after a long yield

/// Number of the next waits that sleep instead of yielding, because a yield took long. Not atomic,
/// because only the main thread communicates.
int sleeping_waits_left = 0;

}  // namespace

void Backoff::pause() {
  if (++tests_ < tests_without_pause) return;
  const auto now = Clock::now();
  if (tests_ == tests_without_pause) {
    begin_ = now;
    if (sleeping_waits_left > 0) --sleeping_waits_left;
  }
  const auto waited = now - begin_;
  if (sleeping_waits_left > 0 || waited > yield_period) return sleep(waited);
  std::this_thread::yield();
  if (Clock::now() - now > long_yield) sleeping_waits_left = waits_without_yields;
}

void Backoff::sleep(Clock::duration waited) const {
  std::this_thread::sleep_for(std::clamp<Clock::duration>(waited / 64, min_sleep, max_sleep));
}

void wait_all(std::span<MPI_Request> requests, std::span<MPI_Status> statuses) {
  Backoff backoff;
  for (int done = 0;; backoff.pause()) {
    check_mpi(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done,
                          statuses.empty() ? MPI_STATUSES_IGNORE : statuses.data()),
              "MPI_Testall");
    if (done != 0) return;
  }
}

void wait_for(MPI_Request& request) { wait_all({&request, 1}); }

}  // namespace gsim::detail
