#include "gsim/random/uniform.hpp"

#include <array>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/random/stream.hpp"

using namespace gsim;

TEST_CASE("uniform numbers: doubles are odd multiples of 2^-53 in (0, 1)") {
  const std::uint64_t all_ones = 0xffffffffu;
  CHECK(unit_double(std::uint64_t{0}, std::uint64_t{0}) == 0x1p-53);
  CHECK(unit_double(all_ones, all_ones) == 1 - 0x1p-53);
  CHECK(unit_double(std::uint64_t{0x80000000u}, std::uint64_t{0}) == 0.5 + 0x1p-53);
  CHECK(unit_double(std::uint64_t{0}, std::uint64_t{0xfff}) ==
        0x1p-53);  // the lowest 12 bits have no effect
  CHECK(unit_double(std::uint64_t{0}, std::uint64_t{0x1000}) == 3 * 0x1p-53);
  CHECK(unit_double(~std::uint64_t{0} << 32, ~std::uint64_t{0} << 32) ==
        0x1p-53);  // the high halves have no effect
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint64_t bits = mix64(i);
    const long double exact = (std::ldexp((long double)(bits >> 12), 0) + 0.5L) * 0x1p-52L;
    CHECK(unit_double(bits >> 32, bits) == exact);
    CHECK(1 - unit_double(bits >> 32, bits) == unit_double(~bits >> 32, ~bits));
  }
}

TEST_CASE("uniform numbers: floats are odd multiples of 2^-24 in (0, 1)") {
  CHECK(unit_float(std::uint64_t{0}) == 0x1p-24f);
  CHECK(unit_float(std::uint64_t{0xffffffffu}) == 1 - 0x1p-24f);
  CHECK(unit_float(~std::uint64_t{0} << 32) == 0x1p-24f);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const auto w = std::uint32_t(mix64(i));
    CHECK(unit_float(std::uint64_t{w}) == ((w >> 9) + 0.5) * 0x1p-23);
  }
}

TEST_CASE("uniform numbers: they are uniform in the unit interval and the unit square") {
  // Chi-square over 256 cells of each draw and of consecutive pairs, 2^18 blocks. The statistic has
  // mean 255 and standard deviation sqrt(510); 5 deviations are allowed in either direction.
  const PhiloxKey key = stream_key({20260101, Purpose::test});
  constexpr int blocks = 1 << 18;
  std::array<std::array<double, 256>, 7> cells{};
  for (std::uint64_t e = 0; e < blocks; ++e) {
    const auto w = philox_block(key, e, 0, 0);
    const auto d = uniforms<double>(w);
    const auto f = uniforms<float>(w);
    cells[0][int(d[0] * 256)]++;
    cells[1][int(d[1] * 256)]++;
    cells[2][int(d[0] * 16) * 16 + int(d[1] * 16)]++;
    cells[3][int(f[1] * 256)]++;
    cells[4][int(f[3] * 256)]++;
    cells[5][int(f[0] * 16) * 16 + int(f[1] * 16)]++;
    cells[6][int(f[2] * 16) * 16 + int(f[3] * 16)]++;
  }
  for (const auto& c : cells) {
    double chi = 0;
    for (double n : c) chi += (n - blocks / 256.0) * (n - blocks / 256.0) / (blocks / 256.0);
    CHECK(std::abs(chi - 255) < 5 * std::sqrt(510.0));
  }
}

TEST_CASE(
    "uniform numbers: those of neighbouring entities, steps, blocks and purposes are "
    "uncorrelated") {
  const PhiloxKey key = stream_key({5, Purpose::test});
  const PhiloxKey other_key = stream_key({5, Purpose::pricing_path_normals});
  constexpr int n = 200000;
  std::array<double, 4> sum{};
  const auto u = [](const auto& w) { return uniforms<double>(w)[0] - 0.5; };
  for (std::uint64_t i = 0; i < n; ++i) {
    const double value = u(philox_block(key, i, 7, 3));
    sum[0] += value * u(philox_block(key, i + 1, 7, 3));
    sum[1] += value * u(philox_block(key, i, 8, 3));
    sum[2] += value * u(philox_block(key, i, 7, 4));
    sum[3] += value * u(philox_block(other_key, i, 7, 3));
  }
  for (double s : sum) CHECK(std::abs(s / n * 12) < 5 / std::sqrt(double(n)));  // correlation
}
