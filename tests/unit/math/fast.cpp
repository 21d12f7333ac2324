// Errors of the fast policy on the host, relative to the strict functions in double. Limits are the
// polynomial errors stated in the headers, plus the rounding errors of about ten operations for
// float.
#include <algorithm>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "gsim/math/elementary.hpp"
#include "inputs.hpp"

using namespace gsim;

namespace {

/// The maximum of |fast - strict| on [low, high], divided by |strict| if `relative`.
template <class T, class F, class S>
double error(const char* name, F fast, S strict, T low, T high, bool relative) {
  double largest_error = 0;
  for (const T x : test::inputs<T>(low, high, 20000, 11)) {
    const double exact = strict(static_cast<double>(x));
    const double difference = std::abs(static_cast<double>(fast(x)) - exact);
    if (difference != 0)
      largest_error = std::max(largest_error, relative ? difference / std::abs(exact) : difference);
    if (!(difference < infinity_of<double>())) largest_error = infinity_of<double>();
  }
  MESSAGE(fmt::format("{:16s} {} bits: {} error 2^{:.1f}", name, 8 * sizeof(T),
                      relative ? "relative" : "absolute", std::log2(largest_error)));
  return largest_error;
}

#define GSIM_FAST_AND_STRICT(call) \
  [](auto x) { return call<Fast>(x); }, [](double x) { return call<Strict>(x); }
#define GSIM_FAST_AND_STRICT_2PI(part)             \
  [](auto x) { return sincos_2pi<Fast>(x).part; }, \
      [](double x) { return sincos_2pi<Strict>(x).part; }

}  // namespace

TEST_CASE_TEMPLATE("fast functions: errors are below the limits that the headers state", T, float,
                   double) {
  constexpr bool is_double = sizeof(T) == 8;
  const T bound = is_double ? T(700) : T(87), smallest_normal = std::numeric_limits<T>::min();
  CHECK(error<T>("exp", GSIM_FAST_AND_STRICT(gsim::exp), -bound, bound, true) <
        (is_double ? 0x1p-39 : 0x1p-22));
  CHECK(error<T>("exp_bounded", GSIM_FAST_AND_STRICT(exp_bounded), -1, 1, true) <
        (is_double ? 0x1p-39 : 0x1p-22));
  const T below_one = T(1.0) - (is_double ? T(0x1p-53) : T(0x1p-24));
  CHECK(error<T>("log_unit", GSIM_FAST_AND_STRICT(log_unit), smallest_normal, below_one, true) <
        (is_double ? 0x1p-37 : 0x1p-22));
  CHECK(error<T>("log", GSIM_FAST_AND_STRICT(gsim::log), T(0.5), T(2), true) <
        (is_double ? 0x1p-37 : 0x1p-22));
  CHECK(error<T>("sin 2 pi u", GSIM_FAST_AND_STRICT_2PI(sin), 0, 1, false) <
        (is_double ? 0x1p-34 : 0x1p-23));
  CHECK(error<T>("cos 2 pi u", GSIM_FAST_AND_STRICT_2PI(cos), 0, 1, false) <
        (is_double ? 0x1p-34 : 0x1p-23));
  CHECK(error<T>("normal_inverse", GSIM_FAST_AND_STRICT(normal_inverse), T(0x1p-30), below_one,
                 true) < (is_double ? 0x1.1p-30 : 0x1p-21));
}

TEST_CASE("fast functions: results differ from those of strict functions") {
  int differences = 0;
  for (const double x : test::inputs<double>(0.001, 0.999, 1000, 3))
    differences += exp_bounded<Fast>(x) != exp_bounded<Strict>(x);
  CHECK(differences > 500);
}
