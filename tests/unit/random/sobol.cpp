#include "gsim/random/sobol.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/random/sobol_directions.hpp"

using namespace gsim;

namespace {

/// FNV-1a over the words' bytes.
std::uint64_t fnv(const std::vector<std::uint32_t>& words) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (std::uint32_t w : words)
    for (int b = 0; b < 4; ++b) h = (h ^ (w >> (8 * b) & 0xff)) * 0x100000001b3;
  return h;
}

struct SobolPoints {
  Index dimensions;
  SobolDirections directions{dimensions};
  std::vector<std::uint32_t> reversed = directions.reversed();
  std::uint32_t unscrambled(std::uint32_t i, Index d) const {
    return reverse_bits(sobol_reversed(i, &reversed[d * sobol_bits]));
  }
  std::uint32_t scrambled(std::uint32_t i, Index d, ScrambleSeed seed) const {
    return reverse_bits(owen_scramble_reversed(sobol_reversed(i, &reversed[d * sobol_bits]), seed));
  }
};

ScrambleSeed seed_of(std::uint64_t replicate, std::uint64_t dimension) {
  return scramble_seed(stream_key({31, Purpose::pricing_scramble}), replicate, dimension);
}

/// Whether the points, 32-bit coordinates, put exactly 2^t into every elementary interval of volume
/// 2^(t-m) spanned by the dimensions: the (t, m, s)-net property in base 2 (Niederreiter 1992).
bool is_net(const std::vector<std::array<std::uint32_t, 3>>& points, int m, int t, int s) {
  const int digits = m - t;
  for (int k0 = 0; k0 <= digits; ++k0)
    for (int k1 = 0; k1 <= (s > 1 ? digits - k0 : 0); ++k1) {
      const int k2 = s > 2 ? digits - k0 - k1 : 0;
      if (k0 + k1 + k2 != digits) continue;
      std::vector<int> count(std::size_t{1} << digits, 0);
      for (const auto& p : points) {
        const auto cell = [&](int dim, int k) { return k == 0 ? 0u : p[dim] >> (32 - k); };
        count[(cell(0, k0) << (k1 + k2)) | (cell(1, k1) << k2) | cell(2, k2)]++;
      }
      for (int c : count)
        if (c != 1 << t) return false;
    }
  return true;
}

}  // namespace

TEST_CASE("Sobol points: direction numbers are those of Joe and Kuo") {
  const SobolDirections directions(sobol_max_dimensions);
  // First points of dimension 3 of their sobol.cc: 1/2, 1/4, 3/4, ...
  CHECK(directions.dimension(0)[3] == 0x10000000u);
  CHECK(directions.dimension(1)[1] == 0xc0000000u);
  CHECK(directions.dimension(2)[4] == 0xe8000000u);
  // The digest of all 20000 x 32 numbers that cuRAND's JOEKUO6 table holds, taken from libcurand 13
  // through curandGetDirectionVectors32.
  const SobolDirections first_20000(20000);
  CHECK(fnv(first_20000.numbers()) == 0x977d0241e3974985);
  CHECK(std::equal(first_20000.numbers().begin(), first_20000.numbers().end(),
                   directions.numbers().begin()));
  // Digit i of v_i is one and all lower digits are zero, so every one-dimensional projection is a
  // net.
  for (Index d = 0; d < directions.dimensions(); ++d)
    for (int i = 0; i < sobol_bits; ++i)
      if ((directions.dimension(d)[i] << i & 0xffffffffu) != 0x80000000u) FAIL("dimension " << d);
}

TEST_CASE("Sobol points: a dimension that is too large is an error") {
  CHECK(SobolDirections(0).numbers().empty());
  CHECK_THROWS_AS(SobolDirections(sobol_max_dimensions + 1), InputError);
  CHECK_THROWS_AS(SobolDirections(-1), InputError);
}

TEST_CASE("Sobol points: points in sequence equal points by index") {
  const SobolPoints points{40};
  const std::vector<std::uint32_t> steps = points.directions.reversed_steps();
  std::vector<std::uint32_t> x(40, 0);
  for (std::uint32_t i = 0; i < 3000; ++i) {
    for (Index d = 0; d < 40; ++d) {
      if (i > 0) x[d] ^= steps[__builtin_ctz(i) * 40 + d];
      REQUIRE(x[d] == sobol_reversed(i, &points.reversed[d * sobol_bits]));
    }
  }
}

TEST_CASE("Sobol points: unscrambled and scrambled points are digital nets") {
  const SobolPoints points{12};
  constexpr int m = 8;
  for (int s = 1; s <= 3; ++s) {
    // t of the first three Joe-Kuo dimensions: 0, 0, 1 (sum of polynomial degrees minus one).
    const int t = s == 3 ? 1 : 0;
    for (std::uint32_t first : {0u, 256u, 5u * 256, 0xffffff00u})
      for (int replicate = -1; replicate < 20; ++replicate) {
        std::vector<std::array<std::uint32_t, 3>> p;
        for (std::uint32_t i = 0; i < 1u << m; ++i) {
          std::array<std::uint32_t, 3> x{};
          for (int d = 0; d < s; ++d)
            x[d] = replicate < 0 ? points.unscrambled(first + i, d)
                                 : points.scrambled(first + i, d, seed_of(replicate, d));
          p.push_back(x);
        }
        REQUIRE(is_net(p, m, t, s));
      }
  }
}

TEST_CASE("Sobol points: the test for nets detects points that are no net") {
  std::vector<std::array<std::uint32_t, 3>> p;
  for (std::uint32_t i = 0; i < 256; ++i)
    p.push_back({std::uint32_t(mix64(i)), std::uint32_t(mix64(i + 1000)), 0});
  CHECK(!is_net(p, 8, 0, 2));
  for (std::uint32_t i = 0; i < 256; ++i) p[i] = {i << 24, i << 24, 0};
  CHECK(is_net(p, 8, 0, 1));
  CHECK(!is_net(p, 8, 0, 2));
}

TEST_CASE(
    "Sobol points: scrambling flips every digit with probability 1/2 given the digits before it") {
  // Node n of the digit tree (depth 0 to 5, 63 nodes) is flipped by half of the seeds, and two
  // nodes are flipped independently. Deviations are of size 1/sqrt(seeds); the largest of 2016
  // normal variables exceeds 4.9 once in a thousand.
  constexpr int seeds = 40000, depth = 6, nodes = 63;
  std::vector<double> mean(nodes, 0.0), product(nodes * nodes, 0.0);
  for (int r = 0; r < seeds; ++r) {
    const ScrambleSeed seed = seed_of(r, 0);
    std::array<int, nodes> flip{};
    for (std::uint32_t leaf = 0; leaf < 1u << depth; ++leaf) {  // digits, most significant in bit 0
      const std::uint32_t y = owen_scramble_reversed(leaf, seed);
      for (int k = 0; k < depth; ++k)
        flip[(1 << k) - 1 + (leaf & ((1u << k) - 1))] = ((y ^ leaf) >> k & 1) ? 1 : -1;
    }
    for (int a = 0; a < nodes; ++a) {
      mean[a] += flip[a];
      for (int b = 0; b < a; ++b) product[a * nodes + b] += flip[a] * flip[b];
    }
  }
  double largest_mean = 0, largest_product = 0;
  for (double x : mean)
    largest_mean = std::max(largest_mean, std::abs(x) / std::sqrt(double(seeds)));
  for (double x : product)
    largest_product = std::max(largest_product, std::abs(x) / std::sqrt(double(seeds)));
  CHECK(largest_mean < 4.5);
  CHECK(largest_product < 4.9);
}

TEST_CASE(
    "Sobol points: means over scramblings are unbiased, and their variance falls faster than 1/n") {
  // f(x) = prod_d (1 + (x_d - 1/2) / (d + 1)) over 6 dimensions, integral 1 (smooth).
  const SobolPoints points{6};
  constexpr int replicates = 200;
  double variance[2] = {};
  int k = 0;
  for (int m : {6, 10}) {
    double sum = 0, sum2 = 0;
    for (int r = 0; r < replicates; ++r) {
      std::array<ScrambleSeed, 6> seeds;
      for (int d = 0; d < 6; ++d) seeds[d] = seed_of(r, d);
      double mean = 0;
      for (std::uint32_t i = 0; i < 1u << m; ++i) {
        double f = 1;
        for (int d = 0; d < 6; ++d)
          f *= 1 + (scrambled_unit<double>(sobol_reversed(i, &points.reversed[d * sobol_bits]),
                                           seeds[d]) -
                    0.5) /
                       (d + 1);
        mean += f;
      }
      mean /= 1 << m;
      sum += mean - 1;
      sum2 += (mean - 1) * (mean - 1);
    }
    const double bias = sum / replicates;
    variance[k] = (sum2 / replicates - bias * bias) * replicates / (replicates - 1);
    CHECK(std::abs(bias) < 4 * std::sqrt(variance[k] / replicates));
    ++k;
  }
  // Owen (1997): n^-3 up to logarithms for smooth f. 1/n would give a factor of 16; n^-2 256.
  CHECK(variance[0] / variance[1] > 256);
}

TEST_CASE(
    "Sobol points: in one dimension the variance is that of stratified sampling, 1 / (12 n^3) for "
    "f(x) = x") {
  // A nested uniform scrambling puts one point uniformly and independently into each of the n
  // strata (Owen 1995). The relative error of a variance from r normal samples is sqrt(2 / r).
  constexpr int replicates = 4000;
  for (Index dimension : {0, 1, 30}) {
    const SobolPoints points{31};
    for (int m : {3, 6, 9}) {
      const std::uint32_t n = 1u << m;
      double sum2 = 0;
      for (int r = 0; r < replicates; ++r) {
        const ScrambleSeed seed = seed_of(r, dimension);
        double mean = 0;
        for (std::uint32_t i = 0; i < n; ++i)
          mean += scrambled_unit<double>(
              sobol_reversed(i, &points.reversed[dimension * sobol_bits]), seed);
        sum2 += (mean / n - 0.5) * (mean / n - 0.5);
      }
      const double ratio = sum2 / replicates * 12 * std::pow(double(n), 3);
      CAPTURE(dimension);
      CAPTURE(m);
      CHECK(std::abs(ratio - 1) < 4.5 * std::sqrt(2.0 / replicates));
    }
  }
}

TEST_CASE("Sobol points: coordinates are converted to numbers in (0, 1) exactly") {
  CHECK(sobol_unit<double>(std::uint32_t{0}) == 0x1p-33);
  CHECK(sobol_unit<double>(~std::uint32_t{0}) == 1 - 0x1p-33);
  CHECK(sobol_unit<double>(std::uint32_t{0x80000000u}) == 0.5 + 0x1p-33);
  CHECK(sobol_unit<float>(std::uint32_t{0}) == 0x1p-24f);
  CHECK(sobol_unit<float>(~std::uint32_t{0}) == 1 - 0x1p-24f);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const auto x = std::uint32_t(mix64(i));
    CHECK(sobol_unit<double>(x) == (x + 0.5) * 0x1p-32);
    CHECK(reverse_bits(reverse_bits(x)) == x);
  }
  CHECK(reverse_bits(std::uint32_t{0x12345678}) == 0x1e6a2c48);
}
