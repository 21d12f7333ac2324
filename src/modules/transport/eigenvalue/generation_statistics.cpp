#include "src/modules/transport/eigenvalue/generation_statistics.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace gsim::transport {
namespace {

double mean(std::span<const double> x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}

/// Sum of the products (a - mean of a)(b - mean of b), with b shifted by `lag`.
double product_sum(std::span<const double> a, double mean_a, std::span<const double> b,
                   double mean_b, std::size_t lag = 0) {
  double sum = 0;
  for (std::size_t i = lag; i < a.size(); ++i) sum += (a[i - lag] - mean_a) * (b[i] - mean_b);
  return sum;
}

/// Weights w of minimum variance for the covariance matrix C, by Gaussian elimination of C w = 1
/// with complete pivoting; where no pivot exceeds rounding errors, the remaining weights are 0.
std::vector<double> weights_of(std::vector<std::vector<double>> c) {
  const std::size_t n = c.size();
  std::vector<std::size_t> order;
  std::vector<double> right_side(n, 1.0), weights(n, 0.0), scale(n);
  for (std::size_t i = 0; i < n; ++i) scale[i] = c[i][i];
  std::vector<bool> is_eliminated(n);
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t pivot = n;
    double largest = 1e-9;
    for (std::size_t i = 0; i < n; ++i)
      if (!is_eliminated[i] && scale[i] > 0 && c[i][i] / scale[i] > largest) {
        largest = c[i][i] / scale[i];
        pivot = i;
      }
    if (pivot == n) break;
    is_eliminated[pivot] = true;
    order.push_back(pivot);
    for (std::size_t i = 0; i < n; ++i) {
      if (is_eliminated[i]) continue;
      const double factor = c[i][pivot] / c[pivot][pivot];
      for (std::size_t j = 0; j < n; ++j) c[i][j] -= factor * c[pivot][j];
      right_side[i] -= factor * right_side[pivot];
    }
  }
  for (std::size_t k = order.size(); k-- > 0;) {
    double remainder = right_side[order[k]];
    for (std::size_t l = k + 1; l < order.size(); ++l)
      remainder -= c[order[k]][order[l]] * weights[order[l]];
    weights[order[k]] = remainder / c[order[k]][order[k]];
  }
  double sum = 0;
  for (const double w : weights) sum += w;
  // Without noise, as in problems that are solved exactly, all weights are equally good.
  for (double& w : weights) w = order.empty() ? 1.0 / static_cast<double>(n) : w / sum;
  return weights;
}

}  // namespace

MeanAndError mean_of_independent(std::span<const double> series) {
  const auto n = static_cast<double>(series.size());
  if (series.empty()) return {0, std::numeric_limits<double>::infinity(), 1};
  MeanAndError result{mean(series), std::numeric_limits<double>::infinity(), 1};
  if (series.size() < 2) return result;
  result.error = std::sqrt(product_sum(series, result.mean, series, result.mean) / (n * (n - 1)));
  return result;
}

MeanAndError mean_of(std::span<const double> series) {
  MeanAndError result = mean_of_independent(series);
  if (series.size() < 2 || !(result.error > 0)) return result;
  const double variance = product_sum(series, result.mean, series, result.mean);
  double integral = 1;
  for (std::size_t lag = 1; lag < series.size() && static_cast<double>(lag) < 5 * integral; ++lag)
    integral += 2 * product_sum(series, result.mean, series, result.mean, lag) / variance;
  result.correlation = integral > 1 ? integral : 1;
  result.error *= std::sqrt(result.correlation);
  return result;
}

Combination combine(const std::vector<std::span<const double>>& series) {
  Combination result;
  const std::size_t n = series.size(), length = series.front().size();
  if (length < 2) {
    result.weights.assign(n, 1.0 / static_cast<double>(n));
  } else {
    std::vector<double> means;
    means.reserve(n);
    for (const auto& s : series) means.push_back(mean(s));
    std::vector<std::vector<double>> covariance(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        covariance[i][j] = product_sum(series[i], means[i], series[j], means[j]);
    result.weights = weights_of(std::move(covariance));
  }
  std::vector<double> combined(length);
  for (std::size_t g = 0; g < length; ++g)
    for (std::size_t e = 0; e < n; ++e) combined[g] += result.weights[e] * series[e][g];
  result.value = mean_of(combined);
  result.series = std::move(combined);
  return result;
}

}  // namespace gsim::transport
