#include "src/modules/transport/simulation/entropy.hpp"

#include <algorithm>
#include <cmath>

#include "gsim/math/log.hpp"
#include "src/modules/transport/simulation/generation_statistics.hpp"
#include "src/modules/transport/simulation/in_chunks.hpp"

namespace gsim::transport {
namespace {

constexpr double sites_per_bin = 20;
constexpr Index most_bins = 1000000;
/// Drifts beyond this many standard errors are none of chance.
constexpr double largest_drift = 4;

}  // namespace

double shannon_entropy(const std::vector<std::int64_t>& counts) {
  double total = 0;
  for (const std::int64_t n : counts) total += static_cast<double>(n);
  double entropy = 0;
  constexpr double per_ln2 = 1.4426950408889634;
  for (const std::int64_t n : counts) {
    if (n == 0) continue;
    const double share = static_cast<double>(n) / total;
    entropy -= share * gsim::log<Strict>(share) * per_ln2;
  }
  return entropy;
}

EntropyMesh EntropyMesh::of(const std::array<double, 3>& lower, const std::array<double, 3>& upper,
                            Index sites) {
  EntropyMesh mesh{lower, upper, {1, 1, 1}};
  const double longest = std::max({upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]});
  const Index wanted = std::clamp(static_cast<Index>(static_cast<double>(sites) / sites_per_bin),
                                  Index{8}, most_bins);
  for (Index parts = 2; longest > 0; ++parts) {
    EntropyMesh finer = mesh;
    for (std::size_t a = 0; a < 3; ++a)
      finer.shape[a] = std::max(Index{1}, static_cast<Index>((upper[a] - lower[a]) / longest *
                                                             static_cast<double>(parts)));
    if (finer.bins() > wanted) break;
    mesh = finer;
  }
  return mesh;
}

Index EntropyMesh::bin_of(const Vector3& place) const {
  const std::array<double, 3> x{place.x, place.y, place.z};
  Index bin = 0;
  for (std::size_t a = 3; a-- > 0;) {
    const double width = upper[a] - lower[a];
    const double part = width > 0 ? (x[a] - lower[a]) / width : 0.0;
    const double last = static_cast<double>(shape[a] - 1);
    const double box = std::clamp(part * static_cast<double>(shape[a]), 0.0, last);
    bin = bin * shape[a] + static_cast<Index>(box);
  }
  return bin;
}

std::vector<std::int64_t> EntropyMesh::count(std::span<const Site> sites, ThreadPool& pool) const {
  constexpr Index chunk_size = 4096;
  using Counts = std::vector<std::int64_t>;
  const auto all = static_cast<Index>(sites.size());
  std::vector<Counts> counts(static_cast<std::size_t>(pool.threads()));
  in_chunks(pool, all, chunk_size, [&](IndexRange part, int worker) {
    Counts& mine = counts[static_cast<std::size_t>(worker)];
    mine.resize(static_cast<std::size_t>(bins()));
    for (Index i = part.first; i < part.last; ++i)
      ++mine[static_cast<std::size_t>(bin_of(sites[static_cast<std::size_t>(i)].position))];
  });
  Counts sum(static_cast<std::size_t>(bins()));
  for (const Counts& mine : counts)
    for (std::size_t bin = 0; bin < mine.size(); ++bin) sum[bin] += mine[bin];
  return sum;
}

SourceConvergence judge_convergence(std::span<const double> entropies, Index inactive) {
  const std::span<const double> last_half = entropies.subspan(entropies.size() / 2);
  const double mean = mean_of(last_half).mean;
  double variance = 0;
  for (const double s : last_half) variance += (s - mean) * (s - mean);
  variance /= static_cast<double>(last_half.size());
  const double deviation = std::sqrt(variance);
  SourceConvergence result;
  while (result.settled < static_cast<Index>(entropies.size()) &&
         std::abs(entropies[static_cast<std::size_t>(result.settled)] - mean) > deviation)
    ++result.settled;
  const std::span<const double> active = entropies.subspan(static_cast<std::size_t>(inactive));
  const MeanAndError first = mean_of(active.first(active.size() / 2));
  const MeanAndError second = mean_of(active.subspan(active.size() / 2));
  const double error = std::sqrt(first.error * first.error + second.error * second.error);
  if (error > 0) result.drift = (second.mean - first.mean) / error;
  result.is_converged = result.settled <= inactive && std::abs(result.drift) < largest_drift;
  return result;
}

}  // namespace gsim::transport
