// The square root by iteration is correctly rounded for every estimate of the hardware. The error
// before its last rounding is below 2^-51 units in the last place (in_range.hpp), so that only
// roots nearer than this to the middle between two numbers could be rounded wrongly. All of them,
// and others within 2^-45 units, are tried with many estimates. same_bits.cpp tries them with those
// of this machine.
#include "gsim/math/in_range.hpp"

#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include "hard_roots.hpp"

using namespace gsim;

namespace {

/// Checks the root of a with an estimate that is off by a part `error` of the largest error.
void check_root(double a, double error) {
  const double exact = std::sqrt(a), estimate = (1 + error * 0x1p-14) / exact;
  if (detail::root_by_iteration(a, estimate) != exact) FAIL_CHECK(a, " ", error);
}

}  // namespace

TEST_CASE("square roots by iteration near the middle between two numbers") {
  const auto arguments = test::hard_roots(1 << 11);
  CHECK(arguments.size() > 500);
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> error(-1, 1);
  for (const double a : arguments)
    for (int i = 0; i < 400; ++i)
      for (const double scale : {1.0, 0x1p-898, 0x1p898}) check_root(a * scale, error(random));
  const double below_four = std::nextafter(4.0, 0.0);
  for (int i = 0; i < 100000; ++i) check_root(below_four, error(random));
}

TEST_CASE("square roots by iteration of other numbers") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-900, 900), error(-1, 1);
  for (int i = 0; i < 100000; ++i) check_root(std::exp2(exponent(random)), error(random));
  for (int i = 1; i < 10000; ++i) {
    const double square = static_cast<double>(i) * i;
    check_root(square, error(random));
    check_root(std::nextafter(square, 0.0), error(random));
    check_root(std::nextafter(square, 1e300), error(random));
  }
  CHECK(detail::root_by_iteration(0.0, 0x1p450) == 0.0);
}
