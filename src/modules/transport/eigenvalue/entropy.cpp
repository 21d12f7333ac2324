#include "src/modules/transport/eigenvalue/entropy.hpp"

#include <algorithm>
#include <cmath>

#include "gsim/exec/array.hpp"
#include "gsim/math/log.hpp"
#include "src/modules/transport/eigenvalue/generation_statistics.hpp"
#include "src/modules/transport/tracking/in_chunks.hpp"

namespace gsim::transport {
namespace {

constexpr double sites_per_bin = 20;
constexpr Index max_bins = 1000000;
/// Number of standard errors above which a drift is significant.
constexpr double max_drift = 4;
/// Number of standard deviations from its mean within which a moment has converged. It is larger
/// than 1, since among several series one often starts farther than that from its mean.
constexpr double tolerance_of_moments = 2.5;
/// Smallest Autocorrelation::relaxations with which the active generations are long enough.
constexpr double min_relaxations = 8;

}  // namespace

double shannon_entropy(const std::vector<std::int64_t>& counts) {
  double total = 0;
  for (const std::int64_t n : counts) total += static_cast<double>(n);
  double entropy = 0;
  constexpr double inverse_ln2 = 1.4426950408889634;
  for (const std::int64_t n : counts) {
    if (n == 0) continue;
    const double share = static_cast<double>(n) / total;
    entropy -= share * gsim::log<Strict>(share) * inverse_ln2;
  }
  return entropy;
}

EntropyMesh EntropyMesh::of(const std::array<double, 3>& lower, const std::array<double, 3>& upper,
                            Index sites) {
  EntropyMesh mesh{lower, upper, {1, 1, 1}};
  const double longest = std::max({upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]});
  const Index target_bins = std::clamp(
      static_cast<Index>(static_cast<double>(sites) / sites_per_bin), Index{8}, max_bins);
  for (Index divisions = 2; longest > 0; ++divisions) {
    EntropyMesh finer = mesh;
    for (std::size_t a = 0; a < 3; ++a)
      finer.shape[a] = std::max(Index{1}, static_cast<Index>((upper[a] - lower[a]) / longest *
                                                             static_cast<double>(divisions)));
    if (finer.bins() > target_bins) break;
    mesh = finer;
  }
  return mesh;
}

MeshBoxes EntropyMesh::boxes() const {
  MeshBoxes boxes;
  std::copy(lower.begin(), lower.end(), boxes.lower);
  std::copy(upper.begin(), upper.end(), boxes.upper);
  std::copy(shape.begin(), shape.end(), boxes.shape);
  return boxes;
}

std::vector<std::int64_t> EntropyMesh::count(View<const FissionSite> sites,
                                             const Executor& executor) const {
  const MeshBoxes mesh = boxes();
  if (executor.is_cuda()) {
    Array<std::int64_t> counts(executor, bins());
    transport_count_in_boxes(executor, {sites, mesh, counts.view().data});
    return counts.to_host();
  }
  // Each thread has counts of its own.
  constexpr Index chunk_size = 4096;
  using Counts = std::vector<std::int64_t>;
  std::vector<Counts> counts(static_cast<std::size_t>(executor.threads()));
  in_chunks(executor.pool(), sites.size, chunk_size, [&](IndexRange part, int worker) {
    Counts& mine = counts[static_cast<std::size_t>(worker)];
    mine.resize(static_cast<std::size_t>(bins()));
    for (Index i = part.first; i < part.last; ++i)
      ++mine[static_cast<std::size_t>(box_of(mesh, sites[i].position))];
  });
  Counts sum(static_cast<std::size_t>(bins()));
  for (const Counts& mine : counts)
    for (std::size_t bin = 0; bin < mine.size(); ++bin) sum[bin] += mine[bin];
  return sum;
}

std::array<double, 6> EntropyMesh::moments(const std::vector<std::int64_t>& counts) const {
  std::array<double, 6> sums{};
  double total = 0;
  Index bin = 0;
  for (Index z = 0; z < shape[2]; ++z)
    for (Index y = 0; y < shape[1]; ++y)
      for (Index x = 0; x < shape[0]; ++x, ++bin) {
        const auto n = static_cast<double>(counts[static_cast<std::size_t>(bin)]);
        total += n;
        const Index at[] = {x, y, z};
        for (std::size_t a = 0; a < 3; ++a) {
          const double u = static_cast<double>(2 * at[a] + 1) / static_cast<double>(shape[a]) - 1.0;
          sums[a] += n * u;
          if (shape[a] > 2) sums[3 + a] += n * u * u;
        }
      }
  for (double& sum : sums) sum = total > 0 ? sum / total : 0.0;
  return sums;
}

Autocorrelation autocorrelation_of(std::span<const double> series) {
  const auto n = static_cast<double>(series.size());
  const double mean = mean_of(series).mean;
  double product = 0, square = 0;
  for (std::size_t i = 0; i + 1 < series.size(); ++i) {
    product += (series[i] - mean) * (series[i + 1] - mean);
    square += (series[i] - mean) * (series[i] - mean);
  }
  if (!(square > 0)) return {0, n};
  const double estimated = product / square;
  return {std::clamp(estimated + (1 + 3 * estimated) / n, 0.0, 1.0), n * (1 - estimated)};
}

namespace {

/// The convergence and drift of one series, which has converged when it first is within `tolerance`
/// standard deviations of its mean.
SourceConvergence judge_one(std::span<const double> series, Index inactive, double tolerance) {
  const std::span<const double> last_half = series.subspan(series.size() / 2);
  const double mean = mean_of(last_half).mean;
  double variance = 0;
  for (const double s : last_half) variance += (s - mean) * (s - mean);
  variance /= static_cast<double>(last_half.size());
  const double deviation = std::sqrt(variance);
  SourceConvergence result;
  while (result.converged_after < static_cast<Index>(series.size()) &&
         std::abs(series[static_cast<std::size_t>(result.converged_after)] - mean) >
             tolerance * deviation)
    ++result.converged_after;
  const std::span<const double> active = series.subspan(static_cast<std::size_t>(inactive));
  const MeanAndError first = mean_of(active.first(active.size() / 2));
  const MeanAndError second = mean_of(active.subspan(active.size() / 2));
  const double error = std::sqrt(first.error * first.error + second.error * second.error);
  if (error > 0) result.drift = (second.mean - first.mean) / error;
  return result;
}

}  // namespace

SourceConvergence judge_convergence(const std::vector<std::span<const double>>& all_series,
                                    Index inactive) {
  SourceConvergence result;
  result.relaxations = HUGE_VAL;
  double tolerance = 1;  // of the first series, the entropy
  for (const std::span<const double> series : all_series) {
    const bool is_constant = std::all_of(series.begin(), series.end(),
                                         [&series](double s) { return s == series.front(); });
    if (is_constant) continue;
    const SourceConvergence one = judge_one(series, inactive, tolerance);
    tolerance = tolerance_of_moments;
    result.converged_after = std::max(result.converged_after, one.converged_after);
    if (std::abs(one.drift) > std::abs(result.drift)) result.drift = one.drift;
    const Autocorrelation correlation =
        autocorrelation_of(series.subspan(static_cast<std::size_t>(inactive)));
    result.dominance_ratio = std::max(result.dominance_ratio, correlation.ratio);
    result.relaxations = std::min(result.relaxations, correlation.relaxations);
  }
  result.is_long_enough = result.relaxations >= min_relaxations;
  result.is_converged = result.converged_after <= inactive && std::abs(result.drift) < max_drift &&
                        result.is_long_enough;
  return result;
}

}  // namespace gsim::transport
