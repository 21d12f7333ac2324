#include "src/modules/pricing/risk/risk_measures.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "gsim/random/stream.hpp"
#include "gsim/random/uniform.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Number of losses that count for ES: n (1 - alpha), without the rounding error of 1 - alpha.
double tail_size(Index n, double level) {
  const double size = static_cast<double>(n) * (1 - level);
  const double whole = std::round(size);
  return std::fabs(size - whole) < 1e-9 * static_cast<double>(n) ? whole : size;
}

/// Position, from 0, of VaR among the losses in falling order: n - ceil(n alpha).
Index quantile_position(Index n, double level) {
  return std::min(static_cast<Index>(std::floor(tail_size(n, level))), n - 1);
}

/// The losses in falling order: loss(0) is the largest.
class Losses {
 public:
  Losses(std::span<const double> gains, std::span<const Index> order)
      : gains_(gains), order_(order) {}
  Index size() const { return static_cast<Index>(order_.size()); }
  double operator()(Index position) const {
    return -gains_[static_cast<std::size_t>(order_[static_cast<std::size_t>(position)])];
  }

 private:
  std::span<const double> gains_;
  std::span<const Index> order_;
};

/// The probabilities of a binomial distribution of n trials around its mode, beyond which they are
/// negligible.
struct Binomial {
  Index first = 0;
  std::vector<double> probability;
};
Binomial binomial(Index n, double p) {
  constexpr double negligible = 1e-18;
  const double odds = p / (1 - p);
  const Index mode = std::min(static_cast<Index>(static_cast<double>(n + 1) * p), n);
  std::vector<double> below, above = {1};
  for (Index j = mode; j < n && above.back() > negligible; ++j)
    above.push_back(above.back() * static_cast<double>(n - j) / static_cast<double>(j + 1) * odds);
  double weight = 1;
  for (Index j = mode; j > 0 && weight > negligible; --j) {
    weight *= static_cast<double>(j) / static_cast<double>(n - j + 1) / odds;
    below.push_back(weight);
  }
  Binomial result{mode - static_cast<Index>(below.size()), {below.rbegin(), below.rend()}};
  result.probability.insert(result.probability.end(), above.begin(), above.end());
  const double sum = std::accumulate(result.probability.begin(), result.probability.end(), 0.0);
  for (double& q : result.probability) q /= sum;
  return result;
}

/// The interval of VaR between two order statistics, in ascending order L_(1) to L_(n): with B the
/// number of losses up to the quantile, L_(r) <= VaR < L_(s) where r <= B < s.
void set_interval(const Losses& losses, double level, double confidence, RiskEstimate& var) {
  const Index n = losses.size();
  const Binomial b = binomial(n, level);
  const double outside = (1 - confidence) / 2;
  const auto count = static_cast<Index>(b.probability.size());
  Index low = 0, high = count;
  for (double below = 0; low < count; ++low) {  // P(B < first + low) <= outside
    below += b.probability[static_cast<std::size_t>(low)];
    if (below > outside) break;
  }
  for (double above = 0; high > 0; --high) {  // P(B >= first + high) <= outside
    above += b.probability[static_cast<std::size_t>(high - 1)];
    if (above > outside) break;
  }
  const Index r = b.first + low, s = b.first + high;
  var.low = r < 1 ? -infinite : losses(n - r);
  var.high = s > n ? infinite : losses(n - s);
}

double error_of_var(const Losses& losses, Index position, double level) {
  const Index n = losses.size();
  const Index step =
      std::max<Index>(std::lround(std::sqrt(static_cast<double>(n) * level * (1 - level))), 1);
  if (position < 2 || position + step >= n) return unknown_error;
  const double below = losses(position) - losses(position + step);
  return position < step ? below : (losses(position - step) - losses(position + step)) / 2;
}

/// ES of losses of which `count_at(position)` copies are at each position.
template <class CountAt>
TailRisk measures(const Losses& losses, Index n, double level, const CountAt& count_at) {
  TailRisk result;
  const double tail = tail_size(n, level);
  const auto position = static_cast<double>(quantile_position(n, level));
  double seen = 0, sum = 0;
  for (Index i = 0; i < losses.size(); ++i) {
    const double count = count_at(i);
    if (count == 0) continue;
    sum += std::fmin(count, std::fmax(tail - seen, 0.0)) * losses(i);
    seen += count;
    if (seen <= position) continue;
    result.var.value = losses(i);
    break;
  }
  result.es.value = tail > 0 ? sum / tail : unknown_error;
  return result;
}

/// Calls use(i) for n indices: those of blocks of `block` consecutive ones that start at random.
template <class Use>
void for_each_drawn(const PhiloxKey& key, Index resample, Index n, Index block, const Use& use) {
  const auto starts = static_cast<double>(n - block + 1);
  Index drawn = 0;
  for (std::uint64_t draw = 0; drawn < n; ++draw) {
    const auto u =
        uniforms<double>(philox_block(key, static_cast<std::uint64_t>(resample), draw, 0));
    for (int k = 0; k < 2 && drawn < n; ++k) {
      const auto start = static_cast<Index>(u[k] * starts);
      for (Index i = start; i < start + block && drawn < n; ++i, ++drawn) use(i);
    }
  }
}

/// Mean, standard deviation and percentile interval of the results of the resamples.
RiskEstimate percentiles(std::vector<double>& values, double confidence) {
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  const auto at = [&](double p) {
    return values[static_cast<std::size_t>(std::floor(p * (count - 1) + 0.5))];
  };
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  return {mean, deviation_of(values), at((1 - confidence) / 2), at((1 + confidence) / 2)};
}

/// VaR and ES at each level of some of the resamples of a bootstrap: [resample][level].
std::vector<TailRisk> resampled_tails(std::span<const double> gains, std::span<const Index> order,
                                      std::span<const double> levels, IndexRange resamples,
                                      Index block, std::uint64_t seed) {
  const Losses losses(gains, order);
  const Index n = losses.size();
  std::vector<Index> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    position[static_cast<std::size_t>(order[i])] = static_cast<Index>(i);
  const PhiloxKey key = stream_key({seed, Purpose::pricing_risk_bootstrap});
  std::vector<TailRisk> results;
  std::vector<double> counts(order.size());
  for (Index r = resamples.first; r < resamples.last; ++r) {
    std::fill(counts.begin(), counts.end(), 0.0);
    for_each_drawn(key, r, n, block, [&](Index i) {
      counts[static_cast<std::size_t>(position[static_cast<std::size_t>(i)])] += 1;
    });
    const auto count_at = [&](Index i) { return counts[static_cast<std::size_t>(i)]; };
    for (const double level : levels) results.push_back(measures(losses, n, level, count_at));
  }
  return results;
}

}  // namespace

std::vector<Index> by_falling_loss(std::span<const double> gains) {
  std::vector<std::pair<double, Index>> sorted;
  for (const double gain : gains) sorted.emplace_back(gain, static_cast<Index>(sorted.size()));
  std::sort(sorted.begin(), sorted.end());
  std::vector<Index> order(gains.size());
  std::transform(sorted.begin(), sorted.end(), order.begin(),
                 [](const auto& entry) { return entry.second; });
  return order;
}

TailRisk tail_risk(std::span<const double> gains, std::span<const Index> order, double level,
                   double confidence) {
  const Losses losses(gains, order);
  const Index n = losses.size();
  TailRisk result = measures(losses, n, level, [](Index) { return 1.0; });
  const Index position = quantile_position(n, level);
  set_interval(losses, level, confidence, result.var);
  result.var.standard_error = error_of_var(losses, position, level);
  double squares = 0;
  for (Index i = 0; i < position; ++i) squares += square(losses(i) - result.es.value);
  RiskEstimate& es = result.es;
  es.standard_error = position < 2 ? unknown_error
                                   : std::sqrt((squares / static_cast<double>(position - 1) +
                                                level * square(es.value - result.var.value)) /
                                               tail_size(n, level));
  const double half_width = normal_quantile((1 + confidence) / 2) * es.standard_error;
  es.low = es.value - half_width;
  es.high = es.value + half_width;
  return result;
}

double value_at_risk(std::vector<double> gains, double level) {
  const Index position = quantile_position(static_cast<Index>(gains.size()), level);
  std::nth_element(gains.begin(), gains.begin() + position, gains.end());
  return -gains[static_cast<std::size_t>(position)];
}

std::vector<TailRisk> bootstrap(std::span<const double> gains, std::span<const Index> order,
                                std::span<const double> levels, double confidence, Index resamples,
                                Index block, std::uint64_t seed, const Communicator& ranks,
                                const WorkShares& shares) {
  std::vector<TailRisk> mine;  // [resample][level]
  ranks.agree([&] {
    mine = resampled_tails(gains, order, levels,
                           shares.divide(ranks, {0, resamples}).range(ranks.rank()), block, seed);
  });
  const std::vector<TailRisk> all = ranks.allgather<TailRisk>(mine);
  std::vector<TailRisk> intervals;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    std::vector<double> vars, shortfalls;
    for (std::size_t i = l; i < all.size(); i += levels.size()) {
      vars.push_back(all[i].var.value);
      shortfalls.push_back(all[i].es.value);
    }
    intervals.push_back({percentiles(vars, confidence), percentiles(shortfalls, confidence)});
  }
  return intervals;
}

Resamples::Resamples(Index scenarios, Index first, Index count, Index block, std::uint64_t seed)
    : scenarios_(scenarios),
      count_(count),
      copies_(static_cast<std::size_t>(scenarios) * static_cast<std::size_t>(count)) {
  const PhiloxKey key = stream_key({seed, Purpose::pricing_risk_bootstrap});
  for (Index r = 0; r < count; ++r) {
    std::uint16_t* const copies = copies_.data() + r * scenarios;
    for_each_drawn(key, first + r, scenarios, block, [&](Index i) { ++copies[i]; });
  }
}

Index resamples_at_once(Index scenarios) {
  constexpr Index most_copies = Index{1} << 27;
  return std::max<Index>(most_copies / scenarios, 1);
}

std::vector<double> Resamples::values_at_risk(std::span<const double> gains,
                                              std::span<const Index> order, double level) const {
  const Losses losses(gains, order);
  std::vector<double> values;
  for (Index r = 0; r < count_; ++r) {
    const std::span<const std::uint16_t> drawn = copies(r);
    const auto count_at = [&](Index position) {
      return drawn[static_cast<std::size_t>(order[static_cast<std::size_t>(position)])];
    };
    values.push_back(measures(losses, losses.size(), level, count_at).var.value);
  }
  return values;
}

double deviation_of(std::span<const double> results) {
  const auto count = static_cast<double>(results.size());
  const double mean = std::accumulate(results.begin(), results.end(), 0.0) / count;
  double squares = 0;
  for (const double r : results) squares += square(r - mean);
  return count > 1 ? std::sqrt(squares / (count - 1)) : unknown_error;
}

std::vector<double> quantile_weights(Index n, double level) {
  std::vector<double> weights(static_cast<std::size_t>(n), 0.0);
  const Index position = quantile_position(n, level);
  const auto width = static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(n))));
  double sum = 0;
  const Index half = std::min({width, position, n - 1 - position});  // symmetric
  for (Index i = position - half; i <= position + half; ++i) {
    const double weight =
        1 - static_cast<double>(std::abs(i - position)) / static_cast<double>(half + 1);
    weights[static_cast<std::size_t>(i)] = weight;
    sum += weight;
  }
  for (double& w : weights) w /= sum;
  return weights;
}

std::vector<double> tail_weights(Index n, double level) {
  std::vector<double> weights(static_cast<std::size_t>(n), 0.0);
  const double tail = tail_size(n, level);
  for (Index i = 0; static_cast<double>(i) < tail; ++i)
    weights[static_cast<std::size_t>(i)] = std::fmin(1.0, tail - static_cast<double>(i)) / tail;
  return weights;
}

}  // namespace gsim::pricing
