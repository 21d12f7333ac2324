#include "src/modules/pricing/exposures/path_measure.hpp"

#include <algorithm>
#include <cmath>

#include "src/modules/pricing/market/short_rate_model.hpp"

namespace gsim::pricing {
namespace {

/// Correlation of the normals of two simulated assets.
double correlation(const Simulation& s, Index first, Index second) {
  const auto n = static_cast<Index>(s.assets.size());
  const double* const a = s.factor.data() + first * n;
  const double* const b = s.factor.data() + second * n;
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// Covariances of the logarithms of two simulated assets at the end of each step; 0 for an asset
/// with a random variance, whose correlations with rates are 0 (set_numeraires.hpp).
std::vector<double> covariances(const Simulation& s, Index first, Index second) {
  const std::vector<double>& a = s.assets[static_cast<std::size_t>(first)].variance_step;
  const std::vector<double>& b = s.assets[static_cast<std::size_t>(second)].variance_step;
  std::vector<double> sums(s.grid.times.size(), 0.0);
  if (a.empty() || b.empty()) return sums;
  const double rho = first == second ? 1 : correlation(s, first, second);
  double sum = 0;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    sum += rho * std::sqrt(a[k] * b[k]);
    sums[k] = sum;
  }
  return sums;
}

/// Adds factor(time) times the covariances to `shift`, [step].
template <class Factor>
void add(const Simulation& s, const std::vector<double>& covariance, const Factor& factor,
         std::vector<double>& shift) {
  for (std::size_t k = 0; k < shift.size(); ++k)
    shift[k] += factor(s.grid.times[k]) * covariance[k];
}

ShortRateModel model_of_rate(const MarketView& view, Index rate) {
  return {*view.market, view.asset(rate)};
}

}  // namespace

Index simulated_index(const std::vector<Index>& order, Index asset) {
  return std::lower_bound(order.begin(), order.end(), asset) - order.begin();
}

Simulation under_measure(Simulation simulation, const BaseMeasure& measure, const MarketView& view,
                         const std::vector<Index>& order) {
  if (measure.own_numeraire == measure.numeraire && measure.numeraire >= 0) return simulation;
  for (Index i = 0; i < static_cast<Index>(simulation.assets.size()); ++i) {
    if (!simulation.unused.empty() && simulation.unused[static_cast<std::size_t>(i)] != 0) continue;
    std::vector<double> shift(simulation.grid.times.size(), 0.0);
    if (measure.numeraire >= 0) {
      const ShortRateModel base = model_of_rate(view, measure.numeraire);
      add(
          simulation, covariances(simulation, i, simulated_index(order, measure.numeraire)),
          [&](double t) { return base.loading(t); }, shift);
    }
    if (measure.own_numeraire >= 0 && i == simulated_index(order, measure.own_numeraire)) {
      const ShortRateModel own = model_of_rate(view, measure.own_numeraire);
      add(
          simulation, covariances(simulation, i, i), [&](double t) { return -own.loading(t); },
          shift);
      for (const CurrencyLeg& leg : measure.legs)
        add(
            simulation, covariances(simulation, i, simulated_index(order, leg.pair)),
            [&](double) { return -leg.sign; }, shift);
    }
    AssetDynamics& asset = simulation.assets[static_cast<std::size_t>(i)];
    double before = 0;
    for (std::size_t k = 0; k < shift.size(); ++k) {
      asset.drift_step[k] += shift[k] - before;
      before = shift[k];
    }
  }
  return simulation;
}

}  // namespace gsim::pricing
