#include "importance.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "estimator.hpp"
#include "limits.hpp"
#include "path_engine.hpp"
#include "scalar_math.hpp"

namespace gsim::pricing {
namespace {

// How many samples of a trial must carry it to be believed.
constexpr double fewest_trial_carriers = 10;
// Steps that a path has at least where the way between its dates decides.
constexpr double fewest_steps = 16;
// What a shift must save to be worth paths of the trade's own.
constexpr double least_saving = 2;

double deviation(const AssetDynamics& a, double until) {
  switch (a.model) {
    case ModelKind::black_scholes:
    case ModelKind::merton: {
      double total = 0;
      for (const double v : a.variance_step) total += v;
      return std::sqrt(total);
    }
    case ModelKind::heston:
    case ModelKind::bates:
      return std::sqrt(std::fmax(a.v0, a.theta) * until);
    case ModelKind::local_volatility:
      return a.lv_volatility[a.lv_log_spots.size() / 2] * std::sqrt(until);
    case ModelKind::plugged:
      break;
  }
  return 0;
}

// Adds `scale` times the direction in which asset `a` moves: its row of the factor, and its
// variance's own normal.
void add_direction(const Simulation& s, std::size_t a, double scale, std::vector<double>& to) {
  const std::size_t n = s.assets.size();
  for (std::size_t f = 0; f < n; ++f) to[f] += scale * s.factor[a * n + f];
  std::size_t own = n;
  for (std::size_t b = 0; b < a; ++b) own += static_cast<std::size_t>(further_normals(s.assets[b]));
  if (further_normals(s.assets[a]) > 0) to[own] += scale * s.assets[a].rho;
}

Index factors_of(const Simulation& s) {
  Index factors = static_cast<Index>(s.assets.size());
  for (const AssetDynamics& a : s.assets) factors += further_normals(a);
  return factors;
}

// The unit vector of a drift at constant speed along `factor` until the date `turn`, and against it
// from then on. The step that holds the turn takes the sum of both.
std::vector<double> drift(const Simulation& s, const std::vector<double>& factor, double turn) {
  std::vector<double> v;
  v.reserve(factor.size() * s.grid.times.size());
  double from = 0, sum = 0;
  for (const double to : s.grid.times) {
    const double along = std::fmin(to, turn) - std::fmin(from, turn);
    const double speed = (2 * along - (to - from)) / std::sqrt(to - from);
    for (const double u : factor) v.push_back(speed * u);
    from = to;
  }
  for (const double x : v) sum += x * x;
  if (sum > 0)
    for (double& x : v) x /= std::sqrt(sum);
  return v;
}

// Samples of one trial: fewer of long paths.
Index trial_samples(const Simulation& s) {
  constexpr Index most = 8192, fewest = 1024, normals = Index{1} << 18;
  Index samples = most;
  while (samples > fewest && samples * static_cast<Index>(s.shift.size()) > normals) samples /= 2;
  return samples;
}

// What trial samples say of a shift.
struct Trial {
  Tilt tilt;
  double price = 0, standard_error = 0;
  double relative_variance = 0;  // of a sample, over the squared price
};

// False where the samples do not show the price.
bool attempt(const Executor& executor, const Simulation& alone, const Tilt& tilt, Trial& result) {
  Simulation s = shifted(alone, tilt);
  const Index samples = trial_samples(s);
  s.block_samples = samples;
  s.sampling = Sampling::pseudo_random;
  s.replicates = 1;
  PathEngine engine(executor, s);
  const Index beyond = most_samples / samples;
  const std::uint8_t active = 1;
  const auto sums = engine.run({beyond, beyond + 1}, std::span(&active, 1));
  const PriceEstimate e = estimate_price(sums, s.trades.front(), 1, 0.95);
  if (e.kind != ErrorKind::sampled || !(e.carriers >= fewest_trial_carriers) || !(e.price > 0))
    return false;
  result = {tilt, e.price, e.standard_error,
            square(e.standard_error / e.price) * static_cast<double>(e.samples)};
  return std::isfinite(result.relative_variance);
}

}  // namespace

bool can_be_tilted(const PricingConfig& config, const TradeConfig& trade) {
  if (!config.options.importance_sampling || config.options.conditional ||
      trade.product == Product::plugged || trade.product == Product::variance_swap)
    return false;
  return std::none_of(trade.assets.begin(), trade.assets.end(), [&](Index i) {
    return config.market.assets[static_cast<std::size_t>(i)].model == ModelKind::plugged;
  });
}

Simulation simulate_alone(const PricingConfig& config, const TradeConfig& trade,
                          Arithmetic arithmetic, std::uint64_t seed) {
  PricingConfig one;
  one.options = config.options;
  one.options.antithetic = false;
  one.market = config.market;
  one.trades = {trade};
  if (trade.continuous) one.longest_step = trade.maturity / fewest_steps;
  Simulation alone = set_up(one, arithmetic, seed).simulation;
  // The expectation of a control hangs on all paths, and shifted ones leave most of them out.
  alone.trades.front().control = TradeProgram::Control::none;
  return alone;
}

std::vector<std::vector<double>> shift_directions(const Simulation& alone) {
  const TradeProgram& trade = alone.trades.front();
  const double until = alone.grid.times.back();
  const auto factors = static_cast<std::size_t>(factors_of(alone));
  std::vector<std::vector<double>> directions;
  std::vector<double> underlying(factors, 0.0);
  for (std::size_t i = 0; i < trade.assets.size(); ++i) {
    const auto a = static_cast<std::size_t>(trade.assets[i]);
    const AssetDynamics& asset = alone.assets[a];
    const double amount = trade.combination == Combination::geometric
                              ? trade.weights[i]
                              : trade.weights[i] * exponential(asset.log_spot);
    add_direction(alone, a, amount * deviation(asset, until), underlying);
  }
  directions.push_back(drift(alone, underlying, until));
  if (trade.combination == Combination::best_of || trade.combination == Combination::worst_of)
    for (const Index a : trade.assets) {
      std::vector<double> one(factors, 0.0);
      add_direction(alone, static_cast<std::size_t>(a), 1, one);
      directions.push_back(drift(alone, one, until));
    }
  if (trade.payoff == PayoffFormula::barrier && trade.barrier > 0 && trade.strike > 0) {
    const double log_spot = alone.assets[static_cast<std::size_t>(trade.assets.front())].log_spot;
    const double there = std::fabs(logarithm(trade.barrier) - log_spot);
    const double back = std::fabs(logarithm(trade.barrier / trade.strike));
    if (there > 0 && back > 0)
      directions.push_back(drift(alone, underlying, until * there / (there + back)));
  }
  return directions;
}

Simulation shifted(Simulation alone, const Tilt& tilt) {
  if (!tilt.is_set()) return alone;
  alone.shift = shift_directions(alone)[static_cast<std::size_t>(tilt.direction)];
  for (double& mu : alone.shift) mu *= tilt.length;
  return alone;
}

Tilt choose_tilt(const Executor& executor, const Simulation& alone, const Unshifted& unshifted) {
  std::vector<Trial> trials;
  const auto directions = static_cast<Index>(shift_directions(alone).size());
  Trial trial;
  const auto attempt_all = [&](std::initializer_list<double> lengths) {
    for (Index d = 0; d < directions; ++d)
      for (const double length : lengths)
        for (const double sign : {1.0, -1.0})
          if (attempt(executor, alone, {d, sign * length}, trial)) trials.push_back(trial);
  };
  attempt_all({1, 2, 3, 4, 5, 6.5, 8, 10, 13});
  if (trials.empty()) attempt_all({17, 22, 28});
  // All estimate one price, which is positive: a shift that leaves out what pays gives too low a
  // one with a small error. The largest price that is sure tells.
  double sure = std::fmax(0.0, unshifted.price - 3 * unshifted.standard_error);
  const auto best = [&] {
    for (const Trial& t : trials) sure = std::fmax(sure, t.price - 3 * t.standard_error);
    const Trial* found = nullptr;
    for (const Trial& t : trials)
      if (t.price + 3 * t.standard_error >= sure &&
          (found == nullptr || t.relative_variance < found->relative_variance))
        found = &t;
    return found == nullptr ? Trial{} : *found;
  };
  const Trial coarse = best();
  if (!coarse.tilt.is_set()) return {};
  for (const double factor : {0.85, 1.15})
    if (attempt(executor, alone, {coarse.tilt.direction, factor * coarse.tilt.length}, trial))
      trials.push_back(trial);
  const Trial chosen = best();
  const bool saves = chosen.relative_variance * least_saving < unshifted.relative_variance;
  return saves ? chosen.tilt : Tilt{};
}

}  // namespace gsim::pricing
