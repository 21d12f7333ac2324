#pragma once
// Times of benchmarks on machines with other users.

#include <algorithm>
#include <vector>

#include <time.h>

/// CPU time of this thread in seconds, which excludes other programs on a busy machine.
inline double thread_cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}
