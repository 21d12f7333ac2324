#pragma once
// Wall-clock time: how long, and on what. Time never reaches a result.

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace gsim {

/// Seconds since it was made or restarted, by the steady clock.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  void restart() { start_ = Clock::now(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// A region's share of the time, in seconds.
struct RegionTime {
  std::string name;
  double seconds = 0;  ///< waiting included
  double waited = 0;   ///< for other ranks, as far as they are Waiting (core/wait_time.hpp)
};

/// Time spent by named region. Regions nest; time counts for the innermost one only, so the parts
/// add up to the whole. Not for use from several threads at once.
class RegionTimer {
 public:
  /// Enters a region for its own lifetime; a null timer does nothing.
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

  /// In the order of first entry; time outside all regions is not listed.
  const std::vector<RegionTime>& regions() const { return regions_; }
  /// Seconds since the timer was made.
  double total() const { return life_.seconds(); }

 private:
  void enter(std::string_view region);
  void leave();
  void charge();  // the time since the last change to the innermost region

  Stopwatch life_;
  Stopwatch since_change_;
  double waited_before_ = 0;  // the last change
  std::vector<RegionTime> regions_;
  std::vector<std::size_t> open_;
};

/// "2026-11-21T03:22:20Z", the time now.
std::string utc_now();

}  // namespace gsim
