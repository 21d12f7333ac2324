#pragma once
// Time that a rank spends waiting for other ranks: in collective operations of backends and in
// Messages::finish(). Ranks can be threads of one process, so the time is counted for each thread.

#include "gsim/core/timer.hpp"

namespace gsim {

/// Counts the lifetime of the object as waiting of the calling thread. Scopes nest; only the
/// outermost counts.
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

}  // namespace gsim
