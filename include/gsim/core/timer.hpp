#pragma once
// Wall-clock time, in total and by region; time spent waiting for other ranks; CPU time. Measured
// times never influence the results of a run.

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace gsim {

/// Seconds since construction or restart() by the steady clock.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  void restart() { start_ = Clock::now(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// Time spent in one region, in seconds.
struct RegionTime {
  std::string name;
  double seconds = 0;  ///< including waiting
  double waited = 0;   ///< time spent waiting for other ranks, as measured by WaitScope
};

/// Time by named region. Regions nest; time counts for the innermost one only, so that the parts
/// add up to the total. Not thread-safe.
class RegionTimer {
 public:
  /// Enters a region for the lifetime of the object; does nothing if the timer is null.
  class Scope {
   public:
    Scope(RegionTimer* timer, std::string_view region) : timer_(timer) {
      if (timer_ != nullptr) timer_->enter(region);
    }
    ~Scope() {
      if (timer_ != nullptr) timer_->leave();
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    RegionTimer* timer_;
  };

  /// The regions in the order of first entry; time outside all regions is not listed.
  const std::vector<RegionTime>& regions() const { return regions_; }
  /// Seconds since construction of the timer.
  double total() const { return life_.seconds(); }

 private:
  void enter(std::string_view region);
  void leave();
  void charge();  // adds the time since the last change to the innermost region

  Stopwatch life_;
  Stopwatch since_change_;
  double waited_before_ = 0;  // seconds_waited() when the innermost region last changed
  std::vector<RegionTime> regions_;
  std::vector<std::size_t> open_;  // indices of the regions that have been entered, innermost last
};

/// Counts the lifetime of the object as waiting of the calling thread for other ranks: in
/// collective operations of backends and in Messages::finish(). Scopes nest; only the outermost
/// counts. Time is counted for each thread, because ranks can be threads of one process.
class WaitScope {
 public:
  WaitScope();
  ~WaitScope();
  WaitScope(const WaitScope&) = delete;
  WaitScope& operator=(const WaitScope&) = delete;

 private:
  Stopwatch watch_;
};

/// Seconds that the calling thread has spent in completed outermost scopes.
double seconds_waited();

/// CPU time of this process in seconds, summed over all threads. Waiting for messages counts if the
/// MPI library polls.
double processor_seconds();

/// The current time in UTC: "2026-11-21T03:22:20Z".
std::string utc_now();

}  // namespace gsim
