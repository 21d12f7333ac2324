#pragma once
// Times of benchmarks, on machines that others use, too.

#include <algorithm>
#include <vector>

#include <time.h>

/// Seconds of this thread on a processor: other programs of a busy machine do not count.
inline double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}
