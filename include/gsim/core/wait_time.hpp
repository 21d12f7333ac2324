#pragma once
// Time in which a rank can only wait for others: what transports spend in collectives and in
// Messages::finish(). A rank is a thread, of its own process or not, so each thread has a count of
// its own.

#include "gsim/core/timer.hpp"

namespace gsim {

/// The calling thread waits for other ranks for the lifetime of this. Nests; the outermost counts.
class Waiting {
 public:
  Waiting();
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  Stopwatch watch_;
};

/// Seconds that the calling thread has waited in its life, where that is over.
double seconds_waited();

}  // namespace gsim
