#include "gsim/core/timer.hpp"

#include <algorithm>
#include <ctime>

namespace gsim {
namespace {

// The number of the calling thread's open WaitScopes, and the seconds that it has waited in all.
thread_local int open_waits = 0;
thread_local double waited_seconds = 0;

}  // namespace

WaitScope::WaitScope() { ++open_waits; }
WaitScope::~WaitScope() {
  if (--open_waits == 0) waited_seconds += watch_.seconds();
}

double seconds_waited() { return waited_seconds; }

double processor_seconds() {
  std::timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void RegionTimer::charge() {
  const double waited = seconds_waited();
  if (!open_.empty()) {
    RegionTime& region = regions_[open_.back()];
    region.seconds += since_change_.seconds();
    region.waited += waited - waited_before_;
  }
  waited_before_ = waited;
  since_change_.restart();
}

void RegionTimer::enter(std::string_view region) {
  charge();
  const auto found = std::find_if(regions_.begin(), regions_.end(),
                                  [&](const RegionTime& r) { return r.name == region; });
  open_.push_back(static_cast<std::size_t>(found - regions_.begin()));
  if (found == regions_.end()) regions_.push_back({std::string(region)});
}

void RegionTimer::leave() {
  charge();
  open_.pop_back();
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return std::string(text, length);
}

}  // namespace gsim
