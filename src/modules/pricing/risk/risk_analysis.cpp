#include "src/modules/pricing/risk/risk_analysis.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/risk/revaluation.hpp"

namespace gsim::pricing {
namespace {

constexpr auto batch_count = static_cast<std::size_t>(inner_batches);

/// The gains of the portfolio with the simulated trades valued by one batch of samples.
std::vector<double> totals_of_batch(const Gains& gains, const std::vector<double>& totals,
                                    std::size_t batch) {
  std::vector<double> values(totals.size());
  for (std::size_t s = 0; s < totals.size(); ++s) {
    const double* const batches = &gains.batches[s * batch_count];
    double mean = 0;
    for (std::size_t b = 0; b < batch_count; ++b) mean += batches[b] / batch_count;
    values[s] = totals[s] + (batches[batch] - mean);
  }
  return values;
}

/// Standard error of the mean of the batches' results.
double batch_error(const std::vector<double>& results) {
  double mean = 0, squares = 0;
  for (const double r : results) mean += r / batch_count;
  for (const double r : results) squares += square(r - mean);
  return std::sqrt(squares / static_cast<double>(batch_count * (batch_count - 1)));
}

/// What `compute(i, results)` appends for each i in [0, count), in the order of i. The ranks share
/// the indices. Collective.
template <class T, class Compute>
std::vector<T> shared_by_ranks(const Communicator& ranks, const WorkShares& shares, Index count,
                               const Compute& compute) {
  std::vector<T> mine;
  ranks.agree([&] {
    const IndexRange range = shares.divide(ranks, {0, count}).range(ranks.rank());
    for (Index i = range.first; i < range.last; ++i) compute(i, mine);
  });
  return ranks.allgather<T>(mine);
}

/// Sets the errors that result from the simulation of values. Collective.
void add_simulation_errors(std::vector<MeasureRow>& rows, const Gains& gains,
                           const std::vector<double>& totals, double confidence,
                           const Communicator& ranks, const WorkShares& shares) {
  struct Values {
    double var, es;
  };
  const auto all = shared_by_ranks<Values>(  // [batch][row]
      ranks, shares, static_cast<Index>(batch_count),
      [&](Index batch, std::vector<Values>& results) {
        const std::vector<double> values =
            totals_of_batch(gains, totals, static_cast<std::size_t>(batch));
        const std::vector<Index> order = by_falling_loss(values);
        for (const MeasureRow& row : rows) {
          const TailRisk risk = tail_risk(values, order, row.level, confidence);
          results.push_back({risk.var.value, risk.es.value});
        }
      });
  std::vector<std::vector<double>> vars(rows.size()), shortfalls(rows.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    vars[i % rows.size()].push_back(all[i].var);
    shortfalls[i % rows.size()].push_back(all[i].es);
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    MeasureRow& row = rows[r];
    row.var_simulation_error = batch_error(vars[r]);
    row.es_simulation_error = batch_error(shortfalls[r]);
    RiskEstimate &var = row.risk.var, &es = row.risk.es;
    var.standard_error = std::sqrt(square(var.standard_error) + square(row.var_simulation_error));
    es.standard_error = std::sqrt(square(es.standard_error) + square(row.es_simulation_error));
  }
}

/// The weighted mean of a trade's losses and its standard error for given weights.
RiskEstimate weighted_loss(const Gains& gains, std::span<const Index> order, std::size_t trade,
                           const std::vector<double>& weights) {
  RiskEstimate e;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] != 0) e.value -= weights[i] * gains.of(order[i], trade);
  double squares = 0;
  int losses = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    squares += square(weights[i] * (-gains.of(order[i], trade) - e.value));
    ++losses;
  }
  e.standard_error = losses > 1 ? std::sqrt(squares) : unknown_error;
  return e;
}

/// The contribution of a trade whose mean losses are `near` around VaR and `tail` beyond it. The
/// error of VaR itself is part of the first error; that of a mean beyond a quantile is estimated as
/// that of ES (Manistre and Hancock 2005, with the trade's losses in place of the portfolio's).
ContributionRow contribution(const MeasureRow& row, const RiskEstimate& near,
                             const RiskEstimate& tail, double scale) {
  ContributionRow c;
  const RiskEstimate& var = row.risk.var;
  c.component_var = scale * near.value;
  const double share = var.value != 0 ? c.component_var / var.value : 0;
  c.component_var_error =
      std::sqrt(square(scale * near.standard_error) + square(share * var.standard_error));
  c.component_es = tail.value;
  const double n = static_cast<double>(row.scenarios) * (1 - row.level);
  c.component_es_error =
      std::sqrt(square(tail.standard_error) + row.level * square(tail.value - near.value) / n);
  return c;
}

/// The gains of the portfolio without a trade.
std::vector<double> totals_without(const Gains& gains, const std::vector<double>& totals,
                                   std::size_t trade) {
  std::vector<double> without(totals.size());
  for (std::size_t s = 0; s < totals.size(); ++s)
    without[s] = totals[s] - gains.of(static_cast<Index>(s), trade);
  return without;
}

/// The length of the blocks of scenarios that a bootstrap draws; 0 where there are too few.
Index bootstrap_block(std::span<const MeasureRow> rows, const Gains& gains,
                      const RiskOptions& options) {
  const bool overlap = rows.front().method == RiskMethod::historical;
  const Index block = overlap ? std::min(options.history_step, gains.scenarios()) : 1;
  constexpr Index fewest_blocks = 5;
  return gains.scenarios() < fewest_blocks * block ? 0 : block;
}

/// by_falling_loss() of the gains of the portfolio without each of some trades, [trade][scenario].
/// The ranks share the trades, and the threads of a rank its part. Collective.
std::vector<std::int32_t> orders_without(const Gains& gains, const std::vector<double>& totals,
                                         IndexRange trades, const Context& context,
                                         const WorkShares& shares) {
  const Communicator& ranks = context.communicator;
  const IndexRange range = shares.divide(ranks, trades).range(ranks.rank());
  std::vector<std::int32_t> mine(static_cast<std::size_t>(range.size()) * totals.size());
  ranks.agree([&] {
    context.executor.pool().for_each(range.size(), [&](Index i, int) {
      const auto t = static_cast<std::size_t>(range.first + i);
      const std::vector<Index> order = by_falling_loss(totals_without(gains, totals, t));
      std::transform(order.begin(), order.end(),
                     mine.begin() + i * static_cast<Index>(totals.size()),
                     [](Index scenario) { return static_cast<std::int32_t>(scenario); });
    });
  });
  return ranks.allgather<std::int32_t>(mine);
}

/// The largest number of trades whose orders are computed together: those of at most 256 MB.
Index trades_at_once(Index scenarios) {
  constexpr Index most_positions = Index{1} << 26;
  return std::max<Index>(most_positions / std::max<Index>(scenarios, 1), 1);
}

/// What the VaR of the portfolio loses without each trade, in the resamples of this rank:
/// [row][resample][trade]. Collective.
std::vector<std::vector<double>> resampled_increments(std::span<const MeasureRow> rows,
                                                      const Gains& gains, Index block,
                                                      IndexRange resamples, const Context& context,
                                                      const WorkShares& shares) {
  const std::vector<double> totals = gains.totals();
  const std::vector<Index> order = by_falling_loss(totals);
  const auto trades = static_cast<Index>(gains.trades), scenarios = gains.scenarios();
  std::vector<std::vector<double>> increments(
      rows.size(), std::vector<double>(static_cast<std::size_t>(resamples.size() * trades)));
  const Index at_once = resamples_at_once(scenarios);
  for (Index t0 = 0; t0 < trades; t0 += trades_at_once(scenarios)) {
    const IndexRange some{t0, std::min(t0 + trades_at_once(scenarios), trades)};
    const std::vector<std::int32_t> orders = orders_without(gains, totals, some, context, shares);
    context.communicator.agree([&] {
      for (Index first = resamples.first; first < resamples.last; first += at_once) {
        const Resamples group(scenarios, first, std::min(at_once, resamples.last - first), block,
                              context.seed);
        std::vector<std::vector<double>> with;
        for (const MeasureRow& row : rows)
          with.push_back(group.values_at_risk(totals, order, row.level));
        context.executor.pool().for_each(some.size(), [&](Index i, int) {
          const auto t = static_cast<std::size_t>(some.first + i);
          const std::vector<double> rest = totals_without(gains, totals, t);
          const auto at = orders.begin() + i * scenarios;
          const std::vector<Index> rest_order(at, at + scenarios);
          for (std::size_t r = 0; r < rows.size(); ++r) {
            const std::vector<double> without =
                group.values_at_risk(rest, rest_order, rows[r].level);
            for (std::size_t k = 0; k < without.size(); ++k)
              increments[r][(static_cast<std::size_t>(first - resamples.first) + k) * gains.trades +
                            t] = with[r][k] - without[k];
          }
        });
      }
    });
  }
  return increments;
}

/// covariance times the sensitivities of one trade.
std::vector<double> times_covariance(const std::vector<double>& covariance,
                                     const std::vector<double>& first) {
  const std::size_t n = first.size();
  std::vector<double> product(n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) product[i] += covariance[i * n + j] * first[j];
  return product;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The sensitivities of the portfolio.
std::vector<double> sum_of(const std::vector<TradeSensitivities>& trades) {
  std::vector<double> sum(trades.front().first.size(), 0.0);
  for (const TradeSensitivities& t : trades)
    for (std::size_t f = 0; f < sum.size(); ++f) sum[f] += t.first[f];
  return sum;
}

}  // namespace

Index Gains::scenarios() const {
  return trades == 0 ? 0 : static_cast<Index>(by_trade.size() / trades);
}

std::vector<double> Gains::totals() const {
  std::vector<double> sums(static_cast<std::size_t>(scenarios()), 0.0);
  for (std::size_t s = 0; s < sums.size(); ++s)
    for (std::size_t t = 0; t < trades; ++t) sums[s] += by_trade[s * trades + t];
  return sums;
}

std::vector<double> Gains::total_errors() const {
  std::vector<double> errors(static_cast<std::size_t>(scenarios()), 0.0);
  if (batches.empty()) return errors;
  for (std::size_t s = 0; s < errors.size(); ++s) {
    const auto begin = batches.begin() + static_cast<std::ptrdiff_t>(s * batch_count);
    errors[s] = batch_error({begin, begin + inner_batches});
  }
  return errors;
}

std::vector<MeasureRow> measure(RiskMethod method, const Gains& gains, const RiskOptions& options,
                                double confidence, const Communicator& ranks,
                                const WorkShares& shares) {
  const std::vector<double> totals = gains.totals();
  const std::vector<Index> order = by_falling_loss(totals);
  std::vector<MeasureRow> rows;
  for (const double level : options.levels) {
    MeasureRow row;
    row.method = method;
    row.level = level;
    row.scenarios = gains.scenarios();
    row.risk = tail_risk(totals, order, level, confidence);
    rows.push_back(row);
  }
  if (!gains.batches.empty()) add_simulation_errors(rows, gains, totals, confidence, ranks, shares);
  return rows;
}

void add_bootstrap(std::span<MeasureRow> rows, const Gains& gains, const RiskOptions& options,
                   double confidence, const Context& context, const WorkShares& shares) {
  const Index block = bootstrap_block(rows, gains, options);
  if (block == 0) return;  // the errors stay unknown
  const std::vector<double> totals = gains.totals();
  const std::vector<TailRisk> intervals =
      bootstrap(totals, by_falling_loss(totals), options.levels, confidence, options.resamples,
                block, context.seed, context.communicator, shares);
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r].resampled = intervals[r];
}

void use_bootstrap_errors(std::span<MeasureRow> rows, const Gains& gains,
                          const RiskOptions& options, double confidence, const Context& context,
                          const WorkShares& shares) {
  if (options.resamples > 0) add_bootstrap(rows, gains, options, confidence, context, shares);
  for (MeasureRow& row : rows) {
    const auto replace = [](RiskEstimate& e, const RiskEstimate& resampled, double simulation) {
      e.standard_error = std::sqrt(square(resampled.standard_error) + square(simulation));
      e.low = resampled.low;
      e.high = resampled.high;
    };
    replace(row.risk.var, row.resampled.var, row.var_simulation_error);
    replace(row.risk.es, row.resampled.es, row.es_simulation_error);
  }
}

std::vector<ContributionRow> contributions(std::span<const MeasureRow> rows, std::size_t first,
                                           const Gains& gains, const Communicator& ranks,
                                           const WorkShares& shares) {
  const std::vector<double> totals = gains.totals();
  const std::vector<Index> order = by_falling_loss(totals);
  const auto without = shared_by_ranks<double>(  // [trade][row] VaR without the trade
      ranks, shares, static_cast<Index>(gains.trades),
      [&](Index trade, std::vector<double>& results) {
        const std::vector<double> rest =
            totals_without(gains, totals, static_cast<std::size_t>(trade));
        for (const MeasureRow& row : rows) results.push_back(value_at_risk(rest, row.level));
      });
  std::vector<ContributionRow> list;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::vector<double> near = quantile_weights(gains.scenarios(), rows[r].level);
    const std::vector<double> tail = tail_weights(gains.scenarios(), rows[r].level);
    std::vector<RiskEstimate> losses;
    double sum = 0;
    for (std::size_t t = 0; t < gains.trades; ++t) {
      losses.push_back(weighted_loss(gains, order, t, near));
      sum += losses.back().value;
    }
    // The mean loss around the quantile differs a little from VaR itself. Where both are close to 0
    // their ratio says nothing.
    const double ratio = sum != 0 ? rows[r].risk.var.value / sum : 1.0;
    const double scale = ratio > 0.5 && ratio < 2 ? ratio : 1.0;
    for (std::size_t t = 0; t < gains.trades; ++t) {
      ContributionRow c =
          contribution(rows[r], losses[t], weighted_loss(gains, order, t, tail), scale);
      c.measure = first + r;
      c.trade = t;
      c.incremental_var = rows[r].risk.var.value - without[t * rows.size() + r];
      list.push_back(c);
    }
  }
  return list;
}

void add_increment_errors(std::span<ContributionRow> list, std::span<const MeasureRow> rows,
                          const Gains& gains, const RiskOptions& options, const Context& context,
                          const WorkShares& shares) {
  const Index block = options.resamples > 0 ? bootstrap_block(rows, gains, options) : 0;
  if (block == 0) return;
  const Communicator& ranks = context.communicator;
  const IndexRange range = shares.divide(ranks, {0, options.resamples}).range(ranks.rank());
  const std::vector<std::vector<double>> mine =
      resampled_increments(rows, gains, block, range, context, shares);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::vector<double> all = ranks.allgather<double>(mine[r]);
    for (std::size_t t = 0; t < gains.trades; ++t) {
      std::vector<double> results;
      for (std::size_t i = t; i < all.size(); i += gains.trades) results.push_back(all[i]);
      list[r * gains.trades + t].incremental_var_error = deviation_of(results);
    }
  }
}

double resample_bytes(const RiskOptions& options, Index scenarios, std::size_t trades, int ranks) {
  if (options.resamples == 0 || scenarios == 0) return 0;
  const Index mine = partition({0, options.resamples}, ranks, 0).size();
  const auto levels = static_cast<double>(options.levels.size());
  const auto draws = static_cast<double>(scenarios) *
                     static_cast<double>(std::min(mine, resamples_at_once(scenarios)));
  // Increments of this rank at all levels, and, at one level after another, those of all ranks with
  // the copies of their messages.
  constexpr double copies = 3;
  const double increments =
      static_cast<double>(trades) *
      (levels * static_cast<double>(mine) + copies * static_cast<double>(options.resamples));
  const double orders =
      static_cast<double>(scenarios) *
      static_cast<double>(std::min(static_cast<Index>(trades), trades_at_once(scenarios)));
  return sizeof(std::uint16_t) * draws + sizeof(double) * increments +
         copies * sizeof(std::int32_t) * orders +
         copies * sizeof(TailRisk) * levels * static_cast<double>(options.resamples);
}

std::vector<MeasureRow> measure_normal(const std::vector<TradeSensitivities>& trades,
                                       const std::vector<TradeSensitivities>& batches,
                                       const std::vector<double>& covariance,
                                       const RiskOptions& options) {
  const std::vector<double> sum = sum_of(trades);
  const auto deviation_of = [&](const std::vector<double>& first) {
    return std::sqrt(std::fmax(dot(first, times_covariance(covariance, first)), 0.0));
  };
  double error = 0;
  if (!batches.empty()) {
    const std::vector<double> total = sum_of(batches);
    std::vector<double> deviations;
    for (const TradeSensitivities& batch : batches) {
      std::vector<double> first = sum;
      for (std::size_t f = 0; f < first.size(); ++f)
        first[f] += batch.first[f] - total[f] / batch_count;
      deviations.push_back(deviation_of(first));
    }
    error = batch_error(deviations);
  }
  const double deviation = deviation_of(sum);
  std::vector<MeasureRow> rows;
  for (const double level : options.levels) {
    const double z = normal_quantile(level), tail = normal_pdf(z) / (1 - level);
    MeasureRow row;
    row.method = RiskMethod::delta_normal;
    row.level = level;
    row.risk.var.value = z * deviation;
    row.risk.es.value = tail * deviation;
    row.risk.var.standard_error = row.var_simulation_error = std::fabs(z) * error;
    row.risk.es.standard_error = row.es_simulation_error = tail * error;
    rows.push_back(row);
  }
  return rows;
}

std::vector<ContributionRow> normal_contributions(std::span<const MeasureRow> rows,
                                                  std::size_t first,
                                                  const std::vector<TradeSensitivities>& trades,
                                                  const std::vector<double>& covariance) {
  const std::vector<double> sum = sum_of(trades);
  const std::vector<double> slope = times_covariance(covariance, sum);
  const double variance = dot(sum, slope);
  std::vector<ContributionRow> list;
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t t = 0; t < trades.size(); ++t) {
      const double share = variance > 0 ? dot(trades[t].first, slope) / variance : 0.0;
      std::vector<double> without = sum;
      for (std::size_t f = 0; f < sum.size(); ++f) without[f] -= trades[t].first[f];
      const double rest =
          std::sqrt(std::fmax(dot(without, times_covariance(covariance, without)), 0.0));
      const RiskEstimate &var = rows[r].risk.var, &es = rows[r].risk.es;
      list.push_back({first + r, t, share * var.value, unknown_error, share * es.value,
                      unknown_error, var.value - normal_quantile(rows[r].level) * rest,
                      unknown_error});
    }
  return list;
}

}  // namespace gsim::pricing
