#include "src/modules/pricing/statistics/portfolio_error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {

PortfolioError::PortfolioError(const SampleSums& sums, std::span<const PortfolioTrade> trades)
    : sums_(&sums), trades_(trades) {
  if (sums.replicates() > 1)
    find_replicates();
  else
    find_batches();
}

void PortfolioError::find_replicates() {
  weights_.assign(static_cast<std::size_t>(sums_->replicates()), 1);
  strata_ = {{0, weights_.size(), static_cast<double>(weights_.size())}};
}

void PortfolioError::find_batches() {
  Index end = 0;
  const auto visit = [&](auto of_batch) {
    for (std::size_t t = 0; t < trades_.size(); ++t) {
      if (!trades_[t].is_counted) continue;
      for (const BatchMean& b : sums_->batches(static_cast<Index>(t)).batches()) of_batch(t, b);
    }
  };
  visit([&](std::size_t, const BatchMean& b) { end = std::max(end, b.first_block() + 1); });
  // Per first block: the number of blocks of the batch, and a hash of the trades sampled in it.
  std::vector<Index> blocks(static_cast<std::size_t>(end), 0);
  std::vector<std::uint64_t> sampled(static_cast<std::size_t>(end), 0);
  visit([&](std::size_t t, const BatchMean& b) {
    const auto at = static_cast<std::size_t>(b.first_block());
    blocks[at] = b.blocks();
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    sampled[at] = std::rotl((sampled[at] ^ (t + 1)) * odd, 29);
  });
  slot_at_.assign(blocks.size(), 0);
  std::uint64_t last = 0;
  for (std::size_t at = 0; at < blocks.size(); ++at) {
    if (blocks[at] == 0) continue;
    slot_at_[at] = weights_.size();
    if (strata_.empty() || sampled[at] != last)
      strata_.push_back({weights_.size(), weights_.size(), 0});
    last = sampled[at];
    weights_.push_back(static_cast<double>(blocks[at]));
    strata_.back().last = weights_.size();
    strata_.back().blocks += weights_.back();
  }
}

void PortfolioError::add(std::size_t trade, std::vector<double>& totals) const {
  const PortfolioTrade& t = trades_[trade];
  const auto index = static_cast<Index>(trade);
  if (sums_->replicates() > 1) {
    const std::vector<BlockStatistics> replicates = sums_->of_trade(index);
    // A run that stops before every replicate has points does not know their spread.
    const bool is_complete = std::all_of(replicates.begin(), replicates.end(),
                                         [](const BlockStatistics& s) { return s.count > 0; });
    if (!is_complete) {
      totals.assign(totals.size(), std::numeric_limits<double>::quiet_NaN());
      return;
    }
    const double scale = t.quantity / static_cast<double>(replicates.size());
    for (std::size_t r = 0; r < replicates.size(); ++r)
      totals[r] += scale * (replicates[r].mean_x - t.beta * replicates[r].mean_y);
    return;
  }
  const BatchMeans& means = sums_->batches(index);
  const double scale = t.quantity / static_cast<double>(means.blocks());
  for (const BatchMean& b : means.batches())
    totals[slot_at_[static_cast<std::size_t>(b.first_block())]] +=
        scale * static_cast<double>(b.blocks()) * (b.mean_x - t.beta * b.mean_y);
}

PortfolioError::Variance PortfolioError::variance(const std::vector<double>& totals) const {
  Variance result;
  double squares_over_degrees = 0;
  for (const Stratum& s : strata_) {
    const double degrees = static_cast<double>(s.last - s.first) - 1;
    if (degrees == 0) {
      // The variance of a single batch is unknown, unless no trade has samples in it.
      if (totals[s.first] != 0) result.value = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    double sum = 0;
    for (std::size_t k = s.first; k < s.last; ++k) sum += totals[k];
    const double mean = sum / s.blocks;
    double squares = 0;
    for (std::size_t k = s.first; k < s.last; ++k)
      squares += weights_[k] * square(totals[k] / weights_[k] - mean);
    const double part = s.blocks * squares / degrees;
    result.value += part;
    squares_over_degrees += square(part) / degrees;
  }
  result.degrees = result.value > 0 ? square(result.value) / squares_over_degrees : 0;
  return result;
}

double PortfolioError::excess(std::size_t trade) const {
  const PortfolioTrade& t = trades_[trade];
  if (!t.is_widened || !std::isfinite(t.standard_error)) return 0;
  std::vector<double> totals(weights_.size(), 0);
  add(trade, totals);
  const double spread = std::sqrt(variance(totals).value);
  return t.standard_error > spread ? t.standard_error - spread : 0;
}

PortfolioValue PortfolioError::value() const {
  PortfolioValue result;
  std::vector<double> totals(weights_.size(), 0);
  double excess_of_all = 0;
  for (std::size_t t = 0; t < trades_.size(); ++t) {
    if (!trades_[t].is_counted) continue;
    ++result.counted;
    result.value += trades_[t].value;
    add(t, totals);
    if (!std::isfinite(trades_[t].standard_error)) ++result.unknown_errors;
    excess_of_all += excess(t);
  }
  const Variance found = variance(totals);
  result.standard_error = std::sqrt(found.value) + excess_of_all;
  result.degrees_of_freedom = static_cast<Index>(found.degrees);
  return result;
}

std::vector<std::uint8_t> PortfolioError::resting(double target) const {
  // The gain of a further sample over its cost, and s_t sqrt(c_t).
  std::vector<double> gain(trades_.size(), 0), effort(trades_.size(), 0);
  std::vector<std::size_t> order;
  double whole_effort = 0;
  for (std::size_t t = 0; t < trades_.size(); ++t) {
    const PortfolioTrade& trade = trades_[t];
    if (!trade.is_counted || !std::isfinite(trade.standard_error)) continue;
    const double samples = sums_->samples(static_cast<Index>(t));
    gain[t] = trade.standard_error / std::sqrt(samples * trade.cost);
    effort[t] = trade.standard_error * std::sqrt(samples * trade.cost);
    whole_effort += effort[t];
    order.push_back(t);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return gain[a] < gain[b]; });
  std::vector<double> totals(weights_.size(), 0);
  double excess_of_all = 0, part = 0;
  std::size_t count = 0;
  for (std::size_t n = 0; n < order.size(); ++n) {
    const std::size_t t = order[n];
    add(t, totals);
    excess_of_all += excess(t);
    part += effort[t];
    const double error = std::sqrt(variance(totals).value) + excess_of_all;
    if (square(error) <= square(target) * (part / whole_effort)) count = n + 1;
  }
  std::vector<std::uint8_t> result(trades_.size(), 0);
  for (std::size_t n = 0; n < count; ++n) result[order[n]] = 1;
  return result;
}

}  // namespace gsim::pricing
