#include "src/modules/pricing/exposures/exposure_profile.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "gsim/random/normal.hpp"
#include "gsim/random/stream.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/exposures/first_default.hpp"
#include "src/modules/pricing/market/market_view.hpp"

namespace gsim::pricing {
namespace {

Index index_of(const std::vector<double>& dates, double date) {
  if (date <= same_date) return -1;
  const auto at = std::lower_bound(dates.begin(), dates.end(), date - same_date);
  return at - dates.begin();
}

/// The value of a set at a valuation date, undiscounted, on a path.
class Values {
 public:
  Values(const MarketConfig& market, const ExposureDates& dates, const NettingSetValues& values,
         Index set)
      : values_(values),
        inverse_numeraire_(values.inverse_numeraire[static_cast<std::size_t>(set)].get()),
        set_(set),
        today_(values.today[static_cast<std::size_t>(set)]) {
    const MarketView view{&market, nullptr};
    for (const double t : dates.valuations) growth_.push_back(1 / view.discount(t));
  }
  /// With the payments of the date, or after them.
  double operator()(Index valuation, Index path, bool is_after) const {
    if (valuation < 0) return today_;
    const double value = values_.of(set_, valuation, is_after)[path];
    if (inverse_numeraire_ != nullptr) return value / inverse_numeraire(valuation, path);
    return growth_[static_cast<std::size_t>(valuation)] * value;
  }
  bool has_weights() const { return inverse_numeraire_ != nullptr; }
  /// The density of the measure of payments at a valuation date in the one of the paths:
  /// 1 / (N(t) P(0, t)).
  double weight(Index valuation, Index path) const {
    if (valuation < 0 || inverse_numeraire_ == nullptr) return 1;
    return growth_[static_cast<std::size_t>(valuation)] * inverse_numeraire(valuation, path);
  }

 private:
  double inverse_numeraire(Index valuation, Index path) const {
    return (*inverse_numeraire_)[static_cast<std::size_t>(valuation * values_.paths + path)];
  }
  const NettingSetValues& values_;
  const std::vector<double>* inverse_numeraire_;
  Index set_;
  double today_;
  std::vector<double> growth_;
};

/// The collateral after a call, where `held` was held before: positive where it was received. The
/// minimum transfer does not keep it back from a set that is worth nothing: no trade is left.
double transferred(const CollateralTerms& terms, double value, double held) {
  const double due =
      std::fmax(value - terms.threshold, 0.0) - std::fmax(-value - terms.own_threshold, 0.0);
  return value == 0 || std::fabs(due - held) >= terms.minimum_transfer ? due : held;
}

/// Value less collateral, undiscounted, with the payments of the date and after them: [time][path].
struct NetExposures {
  std::vector<double> before, after;
  std::vector<double> weight;  ///< of the paths (Values::weight()); empty: 1
};
NetExposures net_exposures(const NettingSet& set, const ExposureDates& dates,
                           const std::vector<Index>& transfers, const Values& values, Index paths) {
  const auto n = static_cast<Index>(dates.times.size());
  NetExposures net;
  net.before.resize(static_cast<std::size_t>(n * paths));
  net.after = net.before;
  if (values.has_weights()) net.weight = net.before;
  const auto less_collateral = [&](double value, double held) {
    const double exposure = value - held;
    return exposure - std::clamp(exposure, 0.0, set.collateral.initial_margin);
  };
  for (Index p = 0; p < paths; ++p) {
    double held = 0;
    for (Index k = 0; k < n; ++k) {
      const auto time = static_cast<std::size_t>(k), at = static_cast<std::size_t>(k * paths + p);
      net.before[at] = values(dates.valuation[time], p, false);
      net.after[at] = values(dates.valuation[time], p, true);
      if (values.has_weights()) net.weight[at] = values.weight(dates.valuation[time], p);
      if (!set.collateral.exists) continue;
      if (transfers[time] == dates.valuation[time]) {
        // Without a margin period collateral is called before and after the payments of the date.
        held = transferred(set.collateral, net.before[at], held);
        net.before[at] = less_collateral(net.before[at], held);
        held = transferred(set.collateral, net.after[at], held);
      } else {
        held = transferred(set.collateral, values(transfers[time], p, false), held);
        net.before[at] = less_collateral(net.before[at], held);
      }
      net.after[at] = less_collateral(net.after[at], held);
    }
  }
  return net;
}

/// The quantile of max(x, 0): the order statistic number ceil(n level).
double positive_quantile(std::vector<double> x, double level) {
  const auto n = static_cast<double>(x.size());
  const auto k = static_cast<Index>(std::ceil(n * level - 1e-9 * n)) - 1;
  std::nth_element(x.begin(), x.begin() + k, x.end());
  return std::fmax(x[static_cast<std::size_t>(k)], 0.0);
}

/// The same of values with weights: the largest one from which on the weights are more than
/// 1 - `level` of their sum.
double positive_quantile(const double* x, const double* weight, Index paths, double level) {
  const double rest = (1 - level) * std::accumulate(weight, weight + paths, 0.0);
  std::vector<Index> order(static_cast<std::size_t>(paths));
  std::iota(order.begin(), order.end(), Index{0});
  const auto is_larger = [&](Index a, Index b) { return x[a] != x[b] ? x[a] > x[b] : a < b; };
  // Few of the values are sorted, unless their weights are small.
  const auto few = static_cast<Index>(2 * (1 - level) * static_cast<double>(paths)) + 1;
  for (const Index sorted : {std::min(few, paths), paths}) {
    std::partial_sort(order.begin(), order.begin() + sorted, order.end(), is_larger);
    double sum = 0;
    for (Index k = 0; k < sorted; ++k) {
      sum += weight[order[static_cast<std::size_t>(k)]];
      if (sum > rest) return std::fmax(x[order[static_cast<std::size_t>(k)]], 0.0);
    }
  }
  return 0;
}

/// The mean of the positive or negative (sign -1) parts of a date's exposures, undiscounted.
double mean_part(const NetExposures& net, bool is_after, std::size_t time, Index paths,
                 double sign) {
  double sum = 0;
  const Index first = static_cast<Index>(time) * paths;
  const double* const x = (is_after ? net.after : net.before).data() + first;
  const double* const weight = net.weight.empty() ? nullptr : net.weight.data() + first;
  for (Index p = 0; p < paths; ++p)
    sum += std::fmax(sign * x[p], 0.0) * (weight != nullptr ? weight[p] : 1);
  return sum / static_cast<double>(paths);
}

/// The quantile of a date's positive exposures, with the payments of the date.
double future_exposure(const NetExposures& net, std::size_t time, Index paths, double level) {
  const double* const x = net.before.data() + static_cast<Index>(time) * paths;
  if (net.weight.empty()) return positive_quantile({x, x + paths}, level);
  return positive_quantile(x, net.weight.data() + static_cast<Index>(time) * paths, paths, level);
}

/// Expected exposures, [time], with the payments of the dates and after them.
struct Expected {
  std::vector<double> before, after;
};

/// sum_k (after(k-1) + before(k)) / 2 weight(k) over the intervals k = 1, 2, …
template <class Weight>
double trapezoids(const Expected& e, const Weight& weight) {
  double sum = 0;
  for (std::size_t k = 1; k < e.before.size(); ++k)
    sum += 0.5 * (e.after[k - 1] + e.before[k]) * weight(k);
  return sum;
}

/// The probabilities of default in the intervals between the times; with `other`, of defaults
/// before which that party has none.
std::vector<double> default_probabilities(const MarketCredit& credit, const MarketCredit* other,
                                          double correlation, const std::vector<double>& times) {
  if (other != nullptr) return first_defaults(credit.curve, other->curve, correlation, times);
  std::vector<double> probabilities;
  for (std::size_t k = 1; k < times.size(); ++k)
    probabilities.push_back(credit.curve.default_probability(times[k - 1], times[k]));
  return probabilities;
}

/// Loss given default times the discounted expected exposures at default.
double loss_at_default(const MarketCredit& credit, const std::vector<double>& probabilities,
                       const Expected& discounted) {
  return (1 - credit.recovery) *
         trapezoids(discounted, [&](std::size_t k) { return probabilities[k - 1]; });
}

/// The same with a probability of default of its own for each path.
double wrong_way_loss(const MarketCredit& credit, const std::vector<double>& probabilities,
                      const std::vector<double>& discounts, const NetExposures& net, Index paths,
                      const std::vector<double>& weights) {
  double sum = 0;
  const auto n = static_cast<std::size_t>(paths);
  const auto weight = [&](std::size_t i) { return net.weight.empty() ? 1 : net.weight[i]; };
  for (std::size_t k = 1; k < discounts.size(); ++k) {
    double mean = 0;
    for (std::size_t p = 0; p < n; ++p) {
      const std::size_t start = (k - 1) * n + p, end = k * n + p;
      mean += 0.5 *
              (discounts[k - 1] * std::fmax(net.after[start], 0.0) * weight(start) +
               discounts[k] * std::fmax(net.before[end], 0.0) * weight(end)) *
              weights[start];
    }
    sum += mean / static_cast<double>(n) * probabilities[k - 1];
  }
  return (1 - credit.recovery) * sum;
}

}  // namespace

ExposureDates make_exposure_dates(const ExposureOptions& options) {
  ExposureDates dates;
  dates.times = options.dates;
  dates.times.insert(dates.times.begin(), 0.0);
  std::vector<double> all = options.dates;
  for (const NettingSet& set : options.sets)
    if (set.collateral.exists)
      for (const double t : options.dates) all.push_back(t - set.collateral.margin_period);
  std::sort(all.begin(), all.end());
  for (const double t : all)
    if (t - (dates.valuations.empty() ? 0 : dates.valuations.back()) > same_date)
      dates.valuations.push_back(t);
  for (const double t : dates.times) dates.valuation.push_back(index_of(dates.valuations, t));
  for (const NettingSet& set : options.sets) {
    dates.transfer.emplace_back();
    for (const double t : dates.times)
      dates.transfer.back().push_back(index_of(dates.valuations, t - set.collateral.margin_period));
  }
  return dates;
}

ExposureProfile exposure_profile(const PricingConfig& config, const ExposureOptions& options,
                                 const ExposureDates& dates, const NettingSetValues& values,
                                 Index set, const std::vector<double>& default_weights) {
  const NettingSet& terms = options.sets[static_cast<std::size_t>(set)];
  const MarketView view{&config.market, nullptr};
  const Index paths = values.paths;
  const NetExposures net =
      net_exposures(terms, dates, dates.transfer[static_cast<std::size_t>(set)],
                    Values(config.market, dates, values, set), paths);
  ExposureProfile profile;
  std::vector<double> discounts;
  Expected positive, negative, discounted_positive, discounted_negative;
  const auto add = [](Expected& e, double before, double after) {
    e.before.push_back(before);
    e.after.push_back(after);
  };
  for (std::size_t k = 0; k < dates.times.size(); ++k) {
    const double discount = view.discount(dates.times[k]);
    discounts.push_back(discount);
    add(positive, mean_part(net, false, k, paths, 1), mean_part(net, true, k, paths, 1));
    add(negative, mean_part(net, false, k, paths, -1), mean_part(net, true, k, paths, -1));
    add(discounted_positive, discount * positive.before[k], discount * positive.after[k]);
    add(discounted_negative, discount * negative.before[k], discount * negative.after[k]);
    profile.future.push_back(future_exposure(net, k, paths, options.quantile));
  }
  const auto length = [&](std::size_t k) { return dates.times[k] - dates.times[k - 1]; };
  profile.average_positive = trapezoids(positive, length) / dates.times.back();
  profile.funding_cost = options.borrowing_spread * trapezoids(discounted_positive, length);
  profile.funding_benefit = options.lending_spread * trapezoids(discounted_negative, length);
  const MarketCredit* const own = options.own_credit;
  const auto probabilities = [&](const MarketCredit& credit, const MarketCredit* other) {
    return default_probabilities(credit, options.first_to_default ? other : nullptr,
                                 terms.default_correlation, dates.times);
  };
  if (terms.credit != nullptr) {
    const std::vector<double> defaults = probabilities(*terms.credit, own);
    profile.cva =
        default_weights.empty()
            ? loss_at_default(*terms.credit, defaults, discounted_positive)
            : wrong_way_loss(*terms.credit, defaults, discounts, net, paths, default_weights);
  }
  if (own != nullptr)
    profile.dva = loss_at_default(*own, probabilities(*own, terms.credit), discounted_negative);
  profile.expected_positive = std::move(positive.before);
  profile.expected_negative = std::move(negative.before);
  profile.discounted_positive = std::move(discounted_positive.before);
  profile.discounted_negative = std::move(discounted_negative.before);
  return profile;
}

std::vector<double> wrong_way_weights(const ExposureOptions& options, const ExposureDates& dates,
                                      Index set, Index unit, std::uint64_t seed,
                                      const std::vector<double>& spot_normals) {
  const NettingSet& terms = options.sets[static_cast<std::size_t>(set)];
  const WrongWayTerms& wrong_way = terms.wrong_way;
  const CreditCurve& curve = terms.credit->curve;
  const auto n = static_cast<std::size_t>(options.paths);
  const double rest = std::sqrt(1 - square(wrong_way.correlation));
  const PhiloxKey key = stream_key({seed, Purpose::pricing_default_intensity});
  std::vector<double> weights((dates.times.size() - 1) * n, 0.0);
  for (std::size_t p = 0; p < n; ++p) {
    const auto path = static_cast<std::uint64_t>(unit) * n + p;
    double brownian = 0, hazard = 0, survival = 1, from = 0;
    std::size_t interval = 0;
    for (std::size_t d = 0; d < dates.valuations.size() && interval + 1 < dates.times.size(); ++d) {
      const double to = dates.valuations[d];
      // The integral of the hazard rate over the step, with the factor at its start.
      const double expected = logarithm(curve.survival(from)) - logarithm(curve.survival(to));
      hazard += expected * exponential(wrong_way.volatility * brownian -
                                       0.5 * square(wrong_way.volatility) * from);
      const auto draws =
          normals<double, Strict>(philox_block(key, path, d, static_cast<std::uint32_t>(set)));
      const double z = wrong_way.correlation * spot_normals[d * n + p] + rest * draws[0];
      brownian += z * std::sqrt(to - from);
      from = to;
      if (std::fabs(to - dates.times[interval + 1]) > same_date) continue;
      const double survives = exponential(-hazard);
      weights[interval * n + p] = survival - survives;
      survival = survives;
      ++interval;
    }
  }
  for (std::size_t k = 0; k + 1 < dates.times.size(); ++k) {
    const auto begin = weights.begin() + static_cast<std::ptrdiff_t>(k * n);
    const double mean = std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(n), 0.0) /
                        static_cast<double>(n);
    for (std::size_t p = 0; p < n; ++p)
      weights[k * n + p] = mean > 0 ? weights[k * n + p] / mean : 1;
  }
  return weights;
}

}  // namespace gsim::pricing
