#include "gsim/exec/float_environment.hpp"

#include <cfenv>
#include <string>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/exec/thread_pool.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace gsim;

TEST_CASE("floating-point environment: a new process has the default one") {
  CHECK(floating_point_deviations().empty());
  CHECK_NOTHROW(check_floating_point_environment());
}

TEST_CASE(
    "floating-point environment: another rounding mode is detected, and thread pools refuse it") {
  REQUIRE(std::fesetround(FE_UPWARD) == 0);
  const std::string deviations = floating_point_deviations();
  bool refused = false, pool_refused = false;
  try {
    check_floating_point_environment();
  } catch (const NumericalError&) {
    refused = true;
  }
  try {
    ThreadPool pool(2);
  } catch (const NumericalError&) {
    pool_refused = true;
  }
  std::fesetround(FE_TONEAREST);
  CHECK(deviations == "rounding upwards");
  CHECK(refused);
  CHECK(pool_refused);
}

#if defined(__x86_64__)
TEST_CASE("floating-point environment: flush-to-zero and denormals-are-zero are detected") {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | (1u << 15) | (1u << 6));  // the bits FTZ and DAZ of the register MXCSR
  const std::string deviations = floating_point_deviations();
  _mm_setcsr(before);
  CHECK(deviations == "flush-to-zero, denormals-are-zero");
  CHECK(floating_point_deviations().empty());
}
#endif
