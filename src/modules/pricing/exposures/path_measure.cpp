#include "src/modules/pricing/exposures/path_measure.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "gsim/core/error.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/exposures/random_covariance.hpp"
#include "src/modules/pricing/market/short_rate_model.hpp"
#include "src/modules/pricing/path_models/gaussian_steps.hpp"

namespace gsim::pricing {
namespace {

/// Correlation of the first normals of two simulated assets.
double correlation(const Simulation& s, Index first, Index second) {
  const auto n = static_cast<Index>(s.assets.size());
  const double* const a = s.factor.data() + first * n;
  const double* const b = s.factor.data() + second * n;
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// Covariances of simulated assets, which do not depend on their drifts.
class Paths {
 public:
  Paths(const Simulation& simulation, const MarketView& view, const std::vector<Index>& order)
      : simulation_(simulation), view_(view), order_(order) {}

  /// Whether a simulated asset is a factor of a short rate with two (path_models/g2.cpp); the
  /// others are log-spots.
  bool is_factor(Index i) const {
    const AssetConfig& asset = view_.asset(order_[static_cast<std::size_t>(i)]);
    return asset.is_rate() && asset.short_rate->second;
  }
  /// What is left of a value after step k.
  double decay(Index i, std::size_t k) const {
    return is_factor(i) ? number(dynamics(i), k, gaussian_steps::decay) : 1;
  }
  /// The simulated factors of a rate of the market: one or two.
  std::vector<Index> factors_of(Index rate) const {
    std::vector<Index> list = {simulated_index(order_, rate)};
    const auto& second = view_.asset(rate).short_rate->second;
    if (second) list.push_back(simulated_index(order_, second->asset));
    return list;
  }
  /// Covariances of the values of two simulated assets at the end of each step; 0 for an asset with
  /// a random variance, of which random_covariances() has those with the numeraire, and whose
  /// correlations with other rates are 0 (set_numeraires.hpp).
  std::vector<double> covariances(Index first, Index second) const {
    const double rho = first == second ? 1 : correlation(simulation_, first, second);
    std::vector<double> sums(simulation_.grid.times.size());
    double sum = 0;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      sum = decay(first, k) * decay(second, k) * sum + step_covariance(first, second, rho, k);
      sums[k] = sum;
    }
    return sums;
  }
  /// Of an asset with a random variance and a correlation with `rate`: the factors of its random
  /// covariances. Otherwise empty.
  std::vector<FactorCovariances> random_covariances(Index i, Index rate) const {
    std::vector<FactorCovariances> list;
    if (!dynamics(i).has_own_variance) return list;
    const ShortRateModel model(*view_.market, view_.asset(rate));
    const std::vector<Index> factors = factors_of(rate);
    bool is_correlated = false;
    for (std::size_t j = 0; j < factors.size(); ++j) {
      const double rho = correlation(simulation_, i, factors[j]);
      is_correlated = is_correlated || rho != 0;
      FactorCovariances& factor = list.emplace_back();
      for (std::size_t k = 0; k < simulation_.grid.times.size(); ++k) {
        factor.decay.push_back(decay(factors[j], k));
        factor.step.push_back(rho * own(factors[j], k));
        factor.weight.push_back(weight(model, j, k));
      }
    }
    if (!is_correlated) list.clear();
    return list;
  }
  /// Whether the drift of asset i by the exchange rate `pair` is random.
  bool has_random_drift(Index i, Index pair) const {
    return dynamics(pair).has_own_variance && correlation(simulation_, i, pair) != 0;
  }
  /// Adds `sign` times the covariance of asset i with sum_j H_j(t) x_j to `shift`, [step].
  void add_numeraire(Index i, Index rate, double sign, std::vector<double>& shift) const {
    const ShortRateModel model(*view_.market, view_.asset(rate));
    const std::vector<Index> factors = factors_of(rate);
    for (std::size_t j = 0; j < factors.size(); ++j) {
      const std::vector<double> covariance = covariances(i, factors[j]);
      for (std::size_t k = 0; k < shift.size(); ++k)
        shift[k] += sign * weight(model, j, k) * covariance[k];
    }
  }
  /// H_j(t) at the end of step k.
  double weight(const ShortRateModel& model, std::size_t j, std::size_t k) const {
    const double date = simulation_.grid.times[k];
    const RateTerm term = model.value_at(date, date, 1);  // 1 / N
    return j == 0 ? term.loading : term.second_loading;
  }

 private:
  const AssetDynamics& dynamics(Index i) const {
    return simulation_.assets[static_cast<std::size_t>(i)];
  }
  /// The part of step k that is due to the correlated normal z_0.
  double own(Index i, std::size_t k) const {
    if (is_factor(i)) return number(dynamics(i), k, gaussian_steps::own);
    const std::vector<double>& variance = dynamics(i).variance_step;
    return variance.empty() ? 0 : std::sqrt(variance[k]);
  }
  /// Covariance of the changes over step k.
  double step_covariance(Index first, Index second, double rho, std::size_t k) const {
    if (is_factor(first) || is_factor(second)) {
      const double sum = rho * own(first, k) * own(second, k);
      return first != second ? sum
                             : sum + square(number(dynamics(first), k, gaussian_steps::further));
    }
    const std::vector<double>&a = dynamics(first).variance_step,
          &b = dynamics(second).variance_step;
    return a.empty() || b.empty() ? 0 : rho * std::sqrt(a[k] * b[k]);
  }

  const Simulation& simulation_;
  const MarketView& view_;
  const std::vector<Index>& order_;
};

/// Moves the means of a simulated asset at the ends of the steps by `shift`.
void move(const Paths& paths, Index i, const std::vector<double>& shift, AssetDynamics& asset) {
  double before = 0, largest = 0;
  for (std::size_t k = 0; k < shift.size(); ++k) {
    const double change = shift[k] - paths.decay(i, k) * before;
    if (paths.is_factor(i))
      asset.step_numbers[gaussian_steps::count * k + gaussian_steps::shift] += change;
    else
      asset.drift_step[k] += change;
    before = shift[k];
    largest = std::fmax(largest, std::fabs(before));
  }
  if (asset.reach > 0) asset.reach += largest;
}

}  // namespace

EarlierRates::EarlierRates(const Simulation& simulation, const BaseMeasure& measure,
                           const MarketView& view, const std::vector<Index>& order) {
  if (measure.own_numeraire < 0 || measure.own_numeraire == measure.numeraire) return;
  const Paths paths(simulation, view, order);
  const std::vector<Index>& records = simulation.grid.record_of_step;
  step_of_record_.resize(static_cast<std::size_t>(simulation.grid.recorded_dates));
  for (std::size_t k = 0; k < records.size(); ++k)
    if (records[k] >= 0) step_of_record_[static_cast<std::size_t>(records[k])] = k;
  const std::vector<Index> own = paths.factors_of(measure.own_numeraire);
  for (const Index rate : {measure.own_numeraire, measure.numeraire}) {
    if (rate < 0) continue;
    const double sign = rate == measure.numeraire ? 1 : -1;
    const ShortRateModel model(*view.market, view.asset(rate));
    const std::vector<Index> factors = paths.factors_of(rate);
    for (std::size_t j = 0; j < factors.size(); ++j) {
      Part& part = parts_.emplace_back();
      for (std::size_t k = 0; k < records.size(); ++k) {
        part.weight.push_back(sign * paths.weight(model, j, k));
        part.decay.push_back(paths.decay(factors[j], k));
      }
      for (const Index i : own) part.covariance.push_back(paths.covariances(i, factors[j]));
    }
  }
}

double EarlierRates::change(std::size_t factor, Index earlier, Index later) const {
  const std::size_t from = step_of_record_[static_cast<std::size_t>(earlier)];
  const std::size_t to = step_of_record_[static_cast<std::size_t>(later)];
  double sum = 0;
  for (const Part& part : parts_) {
    double left = 1;
    for (std::size_t k = from + 1; k <= to; ++k) left *= part.decay[k];
    sum += (left * part.weight[to] - part.weight[from]) * part.covariance[factor][from];
  }
  return sum;
}

TradeSetup EarlierRates::for_values_at(Index later, TradeSetup value) const {
  if (!are_changed() || value.payoff != PayoffFormula::rate_claims) return value;
  const std::size_t factors = value.assets.size();
  for (std::size_t i = 0; i < value.records.size(); ++i) {
    if (value.records[i] == later) continue;
    auto term = static_cast<std::size_t>(value.numbers[3 * i]);
    const auto count = static_cast<std::size_t>(value.numbers[3 * i + 1]);
    std::vector<double> changes;
    for (std::size_t j = 0; j < factors; ++j) changes.push_back(change(j, value.records[i], later));
    for (std::size_t n = 0; n < count; ++n, term += 1 + factors) {
      double exponent = 0;
      for (std::size_t j = 0; j < factors; ++j)
        exponent -= value.numbers[term + 1 + j] * changes[j];
      value.numbers[term] *= exponential(exponent);
    }
  }
  return value;
}

Index simulated_index(const std::vector<Index>& order, Index asset) {
  return std::lower_bound(order.begin(), order.end(), asset) - order.begin();
}

Simulation under_measure(Simulation simulation, const BaseMeasure& measure, const MarketView& view,
                         const std::vector<Index>& order) {
  if (measure.own_numeraire == measure.numeraire && measure.numeraire >= 0) return simulation;
  const Paths paths(simulation, view, order);
  const std::vector<AssetDynamics> exchange = simulation.assets;  // before they are changed
  std::optional<RandomDrift> drift;
  Index drifting = -1;  // the asset
  const std::vector<Index> own =
      measure.own_numeraire >= 0 ? paths.factors_of(measure.own_numeraire) : std::vector<Index>();
  for (Index i = 0; i < static_cast<Index>(simulation.assets.size()); ++i) {
    if (!simulation.unused.empty() && simulation.unused[static_cast<std::size_t>(i)] != 0) continue;
    if (measure.numeraire >= 0) {
      const std::vector<FactorCovariances> random = paths.random_covariances(i, measure.numeraire);
      AssetDynamics& asset = simulation.assets[static_cast<std::size_t>(i)];
      if (!random.empty()) asset = with_covariances(std::move(asset), simulation.grid, random);
    }
    std::vector<double> shift(simulation.grid.times.size(), 0.0);
    if (measure.numeraire >= 0) paths.add_numeraire(i, measure.numeraire, 1, shift);
    if (std::find(own.begin(), own.end(), i) != own.end()) {
      paths.add_numeraire(i, measure.own_numeraire, -1, shift);
      for (const CurrencyLeg& leg : measure.legs) {
        const Index pair = simulated_index(order, leg.pair);
        if (paths.has_random_drift(i, pair)) {
          GSIM_EXPECT(!drift);  // set_numeraires.hpp
          drift = RandomDrift{pair, &exchange[static_cast<std::size_t>(pair)],
                              correlation(simulation, i, pair), static_cast<double>(leg.sign)};
          drifting = i;
          continue;
        }
        const std::vector<double> covariance = paths.covariances(i, pair);
        for (std::size_t k = 0; k < shift.size(); ++k) shift[k] -= leg.sign * covariance[k];
      }
    }
    move(paths, i, shift, simulation.assets[static_cast<std::size_t>(i)]);
  }
  if (drift) {
    AssetDynamics& rate = simulation.assets[static_cast<std::size_t>(drifting)];
    rate = with_random_drift(std::move(rate), *drift, simulation.grid);
  }
  return simulation;
}

}  // namespace gsim::pricing
