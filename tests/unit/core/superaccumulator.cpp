#include "gsim/core/superaccumulator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/ordered_real.hpp"

using namespace gsim;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double tiniest = std::numeric_limits<double>::denorm_min();
constexpr double largest = std::numeric_limits<double>::max();

double sum_of(const std::vector<double>& terms) {
  Superaccumulator sum;
  for (const double x : terms) sum.add(x);
  return sum.value();
}

/// A random finite double: all exponents are equally likely.
double random_double(std::mt19937_64& bits) {
  for (;;) {
    const double x = __builtin_bit_cast(double, bits());
    if (std::isfinite(x)) return x;
  }
}

/// The exact sum of two doubles as a double and a remainder (Knuth's two-sum), where it is finite.
std::array<double, 2> two_sum(double a, double b) {
  const double s = a + b, b_rounded = s - a;
  return {s, (a - (s - b_rounded)) + (b - b_rounded)};
}

}  // namespace

TEST_CASE("superaccumulator: the sum of a single term is that term, for any magnitude") {
  std::mt19937_64 bits(1);
  std::vector<double> values{0,         1,       -1,     tiniest,  -tiniest,  largest, -largest,
                             0x1p-1022, 0x1p-31, 0x1p32, 0x1p1023, -0x1p-969, 1 / 3.0};
  for (int i = 0; i < 20000; ++i) values.push_back(random_double(bits));
  for (const double x : values) {
    CHECK(sum_of({x}) == x);
    CHECK(sum_of({x, -x}) == 0);
    CHECK(!std::signbit(sum_of({x, -x})));
  }
  CHECK(Superaccumulator().value() == 0);
}

TEST_CASE("superaccumulator: sums of two terms are rounded to nearest, ties to even") {
  std::mt19937_64 bits(2);
  for (int i = 0; i < 200000; ++i) {
    const double a = random_double(bits);
    // Exponents near that of a, where rounding occurs.
    int exponent = 0;
    const double fraction = std::frexp(random_double(bits), &exponent);
    const double b =
        std::ldexp(fraction, std::ilogb(a == 0 ? 1 : a) - static_cast<int>(bits() % 110));
    CHECK(sum_of({a, b}) == a + b);
  }
  CHECK(sum_of({1, 0x1p-53}) == 1);
  CHECK(sum_of({1, 0x1p-53, tiniest}) == 1 + 0x1p-52);
  CHECK(sum_of({1 + 0x1p-52, 0x1p-53}) == 1 + 0x1p-51);
  CHECK(sum_of({1 + 0x1p-52, 0x1p-53, -tiniest}) == 1 + 0x1p-52);
  CHECK(sum_of({0x1p-1022, -tiniest}) == 0x1p-1022 - tiniest);
}

TEST_CASE("superaccumulator: cancellation is exact, in any order") {
  CHECK(sum_of({1e308, 1, -1e308}) == 1);
  CHECK(sum_of({1e308, 1e308, tiniest, -1e308, -1e308}) == tiniest);
  CHECK(sum_of({largest, largest}) == infinity);
  CHECK(sum_of({-largest, -largest, largest}) == -largest);
  std::mt19937_64 bits(3);
  for (int round = 0; round < 50; ++round) {
    // Terms with a known exact sum: pairs that cancel, and the exact sum of two doubles as two
    // terms.
    std::vector<double> terms;
    for (int i = 0; i < 100; ++i) {
      const double x = random_double(bits);
      terms.insert(terms.end(), {x, -x});
    }
    const double a = 1 + std::ldexp(static_cast<double>(bits() >> 12), -52);
    const double b = std::ldexp(static_cast<double>(bits() >> 12), -90);
    const auto parts = two_sum(a, b);
    terms.insert(terms.end(), parts.begin(), parts.end());
    std::shuffle(terms.begin(), terms.end(), bits);
    CHECK(sum_of(terms) == a + b);
    // The terms are added in two halves, as on two ranks.
    Superaccumulator lower, upper, whole;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      (i % 2 == 0 ? lower : upper).add(terms[i]);
      whole.add(terms[i]);
    }
    std::array<std::int64_t, Superaccumulator::parts> parts_of_both{};
    for (std::size_t k = 0; k < parts_of_both.size(); ++k)
      parts_of_both[k] = lower.to_parts()[k] + upper.to_parts()[k];
    lower.add(upper);
    CHECK(lower == whole);
    CHECK(Superaccumulator::from_parts(parts_of_both.data()) == whole);
  }
}

TEST_CASE("superaccumulator: sums agree with those of 128-bit integers") {
  std::mt19937_64 bits(4);
  for (int round = 0; round < 20; ++round) {
    // Multiples of 2^-60 below 2^3: their sum fits in 128 bits and is rounded to the nearest
    // double.
    Superaccumulator sum;
    WideInteger quanta = 0;
    for (int i = 0; i < 3000; ++i) {
      const auto q = static_cast<std::int64_t>(bits()) >> (1 + bits() % 60);
      const double x = std::ldexp(static_cast<double>(q), -60);
      sum.add(x);
      quanta += static_cast<WideInteger>(std::ldexp(x, 60));
    }
    CHECK(sum.value() == std::ldexp(static_cast<double>(quanta), -60));
  }
}

TEST_CASE("superaccumulator: products are exact, also beyond the range of doubles") {
  std::mt19937_64 bits(5);
  for (int i = 0; i < 100000; ++i) {
    const double a = std::ldexp(static_cast<double>(bits()), static_cast<int>(bits() % 800) - 400);
    const double b = std::ldexp(-static_cast<double>(bits()), static_cast<int>(bits() % 400) - 200);
    Superaccumulator product, rounding_error;
    product.add_product(a, b);
    CHECK(product.value() == a * b);
    // The rounding error of the product.
    rounding_error.add_product(a, b);
    rounding_error.add(-(a * b));
    CHECK(rounding_error.value() == std::fma(a, b, -(a * b)));
  }
  Superaccumulator tiny, large, extremes;
  tiny.add_product(tiniest, tiniest);
  CHECK(tiny.value() == 0);
  CHECK(tiny.root() == tiniest);
  large.add_product(largest, largest);
  CHECK(large.value() == infinity);
  CHECK(large.root() == largest);
  extremes.add_product(largest, largest);
  extremes.add_product(tiniest, -tiniest);
  extremes.add_product(-largest, largest);
  CHECK(extremes.value() == 0);
  CHECK(std::isnan(extremes.root()));
  extremes.add_product(tiniest, 2 * tiniest);
  CHECK(extremes.root() == tiniest);
}

TEST_CASE("superaccumulator: square roots of sums of squares") {
  Superaccumulator sum;
  CHECK(sum.root() == 0);
  sum.add_product(3e-200, 3e-200);
  sum.add_product(4e-200, 4e-200);
  CHECK(sum.root() == doctest::Approx(5e-200).epsilon(1e-15));
  std::mt19937_64 bits(6);
  for (int i = 0; i < 10000; ++i) {
    const double x = random_double(bits);
    Superaccumulator square;
    square.add_product(x, x);
    CHECK(square.root() == std::abs(x));
  }
}

TEST_CASE("superaccumulator: sums with NaN and infinities follow IEEE 754, in any order") {
  CHECK(sum_of({infinity, -1e308}) == infinity);
  CHECK(sum_of({1, -infinity, 2}) == -infinity);
  CHECK(std::isnan(sum_of({infinity, -infinity})));
  CHECK(std::isnan(sum_of({1, std::numeric_limits<double>::quiet_NaN()})));
  Superaccumulator sum;
  sum.add_product(infinity, 0);
  CHECK(std::isnan(sum.value()));
  CHECK(sum.not_finite() == 1);
  Superaccumulator product;
  product.add_product(-infinity, 2);
  CHECK(product.value() == -infinity);
  CHECK(std::isnan(product.root()));
}

TEST_CASE("ordered keys have the order of real numbers") {
  std::mt19937_64 bits(7);
  std::vector<double> values{-infinity, -largest, -1, -tiniest, -0.0,
                             0.0,       tiniest,  1,  largest,  infinity};
  for (std::size_t i = 1; i < values.size(); ++i) {
    CHECK(ordered_key(values[i - 1]) < ordered_key(values[i]));
    CHECK(key_of_maximum(values[i]) < key_of_maximum(values[i - 1]));
  }
  for (int i = 0; i < 10000; ++i) {
    const double a = random_double(bits), b = random_double(bits);
    CHECK((a < b) == (ordered_key(a) < ordered_key(b)));
    CHECK(minimum_of_key(key_of_minimum(a)) == a);
    CHECK(maximum_of_key(key_of_maximum(a)) == a);
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(key_of_minimum(-nan) < key_of_minimum(-infinity));
  CHECK(key_of_maximum(nan) < key_of_maximum(infinity));
  CHECK(std::isnan(minimum_of_key(key_of_minimum(nan))));
  CHECK(std::isnan(maximum_of_key(key_of_maximum(-nan))));
}
