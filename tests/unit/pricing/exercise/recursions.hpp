#pragma once
// Values with early exercise by recursions from date to date, which use nothing of gsim: references
// of tests.

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace gsim::pricing::test {

/// A lognormal asset over equal periods of `dt` years.
struct Lognormal {
  double spot = 100, rate = 0.05, dividend = 0, volatility = 0.2, dt = 0.25;
  double drift() const { return (rate - dividend - 0.5 * volatility * volatility) * dt; }
  double sd() const { return volatility * std::sqrt(dt); }
  double discount() const { return std::exp(-rate * dt); }
};

/// Normal probabilities of equal intervals of 16 standard deviations, at their middles.
struct NormalRule {
  std::vector<double> z, weight;
  explicit NormalRule(int points) {
    for (int i = 0; i < points; ++i) {
      const double h = 16.0 / points, at = -8 + (i + 0.5) * h;
      z.push_back(at);
      weight.push_back(
          0.5 * (std::erf((at + 0.5 * h) * M_SQRT1_2) - std::erf((at - 0.5 * h) * M_SQRT1_2)));
    }
  }
};

/// A contract on the sum of a function of the log returns of periods: exercise after period k pays
/// pays(k, sum), and so does the last period. The recursion is over the sum, on a grid of [low,
/// high] with linear interpolation; sums beyond it are moved to its ends. Exercise is possible
/// after period number `first_exercise` (from 1) and the later ones.
struct SumContract {
  std::function<double(double)> term;
  std::function<double(int, double)> pays;
  int periods = 4, first_exercise = 1;
  double low = -1, high = 1;
};

inline double value_of_sum(const SumContract& contract, const Lognormal& asset) {
  constexpr int cells = 3000;
  const NormalRule rule(1200);
  const double h = (contract.high - contract.low) / cells;
  std::vector<double> terms;
  for (const double z : rule.z) terms.push_back(contract.term(asset.drift() + asset.sd() * z));
  const auto sum_at = [&](int i) { return contract.low + h * i; };
  std::vector<double> v(cells + 1);
  for (int i = 0; i <= cells; ++i)
    v[static_cast<std::size_t>(i)] = contract.pays(contract.periods, sum_at(i));
  const auto continuation = [&](double sum) {
    double total = 0;
    for (std::size_t k = 0; k < terms.size(); ++k) {
      const double x = std::clamp((sum + terms[k] - contract.low) / h, 0.0, cells - 1e-9);
      const auto cell = static_cast<std::size_t>(x);
      const double part = x - static_cast<double>(cell);
      total += rule.weight[k] * ((1 - part) * v[cell] + part * v[cell + 1]);
    }
    return asset.discount() * total;
  };
  for (int period = contract.periods - 1; period >= 1; --period) {
    std::vector<double> before;
    for (int i = 0; i <= cells; ++i) {
      const double held = continuation(sum_at(i));
      before.push_back(period >= contract.first_exercise
                           ? std::fmax(held, contract.pays(period, sum_at(i)))
                           : held);
    }
    v = std::move(before);
  }
  return continuation(0);
}

/// A contract on the spot with a state: after each period, on(period, state, spot) gives the new
/// state, what is paid, and whether the contract goes on; `exercise` what exercise pays (minus
/// infinity without the right). The recursion is over ln S on a grid of which `level`, if positive,
/// is the boundary of two cells: values jump there.
struct SpotContract {
  struct Event {
    int state;
    double paid;
    bool goes_on;
    double exercise;
  };
  std::function<Event(int, int, double)> on;
  int states = 1, periods = 4;
  double level = 0;
};

inline double value_of_spot(const SpotContract& contract, const Lognormal& asset) {
  constexpr int half = 2400;
  constexpr double reach = 8;
  const double total = std::sqrt(static_cast<double>(contract.periods)) * asset.sd() * reach;
  const double h = total / half;
  // Cells are centred on the grid's points; the level is the boundary of two cells.
  double offset = 0;
  if (contract.level > 0) {
    const double x = std::log(contract.level / asset.spot) / h - 0.5;
    offset = x - std::floor(x);
  }
  const auto log_at = [&](int i) { return h * (i + offset); };
  const int n = 2 * half + 1;
  const auto probability = [&](double from, int to) {
    const double a = (log_at(to) - 0.5 * h - from - asset.drift()) / asset.sd();
    const double b = a + h / asset.sd();
    return 0.5 * (std::erf(b * M_SQRT1_2) - std::erf(a * M_SQRT1_2));
  };
  // v[state][i]: the value just after the period's event, with what it pays.
  std::vector<std::vector<double>> held(static_cast<std::size_t>(contract.states),
                                        std::vector<double>(static_cast<std::size_t>(n), 0.0));
  const auto width = static_cast<int>(reach * asset.sd() / h) + 2;
  const auto shift = static_cast<int>(std::lround(asset.drift() / h));
  std::vector<double> weight;
  for (int k = -width; k <= width; ++k) weight.push_back(probability(log_at(0), k + shift));
  const auto after_event = [&](int period, int state, int i) {
    const double spot = asset.spot * std::exp(log_at(i - half));
    const SpotContract::Event e = contract.on(period, state, spot);
    if (!e.goes_on || period == contract.periods) return e.paid;
    return e.paid + std::fmax(held[static_cast<std::size_t>(e.state)][static_cast<std::size_t>(i)],
                              e.exercise);
  };
  for (int period = contract.periods; period >= 1; --period) {
    std::vector<std::vector<double>> before = held;
    for (int state = 0; state < contract.states; ++state) {
      std::vector<double> v;
      for (int i = 0; i < n; ++i) v.push_back(after_event(period, state, i));
      if (period == 1) {  // from today's spot
        double sum = 0;
        for (int i = 0; i < n; ++i)
          sum += probability(0, i - half) * v[static_cast<std::size_t>(i)];
        before[static_cast<std::size_t>(state)][0] = asset.discount() * sum;
        continue;
      }
      for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int k = -width; k <= width; ++k)
          sum += weight[static_cast<std::size_t>(k + width)] *
                 v[static_cast<std::size_t>(std::clamp(i + k + shift, 0, n - 1))];
        before[static_cast<std::size_t>(state)][static_cast<std::size_t>(i)] =
            asset.discount() * sum;
      }
    }
    held = std::move(before);
  }
  return held[0][0];
}

}  // namespace gsim::pricing::test
