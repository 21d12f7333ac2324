#include "gsim/random/brownian_bridge.hpp"

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/random/stream.hpp"

using namespace gsim;

namespace {

/// The matrix A with W = A z for the grid points 0 … n, in row-major order.
std::vector<std::vector<double>> bridge_matrix(const BridgeOrder& o, const BridgeWeights& w) {
  const auto n = static_cast<std::size_t>(o.steps());
  std::vector<std::vector<double>> a(n + 1, std::vector<double>(n, 0.0));
  for (std::size_t k = 0; k < n; ++k) {
    auto& row = a[o.middle[k]];
    for (std::size_t j = 0; j < n; ++j)
      row[j] = w.left[k] * a[o.left[k]][j] + w.right[k] * a[o.right[k]][j];
    row[k] += w.sd[k];
  }
  return a;
}

/// n dates with random spacings, some of them zero if `with_repeated_dates`.
std::vector<double> random_grid(int n, std::uint64_t seed, bool with_repeated_dates) {
  std::vector<double> t;
  double time = 0;
  for (int i = 0; i < n; ++i) {
    const double u = double(mix64(seed * 1000 + i) >> 11) * 0x1p-53;
    if (!(with_repeated_dates && u < 0.3)) time += 1e-3 + u * u * 3;
    t.push_back(time);
  }
  return t;
}

}  // namespace

TEST_CASE("Brownian bridge: every date is set once, after its neighbours") {
  for (Index n : {1, 2, 3, 4, 7, 52, 252, 1000}) {
    const BridgeOrder o = bridge_order(n);
    REQUIRE(o.steps() == n);
    std::vector<int> known(n + 1, 0);
    known[0] = 1;
    CHECK(o.middle[0] == n);
    for (Index k = 0; k < n; ++k) {
      CHECK(known[o.left[k]] == 1);
      CHECK(known[o.right[k]] == 1);
      CHECK(known[o.middle[k]] == 0);
      if (k > 0) CHECK((o.left[k] < o.middle[k] && o.middle[k] < o.right[k]));
      known[o.middle[k]] = 1;
    }
    CHECK(std::count(known.begin(), known.end(), 1) == n + 1);
  }
}

TEST_CASE("Brownian bridge: the covariance is min(t_i, t_j)") {
  for (int n : {1, 2, 3, 5, 8, 13, 52, 100})
    for (bool with_repeated_dates : {false, true}) {
      const BridgeOrder order = bridge_order(n);
      const std::vector<double> t = random_grid(n, n, with_repeated_dates);
      const auto a = bridge_matrix(order, bridge_weights(order, t));
      double largest_error = 0;
      for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= n; ++j) {
          double c = 0;
          for (int k = 0; k < n; ++k) c += a[i][k] * a[j][k];
          largest_error = std::max(largest_error, std::abs(c - t[std::min(i, j) - 1]));
        }
      CHECK(largest_error < 1e-14 * n * (t.back() + 1));
    }
}

TEST_CASE(
    "Brownian bridge: factors with different grids of variance share one construction order and "
    "are independent") {
  constexpr int n = 12, factors = 3;
  const BridgeOrder order = bridge_order(n);
  std::vector<std::vector<std::vector<double>>> matrix;
  std::vector<std::vector<double>> grids;
  for (int f = 0; f < factors; ++f) {
    grids.push_back(random_grid(n, 40 + f, false));
    matrix.push_back(bridge_matrix(order, bridge_weights(order, grids.back())));
  }
  // Covariance of factor f at i with factor g at j, over all n * factors coordinates.
  for (int f = 0; f < factors; ++f)
    for (int g = 0; g < factors; ++g)
      for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= n; ++j) {
          std::vector<double> row_f(n * factors, 0.0), row_g(n * factors, 0.0);
          for (int k = 0; k < n; ++k) {
            row_f[bridge_coordinate(k, f, factors)] = matrix[f][i][k];
            row_g[bridge_coordinate(k, g, factors)] = matrix[g][j][k];
          }
          double c = 0;
          for (int k = 0; k < n * factors; ++k) c += row_f[k] * row_g[k];
          const double expected = f == g ? grids[f][std::min(i, j) - 1] : 0.0;
          REQUIRE(std::abs(c - expected) < 1e-12);
        }
}

TEST_CASE("Brownian bridge: the first coordinates have most of the variance of the path average") {
  constexpr int n = 64;
  const BridgeOrder order = bridge_order(n);
  std::vector<double> t;
  for (int i = 1; i <= n; ++i) t.push_back(double(i) / n);
  const auto a = bridge_matrix(order, bridge_weights(order, t));
  double total = 0, first_four = 0;
  for (int k = 0; k < n; ++k) {
    double loading = 0;
    for (int i = 1; i <= n; ++i) loading += a[i][k] / n;
    total += loading * loading;
    if (k < 4) first_four += loading * loading;
  }
  CHECK(first_four > 0.98 * total);  // continuous limit: 3/4 + 3/16 + 2 * 3/128 = 0.984
}

TEST_CASE("Brownian bridge: decreasing or mismatched dates are errors") {
  const BridgeOrder order = bridge_order(3);
  CHECK_THROWS_AS(bridge_order(0), InputError);
  CHECK_THROWS_AS(bridge_weights(order, {1, 2}), InputError);
  CHECK_THROWS_AS(bridge_weights(order, {1, 3, 2}), InputError);
  CHECK_THROWS_AS(bridge_weights(order, {-1, 2, 3}), InputError);
  CHECK_THROWS_AS(bridge_weights(order, {1, 2, std::nan("")}), InputError);
}
