// The errors of all elementary functions, with MPFR as reference, are at most 2 ulp over the whole
// range.
#include <functional>
#include <limits>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "gsim/math/atan.hpp"
#include "gsim/math/elementary.hpp"
#include "inputs.hpp"
#include "reference.hpp"

using namespace gsim;
using namespace gsim::test;

namespace {

constexpr int samples = 6000;

template <class T>
struct LargestError {
  double ulps = 0;
  T at = 0;
};

template <class T>
LargestError<T> largest_error(T (*f)(T), Function exact, const std::vector<T>& xs) {
  LargestError<T> w;
  for (const T x : xs) {
    const T y = f(x);
    const double e = ulps(y, exact(BigFloat(x), BigFloat(y)));
    if (!(e <= w.ulps)) w = {e, x};
  }
  return w;
}

/// Checks f on [low, high]: the whole range, or a part around a zero or a change of the formula.
/// Names that end in " f" are those of functions of float.
template <class T>
void check(const char* name, T (*f)(T), Function exact, T low, T high, double limit = 2,
           int count = samples) {
  const auto w = largest_error(f, exact, inputs<T>(low, high, count, 7));
  CHECK_MESSAGE(w.ulps <= limit, name << " of " << w.at);
  MESSAGE(fmt::format("{:24s} [{:.4g}, {:.4g}]  worst {:.3f} ulp at {:a}", name, low, high, w.ulps,
                      w.at));
}

constexpr double max_double = std::numeric_limits<double>::max();
constexpr float max_float = std::numeric_limits<float>::max();
constexpr double denorm_min = std::numeric_limits<double>::denorm_min();
constexpr float denorm_min_f = std::numeric_limits<float>::denorm_min();

#define GSIM_FUNCTION(T, expression) +[](T x) -> T { return (expression); }
constexpr auto big_sin2pi = big_circular<mpfr_sin, 2>, big_cos2pi = big_circular<mpfr_cos, 2>;
constexpr auto big_sinpi = big_circular<mpfr_sin, 1>, big_cospi = big_circular<mpfr_cos, 1>;

}  // namespace

TEST_CASE("strict functions: exponentials are within 2 ulp") {
  check<double>("exp", GSIM_FUNCTION(double, gsim::exp<Strict>(x)), big_exp, -746, 710);
  check<double>("exp", GSIM_FUNCTION(double, gsim::exp<Strict>(x)), big_exp, -1, 1);
  check<double>("exp_bounded", exp_bounded<Strict, double>, big_exp, -700, 700);
  check<double>("exp2", GSIM_FUNCTION(double, gsim::exp2<Strict>(x)), big_exp2, -1076, 1024);
  check<double>("expm1", GSIM_FUNCTION(double, gsim::expm1<Strict>(x)), big_expm1, -50, 710);
  check<double>("expm1", GSIM_FUNCTION(double, gsim::expm1<Strict>(x)), big_expm1, -2, 2);
  check<float>("exp f", GSIM_FUNCTION(float, gsim::exp<Strict>(x)), big_exp, -104, 89);
  check<float>("exp f", GSIM_FUNCTION(float, gsim::exp<Strict>(x)), big_exp, -1, 1);
  check<float>("exp_bounded f", exp_bounded<Strict, float>, big_exp, -87, 87);
  check<float>("exp2 f", GSIM_FUNCTION(float, gsim::exp2<Strict>(x)), big_exp2, -150, 128);
  check<float>("expm1 f", GSIM_FUNCTION(float, gsim::expm1<Strict>(x)), big_expm1, -20, 89);
}

TEST_CASE("strict functions: logarithms are within 2 ulp") {
  check<double>("log", GSIM_FUNCTION(double, gsim::log<Strict>(x)), big_log, denorm_min,
                max_double);
  check<double>("log", GSIM_FUNCTION(double, gsim::log<Strict>(x)), big_log, 0.4, 2.5);
  check<double>("log", GSIM_FUNCTION(double, gsim::log<Strict>(x)), big_log, 0.999, 1.001);
  check<double>("log_unit", log_unit<Strict, double>, big_log, 0x1p-54, 1);
  check<double>("log2", GSIM_FUNCTION(double, gsim::log2<Strict>(x)), big_log2, denorm_min,
                max_double);
  check<double>("log2", GSIM_FUNCTION(double, gsim::log2<Strict>(x)), big_log2, 0.4, 2.5);
  check<double>("log1p", GSIM_FUNCTION(double, gsim::log1p<Strict>(x)), big_log1p, -1, max_double);
  check<double>("log1p", GSIM_FUNCTION(double, gsim::log1p<Strict>(x)), big_log1p, -0.9, 2);
  check<float>("log f", GSIM_FUNCTION(float, gsim::log<Strict>(x)), big_log, denorm_min_f,
               max_float);
  check<float>("log f", GSIM_FUNCTION(float, gsim::log<Strict>(x)), big_log, 0.4f, 2.5f);
  check<float>("log_unit f", log_unit<Strict, float>, big_log, 0x1p-33f, 1);
  check<float>("log2 f", GSIM_FUNCTION(float, gsim::log2<Strict>(x)), big_log2, denorm_min_f,
               max_float);
  check<float>("log1p f", GSIM_FUNCTION(float, gsim::log1p<Strict>(x)), big_log1p, -1, max_float);
}

TEST_CASE("strict functions: sine and cosine are within 2 ulp") {
  check<double>("sin", GSIM_FUNCTION(double, gsim::sin<Strict>(x)), big_sin, -max_double,
                max_double);
  check<double>("sin", GSIM_FUNCTION(double, gsim::sin<Strict>(x)), big_sin, -10, 10);
  check<double>("sin", GSIM_FUNCTION(double, gsim::sin<Strict>(x)), big_sin, -0x1p31, 0x1p31);
  check<double>("cos", GSIM_FUNCTION(double, gsim::cos<Strict>(x)), big_cos, -max_double,
                max_double);
  check<double>("cos", GSIM_FUNCTION(double, gsim::cos<Strict>(x)), big_cos, -10, 10);
  check<double>("cos", GSIM_FUNCTION(double, gsim::cos<Strict>(x)), big_cos, -0x1p31, 0x1p31);
  check<double>("sin 2 pi u", GSIM_FUNCTION(double, sincos_2pi<Strict>(x).sin), big_sin2pi, 0, 1);
  check<double>("cos 2 pi u", GSIM_FUNCTION(double, sincos_2pi<Strict>(x).cos), big_cos2pi, 0, 1);
  check<double>("sin pi x", GSIM_FUNCTION(double, sincospi<Strict>(x).sin), big_sinpi, -1e6, 1e6);
  check<double>("cos pi x", GSIM_FUNCTION(double, sincospi<Strict>(x).cos), big_cospi, -1e6, 1e6);
  check<float>("sin f", GSIM_FUNCTION(float, gsim::sin<Strict>(x)), big_sin, -max_float, max_float);
  check<float>("cos f", GSIM_FUNCTION(float, gsim::cos<Strict>(x)), big_cos, -100, 100);
  check<float>("sin 2 pi u f", GSIM_FUNCTION(float, sincos_2pi<Strict>(x).sin), big_sin2pi, 0, 1);
  check<float>("cos 2 pi u f", GSIM_FUNCTION(float, sincos_2pi<Strict>(x).cos), big_cos2pi, 0, 1);
  check<float>("sin pi x f", GSIM_FUNCTION(float, sincospi<Strict>(x).sin), big_sinpi, -1e4f, 1e4f);
}

TEST_CASE("strict functions: sine and cosine near multiples of pi/2 are within 2 ulp") {
  std::vector<double> xs;
  SplitMix64 stream(3);
  for (int i = 0; i < 5000; ++i) {
    const double n = i < 1000 ? i + 1 : std::floor(std::exp2(stream.uniform() * 60));
    BigFloat x(n), pi;
    mpfr_const_pi(pi.get(), MPFR_RNDN);
    mpfr_mul(x.get(), x.get(), pi.get(), MPFR_RNDN);
    mpfr_div_ui(x.get(), x.get(), 2, MPFR_RNDN);
    xs.push_back(mpfr_get_d(x.get(), MPFR_RNDN));
  }
  // The double closest to a multiple of pi/2 (Muller, Elementary Functions, 2006, table 11.1).
  xs.push_back(0x1.6ac5b262ca1ffp+849);
  CHECK(largest_error<double>(GSIM_FUNCTION(double, gsim::sin<Strict>(x)), big_sin, xs).ulps <= 2);
  CHECK(largest_error<double>(GSIM_FUNCTION(double, gsim::cos<Strict>(x)), big_cos, xs).ulps <= 2);
}

TEST_CASE("strict functions: error functions and the normal distribution are within 2 ulp") {
  check<double>("erf", GSIM_FUNCTION(double, gsim::erf<Strict>(x)), big_erf, -6, 6);
  check<double>("erf", GSIM_FUNCTION(double, gsim::erf<Strict>(x)), big_erf, 0.9, 1.1);
  check<double>("erfc", GSIM_FUNCTION(double, gsim::erfc<Strict>(x)), big_erfc, -7, 28);
  check<double>("erfc", GSIM_FUNCTION(double, gsim::erfc<Strict>(x)), big_erfc, 0, 2);
  check<double>("normal_cdf", normal_cdf<Strict, double>, big_normal_cdf, -39, 9);
  check<double>("normal_cdf", normal_cdf<Strict, double>, big_normal_cdf, -2, 2);
  check<float>("erf f", GSIM_FUNCTION(float, gsim::erf<Strict>(x)), big_erf, -5, 5);
  check<float>("erfc f", GSIM_FUNCTION(float, gsim::erfc<Strict>(x)), big_erfc, -5, 11);
  check<float>("normal_cdf f", normal_cdf<Strict, float>, big_normal_cdf, -15, 6);
  constexpr int count = samples / 2;  // the exact values, roots of the distribution, take long
  const double below_one = 1 - 0x1p-53;
  check<double>("normal_inverse", normal_inverse<Strict, double>, big_normal_inverse, denorm_min,
                below_one, 2, count);
  check<double>("normal_inverse", normal_inverse<Strict, double>, big_normal_inverse, 0x1p-33,
                below_one, 2, count);
  check<double>("normal_inverse", normal_inverse<Strict, double>, big_normal_inverse, 0.0003, 0.002,
                2, count);
  check<double>("normal_inverse", normal_inverse<Strict, double>, big_normal_inverse, 0.49, 0.51, 2,
                count);
  check<float>("normal_inverse f", normal_inverse<Strict, float>, big_normal_inverse, denorm_min_f,
               1 - 0x1p-24f, 2, count);
  check<float>("normal_inverse f", normal_inverse<Strict, float>, big_normal_inverse, 0.001f,
               0.999f, 2, count);
}

TEST_CASE("strict functions: arc tangents are within 2 ulp") {
  check<double>("atan", GSIM_FUNCTION(double, gsim::atan<Strict>(x)), big_atan, -max_double,
                max_double);
  check<double>("atan", GSIM_FUNCTION(double, gsim::atan<Strict>(x)), big_atan, -3, 3);
  check<double>("atan", GSIM_FUNCTION(double, gsim::atan<Strict>(x)), big_atan, 0.41, 0.42);
  check<float>("atan f", GSIM_FUNCTION(float, gsim::atan<Strict>(x)), big_atan, -max_float,
               max_float);
  check<float>("atan f", GSIM_FUNCTION(float, gsim::atan<Strict>(x)), big_atan, -3, 3);
  double max_ulps = 0, max_ulps_f = 0;
  const auto large = inputs<double>(-max_double, max_double, samples, 21);
  const auto large_f = inputs<float>(-max_float, max_float, samples, 22);
  SplitMix64 stream(23);
  for (std::size_t i = 0; i < large.size(); ++i) {
    // All directions and magnitudes, and pairs with very different magnitudes.
    const double magnitude = large[i], y = magnitude * (2 * stream.uniform() - 1);
    for (const double x : {magnitude * (2 * stream.uniform() - 1), large[large.size() - 1 - i]})
      max_ulps =
          std::max(max_ulps, ulps(gsim::atan2<Strict>(y, x), big_atan2(BigFloat(y), BigFloat(x))));
    const float yf = large_f[i] * static_cast<float>(2 * stream.uniform() - 1);
    for (const float xf : {large_f[i] * static_cast<float>(2 * stream.uniform() - 1),
                           large_f[large_f.size() - 1 - i]})
      max_ulps_f = std::max(
          max_ulps_f, ulps(gsim::atan2<Strict>(yf, xf), big_atan2(BigFloat(yf), BigFloat(xf))));
  }
  CHECK(max_ulps <= 2);
  CHECK(max_ulps_f <= 2);
  MESSAGE(fmt::format("atan2 worst {:.3f} ulp, float {:.3f}", max_ulps, max_ulps_f));
}

TEST_CASE("strict functions: tanh and pow are within 2 ulp") {
  check<double>("tanh", GSIM_FUNCTION(double, gsim::tanh<Strict>(x)), big_tanh, -23, 23);
  check<double>("tanh", GSIM_FUNCTION(double, gsim::tanh<Strict>(x)), big_tanh, -1, 1);
  check<float>("tanh f", GSIM_FUNCTION(float, gsim::tanh<Strict>(x)), big_tanh, -10, 10);
  const auto bases = inputs<double>(denorm_min, max_double, samples, 1);
  double max_ulps = 0, max_ulps_f = 0;
  SplitMix64 stream(9);
  for (const double x : bases) {
    // Exponents that keep the result in range or just outside it, and bases near 1.
    const double y = (stream.uniform() * 1500 - 750) / std::log(x);
    max_ulps = std::max(max_ulps, ulps(gsim::pow<Strict>(x, y), big_pow(BigFloat(x), BigFloat(y))));
    const double base = 1 + (stream.uniform() - 0.5) * std::exp2(-40 * stream.uniform());
    const double power = (stream.uniform() * 1500 - 750) / std::log(base);
    if (std::isfinite(power))
      max_ulps = std::max(
          max_ulps, ulps(gsim::pow<Strict>(base, power), big_pow(BigFloat(base), BigFloat(power))));
    const float xf = static_cast<float>(stream.uniform() * 10),
                yf = static_cast<float>(stream.uniform() * 80 - 40);
    max_ulps_f =
        std::max(max_ulps_f, ulps(gsim::pow<Strict>(xf, yf), big_pow(BigFloat(xf), BigFloat(yf))));
  }
  CHECK(max_ulps <= 2);
  CHECK(max_ulps_f <= 2);
  MESSAGE(fmt::format("pow worst {:.3f} ulp, float {:.3f}", max_ulps, max_ulps_f));
}
