#include "gsim/random/normal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/random/sobol_directions.hpp"
#include "gsim/random/stream.hpp"

using namespace gsim;

namespace {

/// The normal numbers of the first `blocks` random blocks.
template <class T, class Policy>
std::vector<double> sample(Index blocks, std::uint64_t seed) {
  using L = Pack<std::uint64_t, 8>;
  const PhiloxKey key = stream_key({seed, Purpose::test});
  constexpr int n = normals_per_block;
  std::vector<double> z(static_cast<std::size_t>(blocks * n));
  for (Index first = 0; first < blocks; first += 8) {
    const auto d = normals<T, Policy>(philox_consecutive<L>(key, first, 0, 0));
    for (int i = 0; i < n; ++i)
      for (int lane = 0; lane < 8; ++lane)
        z[static_cast<std::size_t>((first + lane) * n + i)] = extract(d[i], lane);
  }
  return z;
}

double cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

/// Mean, variance, skewness and kurtosis, in standard errors of their values for normal samples.
void check_moments(const std::vector<double>& z) {
  const double n = static_cast<double>(z.size());
  double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
  for (double x : z) {
    m1 += x;
    m2 += x * x;
    m3 += x * x * x;
    m4 += x * x * x * x;
  }
  CHECK(std::abs(m1 / n) < 4.5 * std::sqrt(1 / n));
  CHECK(std::abs(m2 / n - 1) < 4.5 * std::sqrt(2 / n));
  CHECK(std::abs(m3 / n) < 4.5 * std::sqrt(15 / n));
  CHECK(std::abs(m4 / n - 3) < 4.5 * std::sqrt(96 / n));
}

/// Kolmogorov and Smirnov: sqrt(n) D exceeds 1.95 once in a thousand.
void check_distribution(std::vector<double> z) {
  std::sort(z.begin(), z.end());
  const double n = static_cast<double>(z.size());
  double d = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double f = cdf(z[i]), k = static_cast<double>(i);
    d = std::max({d, f - k / n, (k + 1) / n - f});
  }
  CHECK(std::sqrt(n) * d < 1.95);
}

/// Counts of the numbers below -a and above a. Their standard error is that of a Poisson count, but
/// at least 1.
void check_tails(const std::vector<double>& z) {
  for (double a : {2.0, 3.0, 3.5, 4.0, 4.5, 5.0}) {
    const double expected = static_cast<double>(z.size()) * cdf(-a);
    double below = 0, above = 0;
    for (double x : z) {
      below += x < -a;
      above += x > a;
    }
    CAPTURE(a);
    CHECK(std::abs(below - expected) < 4.5 * std::max(1.0, std::sqrt(expected)));
    CHECK(std::abs(above - expected) < 4.5 * std::max(1.0, std::sqrt(expected)));
  }
}

/// Neighbours share one radius and one angle: neither they nor their squares may be correlated.
void check_pairs(const std::vector<double>& z) {
  const double n = static_cast<double>(z.size() / 2);
  double product = 0, squares = 0;
  for (std::size_t i = 0; i + 1 < z.size(); i += 2) {
    product += z[i] * z[i + 1];
    squares += (z[i] * z[i] - 1) * (z[i + 1] * z[i + 1] - 1);
  }
  CHECK(std::abs(product) < 4.5 * std::sqrt(n));
  CHECK(std::abs(squares) < 4.5 * std::sqrt(4 * n));
}

}  // namespace

TEST_CASE_TEMPLATE("normal numbers: moments, shape and tails are those of the normal distribution",
                   Policy, Strict, Fast) {
  for (const auto& z : {sample<double, Policy>(1 << 18, 1), sample<float, Policy>(1 << 18, 2)}) {
    check_moments(z);
    check_distribution(z);
    check_tails(z);
    check_pairs(z);
  }
}

namespace {

/// The pair of normal numbers that the formula at the head of normal.hpp gives for the words a and
/// b, in extended precision.
struct ReferencePair {
  long double radius, cos, sin;

  /// For doubles the lowest bit of the angle's fraction is set; for floats that bit is rounded off
  /// and u is rounded to a float.
  ReferencePair(std::uint32_t a, std::uint32_t b, bool in_float) {
    const long double u =
        in_float ? (static_cast<float>(a >> 1) + 0.5f) * 0x1p-31L : (a + 0.5L) * 0x1p-32L;
    radius = std::sqrt(-2 * std::log(u));
    const std::int32_t fraction = static_cast<std::int32_t>(b << 2) / 4 | (in_float ? 0 : 1);
    long double angle = std::acos(-1.0L) / 2 * fraction * 0x1p-30L;
    if (b >> 31) angle = std::acos(-1.0L) / 2 - angle;
    if (b >> 30 & 1) angle += std::acos(-1.0L);
    cos = std::cos(angle);
    sin = std::sin(angle);
  }
  /// Error of (z0, z1) relative to the radius, because cos and sin alone are small near the axes.
  double error(long double z0, long double z1) const {
    return static_cast<double>(std::max(std::abs(z0 - radius * cos), std::abs(z1 - radius * sin)) /
                               radius);
  }
};

}  // namespace

TEST_CASE("normal numbers: they agree with the Box-Muller formula in extended precision") {
  const PhiloxKey key = stream_key({3, Purpose::test});
  // Fast normal numbers in double use the formula of floats.
  double largest_error_double = 0, largest_error_float = 0, largest_error_fast = 0;
  for (std::uint64_t e = 0; e < 20000; ++e) {
    const auto w = philox_block(key, e, 0, 0);
    const auto d = normals<double, Strict>(w);
    const auto f = normals<float, Strict>(w);
    const auto fast = normals<double, Fast>(w);
    const std::uint32_t a[] = {low_word(w.x0), low_word(w.x2)};
    const std::uint32_t b[] = {low_word(w.x1), low_word(w.x3)};
    for (int i = 0; i < 2; ++i) {
      const ReferencePair in_double(a[i], b[i], false), in_float(a[i], b[i], true);
      largest_error_double =
          std::max(largest_error_double, in_double.error(d[2 * i], d[2 * i + 1]));
      largest_error_float = std::max(largest_error_float, in_float.error(f[2 * i], f[2 * i + 1]));
      largest_error_fast =
          std::max(largest_error_fast, in_float.error(fast[2 * i], fast[2 * i + 1]));
    }
  }
  CHECK(largest_error_double < 4 * std::numeric_limits<double>::epsilon());
  CHECK(largest_error_float < 4 * std::numeric_limits<float>::epsilon());
  CHECK(largest_error_fast < 16 * std::numeric_limits<float>::epsilon());
}

TEST_CASE("normal numbers: the extreme random bits give finite numbers of the expected size") {
  const double largest = std::sqrt(66 * std::log(2.0));  // -2 ln 2^-33
  for (std::uint64_t a : {0x00000000u, 0xffffffffu})
    for (std::uint64_t b : {0x00000000u, 0x40000000u, 0x80000000u, 0xffffffffu}) {
      const PhiloxWords<std::uint64_t> w{a, b, b, a};
      for (int i = 0; i < 4; ++i) {
        CHECK(std::abs(normals<double, Strict>(w)[i]) < largest + 1e-12);
        CHECK(std::abs(normals<float, Strict>(w)[i]) < largest);
        CHECK(std::abs(normals<double, Fast>(w)[i]) < largest);
        CHECK(std::abs(normals<float, Fast>(w)[i]) < largest);
      }
    }
  const PhiloxWords<std::uint64_t> zero{0, 0, 0, 0};
  CHECK(normals<double, Strict>(zero)[0] == doctest::Approx(largest));
  const double largest_float = std::sqrt(64 * std::log(2.0));  // -2 ln 2^-32
  CHECK(normals<float, Strict>(zero)[0] == doctest::Approx(largest_float).epsilon(1e-6));
  CHECK(normals<float, Fast>(zero)[0] == doctest::Approx(largest_float).epsilon(1e-6));
  CHECK(normals<double, Fast>(zero)[0] == doctest::Approx(largest_float).epsilon(1e-6));
}

TEST_CASE(
    "normal numbers: those of Sobol points have moments far more accurate than pseudo-random "
    "ones") {
  const std::vector<std::uint32_t> directions = SobolDirections(3).reversed();
  const ScrambleSeed seed = scramble_seed(stream_key({4, Purpose::pricing_scramble}), 0, 2);
  constexpr int n = 1 << 14;
  double m1 = 0, m2 = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double z =
        scrambled_normal<double, Strict>(sobol_reversed(i, &directions[2 * sobol_bits]), seed);
    m1 += z;
    m2 += z * z;
  }
  CHECK(std::abs(m1 / n) < 0.02 / std::sqrt(double(n)));
  CHECK(std::abs(m2 / n - 1) < 0.1 / std::sqrt(double(n)));
}
