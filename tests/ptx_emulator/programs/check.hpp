#pragma once
// Checks of the test programs: each prints what is wrong, and the exit code of main() is
// exit_code().

#include <cstdio>

#include <cuda_runtime_api.h>
#include <unistd.h>

namespace check {
inline int failures = 0;

inline void report(bool right, const char* what, const char* file, int line) {
  if (right) return;
  ++failures;
  std::printf("%s:%d: process %d: %s is wrong (last error: %s)\n", file, line,
              static_cast<int>(getpid()), what, cudaGetErrorName(cudaPeekAtLastError()));
}

inline int exit_code() { return failures == 0 ? 0 : 1; }
}  // namespace check

#define CHECK(condition) check::report((condition), #condition, __FILE__, __LINE__)
/// Whether a call of the runtime returns the error.
#define CHECK_ERROR(call, error) CHECK((call) == (error)), cudaGetLastError()
#define CHECK_SUCCESS(call) CHECK((call) == cudaSuccess)
