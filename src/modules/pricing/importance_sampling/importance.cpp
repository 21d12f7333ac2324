#include "src/modules/pricing/importance_sampling/importance.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include "gsim/core/error.hpp"
#include "src/modules/pricing/checks/limits.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/paths/path_engine.hpp"
#include "src/modules/pricing/paths/separate_paths.hpp"
#include "src/modules/pricing/statistics/estimator.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {
namespace {

// The minimum number of samples with a payment in a trial.
constexpr double min_trial_contributing_samples = 10;
// The minimum number of steps of a path that is monitored continuously.
constexpr double min_steps = 16;
// The minimum factor by which a tilt must reduce the variance to justify separate paths of the
// trade.
constexpr double min_reduction = 2;

bool has_jumps(const AssetDynamics& a) { return a.has_jumps && a.jump_intensity > 0; }

// Adds to `to`, over the normals of one step, `scale` times the direction in which the spot of
// asset `a` rises: its row of the correlation factor and, with the weight rho, the normal of its
// variance.
void add_direction(const Simulation& s, std::size_t a, double scale, std::vector<double>& to) {
  const std::size_t n = s.assets.size();
  for (std::size_t f = 0; f < n; ++f) to[f] += scale * s.factor[a * n + f];
  std::size_t second = n;  // the second normal of the asset
  for (std::size_t b = 0; b < a; ++b)
    second += static_cast<std::size_t>(further_normals(s.assets[b]));
  if (further_normals(s.assets[a]) > 0) to[second] += scale * s.assets[a].rho;
}

std::size_t factors_of(const Simulation& s) {
  Index factors = static_cast<Index>(s.assets.size());
  for (const AssetDynamics& a : s.assets) factors += further_normals(a);
  return static_cast<std::size_t>(factors);
}

double norm(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

// A drift at constant speed along `factor` until the date `reversal`, and in the opposite direction
// afterwards. In the step that contains the date both parts are added.
TiltDirection drift(const Simulation& s, const std::vector<double>& factor, double reversal) {
  TiltDirection d;
  d.normals.reserve(factor.size() * s.grid.times.size());
  double from = 0;
  for (const double to : s.grid.times) {
    const double before = std::fmin(to, reversal) - std::fmin(from, reversal);
    const double net_time = 2 * before - (to - from);
    const double mean = net_time / std::sqrt(to - from);
    for (const double u : factor) d.normals.push_back(mean * u);
    d.velocity.push_back(net_time / (to - from));
    from = to;
  }
  const double length = norm(d.normals);
  if (length > 0)
    for (double& x : d.normals) x /= length;
  return d;
}

// A drift of the trade's underlying, the weighted sum of the spots. Its deviation and weights are
// relative to that sum.
TiltDirection underlying_drift(const Simulation& s, const TradeSetup& trade, double reversal) {
  std::vector<double> factor(factors_of(s), 0.0), weights(s.assets.size(), 0.0);
  double total = 0;
  for (std::size_t i = 0; i < trade.assets.size(); ++i) {
    const auto a = static_cast<std::size_t>(trade.assets[i]);
    const double amount = trade.combination == Combination::geometric
                              ? trade.weights[i]
                              : trade.weights[i] * exponential(s.assets[a].log_spot);
    add_direction(s, a, amount * s.assets[a].deviation, factor);
    weights[a] += amount;
    total += std::fabs(amount);
  }
  TiltDirection d = drift(s, factor, reversal);
  d.normal_deviation = total > 0 ? norm(factor) / total : 0;
  for (double& w : weights) w /= total > 0 ? total : 1;
  d.weights = std::move(weights);
  return d;
}

// A drift of one asset, constant in time.
TiltDirection asset_drift(const Simulation& s, std::size_t asset) {
  std::vector<double> factor(factors_of(s), 0.0);
  add_direction(s, asset, 1, factor);
  TiltDirection d = drift(s, factor, s.grid.times.back());
  d.weights.assign(s.assets.size(), 0.0);
  d.weights[asset] = 1;
  d.normal_deviation = s.assets[asset].deviation;
  return d;
}

bool tilts_jumps(const Simulation& s, const TiltDirection& d) {
  for (std::size_t a = 0; a < s.assets.size(); ++a)
    if (has_jumps(s.assets[a]) && d.weights[a] != 0) return true;
  return false;
}

// First and second derivative of the cumulant generating function K of X at theta, and the expected
// number of jumps of a path under the tilt theta.
struct Cumulants {
  double first = 0, second = 0, jumps = 0;
};

Cumulants cumulants(const Simulation& s, const TiltDirection& d, double theta) {
  constexpr double largest = 700;  // its exponential is finite
  Cumulants c{theta * square(d.normal_deviation), square(d.normal_deviation), 0};
  for (std::size_t i = 0; i < s.assets.size(); ++i) {
    const AssetDynamics& a = s.assets[i];
    if (!has_jumps(a) || d.weights[i] == 0) continue;
    const double w = d.weights[i], variance = square(a.jump_sd);
    const double exponent = theta * w * (a.jump_mean + 0.5 * theta * w * variance);
    const double jumps =
        a.jump_intensity * s.grid.times.back() * exponential(std::fmin(exponent, largest));
    const double mean = w * (a.jump_mean + theta * w * variance);
    c.first += jumps * mean;
    c.second += jumps * (square(mean) + square(w) * variance);
    c.jumps += jumps;
  }
  return c;
}

// Number of samples of one trial; smaller for long paths.
Index trial_samples(const Simulation& s) {
  constexpr Index max_count = 8192, min_count = 1024, max_normals = Index{1} << 18;
  Index samples = max_count;
  while (samples > min_count && samples * static_cast<Index>(s.tilt.size()) > max_normals)
    samples /= 2;
  return samples;
}

// The result of a trial of a tilt. The sign of the price is chosen such that it is positive.
struct Trial {
  Tilt tilt;
  double price = 0, standard_error = 0;
  double relative_variance = 0;  // variance of a sample divided by the squared price
};

// Tilts of one trade that have been tried.
class Trials {
 public:
  Trials(const Executor& executor, const Simulation& single_trade, const UntiltedEstimate& untilted)
      : executor_(&executor), single_trade_(&single_trade), untilted_(&untilted) {
    for (const TiltDirection& d : tilt_directions(single_trade))
      directions_.push_back({tilts_jumps(single_trade, d), d});
  }

  /// Tries tilts of these lengths along and against every direction.
  void attempt(std::initializer_list<double> lengths) {
    for (std::size_t d = 0; d < directions_.size(); ++d)
      for (const double length : lengths)
        for (const double sign : {1.0, -1.0})
          attempt(Tilt{static_cast<std::int64_t>(d), sign * length});
  }
  void attempt(const Tilt& tilt);
  bool empty() const { return trials_.empty(); }

  /// The trial with the least variance. All trials estimate the same price, but a tilt under which
  /// paths with payments are rare underestimates both price and error. Such trials are detected by
  /// comparison with the largest significant price. (Payoffs of plugins may have either sign: for
  /// them the price without a tilt must agree, too.)
  Trial best() const;

 private:
  bool agrees(const Trial& t, double lower_bound) const;

  const Executor* executor_;
  const Simulation* single_trade_;
  const UntiltedEstimate* untilted_;
  std::vector<std::pair<bool, TiltDirection>> directions_;  // true: jumps are tilted
  std::vector<Trial> trials_;
};

// Trials that give no significant price are discarded.
void Trials::attempt(const Tilt& tilt) {
  const auto& [jumps, direction] = directions_[static_cast<std::size_t>(tilt.direction)];
  if (jumps && std::isnan(tilt_exponent(*single_trade_, direction, tilt.length))) return;
  Simulation s = tilted(*single_trade_, tilt);
  const Index samples = trial_samples(s);
  s.block_samples = samples;
  s.sampling = Sampling::pseudo_random;
  s.replicates = 1;
  const auto engine = make_path_engine(*executor_, s);
  const Index block = max_samples / samples;  // the first block beyond the samples of any run
  const std::uint8_t active = 1;
  const auto sums = engine->run({block, block + 1}, std::span(&active, 1));
  const PriceEstimate e =
      estimate_price(sums, s.trades.front(), /*quantity=*/1, /*confidence=*/0.95);
  const bool either_sign = s.trades.front().has_either_sign;
  if (e.kind != ErrorKind::sampled || !(e.contributing_samples >= min_trial_contributing_samples) ||
      !(either_sign ? e.price != 0 : e.price > 0))
    return;
  const Trial trial{tilt, e.price, e.standard_error,
                    square(e.standard_error / e.price) * static_cast<double>(e.samples)};
  if (std::isfinite(trial.relative_variance)) trials_.push_back(trial);
}

// `lower_bound` is a lower bound of the absolute value of the price.
bool Trials::agrees(const Trial& t, double lower_bound) const {
  constexpr double allowed_deviation = 3;  // in standard errors
  if (std::fabs(t.price) + allowed_deviation * t.standard_error < lower_bound) return false;
  const bool either_sign = single_trade_->trades.front().has_either_sign;
  const double combined_error =
      std::sqrt(square(t.standard_error) + square(untilted_->standard_error));
  return !either_sign || !std::isfinite(untilted_->relative_variance) ||
         std::fabs(t.price - untilted_->price) <= allowed_deviation * combined_error;
}

Trial Trials::best() const {
  double lower_bound = std::fmax(0.0, std::fabs(untilted_->price) - 3 * untilted_->standard_error);
  for (const Trial& t : trials_)
    lower_bound = std::fmax(lower_bound, std::fabs(t.price) - 3 * t.standard_error);
  const Trial* best = nullptr;
  for (const Trial& t : trials_)
    if (agrees(t, lower_bound) &&
        (best == nullptr || t.relative_variance < best->relative_variance))
      best = &t;
  return best == nullptr ? Trial{} : *best;
}

}  // namespace

bool can_be_tilted(const PricingConfig& config, const TradeConfig& trade) {
  return config.options.importance_sampling && !config.options.conditional &&
         functions_of(*trade.payoff).is_tiltable && !trade.exercise.is_early();
}

Simulation simulation_to_tilt(const PricingConfig& config, const TradeConfig& trade,
                              Arithmetic arithmetic, std::uint64_t seed) {
  PricingConfig portfolio = portfolio_of_one(config, trade);
  portfolio.options.antithetic = false;
  if (trade.continuous) portfolio.longest_step = trade.maturity / min_steps;
  Simulation single_trade = set_up(portfolio, arithmetic, seed).simulation;
  // The expectation of a control variate depends on all paths, most of which are rare under the
  // tilt.
  single_trade.trades.front().control = TradeSetup::Control::none;
  return single_trade;
}

std::vector<TiltDirection> tilt_directions(const Simulation& single_trade) {
  const TradeSetup& trade = single_trade.trades.front();
  const double until = single_trade.grid.times.back();
  std::vector<TiltDirection> directions{underlying_drift(single_trade, trade, until)};
  const bool is_extreme =
      trade.combination == Combination::best_of || trade.combination == Combination::worst_of;
  if (is_extreme || trade.reads_each_asset)
    for (const Index a : trade.assets)
      directions.push_back(asset_drift(single_trade, static_cast<std::size_t>(a)));
  if (trade.barrier > 0 && trade.strike > 0) {
    const double log_spot =
        single_trade.assets[static_cast<std::size_t>(trade.assets.front())].log_spot;
    // Distances of logarithms: from the spot to the barrier, and from there to the strike.
    const double to_barrier = std::fabs(logarithm(trade.barrier) - log_spot);
    const double to_strike = std::fabs(logarithm(trade.barrier / trade.strike));
    if (to_barrier > 0 && to_strike > 0)
      directions.push_back(
          underlying_drift(single_trade, trade, until * to_barrier / (to_barrier + to_strike)));
  }
  return directions;
}

double tilt_exponent(const Simulation& single_trade, const TiltDirection& direction,
                     double length) {
  constexpr int halvings = 200;
  const Cumulants untilted = cumulants(single_trade, direction, /*theta=*/0);
  const double shift = length * std::sqrt(untilted.second);  // of the mean of X
  if (!(untilted.second > 0)) return std::numeric_limits<double>::quiet_NaN();
  const double sign = length < 0 ? -1 : 1;
  // Whether the mean of X under the tilt theta has moved by `shift` at least.
  const auto reaches = [&](double theta) {
    return sign * (cumulants(single_trade, direction, theta).first - untilted.first - shift) >= 0;
  };
  // K' increases at least as steeply as it does without jumps.
  double low = 0, high = sign / std::sqrt(untilted.second);
  for (int i = 0; i < halvings && !reaches(high); ++i) high *= 2;
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (reaches(middle) ? high : low) = middle;
  }
  const bool is_possible = reaches(high) && cumulants(single_trade, direction, high).jumps <=
                                                untilted.jumps + max_tilted_jumps;
  return is_possible ? high : std::numeric_limits<double>::quiet_NaN();
}

Simulation tilted(Simulation single_trade, const Tilt& tilt) {
  if (!tilt.is_set()) return single_trade;
  const TiltDirection d = tilt_directions(single_trade)[static_cast<std::size_t>(tilt.direction)];
  double length = tilt.length;
  if (tilts_jumps(single_trade, d)) {
    const double theta = tilt_exponent(single_trade, d, tilt.length);
    GSIM_EXPECT(std::isfinite(theta));
    length = theta * d.normal_deviation;
    for (std::size_t i = 0; i < single_trade.assets.size(); ++i) {
      if (!has_jumps(single_trade.assets[i]) || d.weights[i] == 0) continue;
      for (const double v : d.velocity)
        single_trade.assets[i].jump_tilt.push_back(theta * d.weights[i] * v);
    }
  }
  single_trade.tilt = d.normals;
  for (double& mu : single_trade.tilt) mu *= length;
  return single_trade;
}

Tilt choose_tilt(const Executor& executor, const Simulation& single_trade,
                 const UntiltedEstimate& untilted) {
  constexpr double longest = 13;
  Trials trials(executor, single_trade, untilted);
  trials.attempt({1, 2, 3, 4, 5, 6.5, 8, 10, longest});
  if (trials.empty() || std::fabs(trials.best().tilt.length) == longest)
    trials.attempt({17, 22, 28});
  const Trial coarse = trials.best();
  if (!coarse.tilt.is_set()) return {};
  for (const double factor : {0.85, 1.15})
    trials.attempt(Tilt{coarse.tilt.direction, factor * coarse.tilt.length});
  const Trial chosen = trials.best();
  const bool is_reduced = chosen.relative_variance * min_reduction < untilted.relative_variance;
  return is_reduced ? chosen.tilt : Tilt{};
}

}  // namespace gsim::pricing
