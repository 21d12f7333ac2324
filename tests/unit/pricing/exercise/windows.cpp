// Early exercise of barrier options with a continuously monitored window, by a recursion over the
// spot that uses the probability of a Brownian bridge to touch the barrier.

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/unit/pricing/exercise/bounds.hpp"
#include "tests/unit/pricing/exercise/recursions.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

struct Window {
  double strike, barrier, rebate;
  bool knock_in;
  int first, last;  ///< periods that are monitored, from 1
};

// The value of a down-and-in or down-and-out put with exercise after each of four periods of a
// quarter of a year. v[touched][i] on a grid of x = ln(S / barrier), of which 0 is a point.
double window_value(const Window& w) {
  constexpr int half = 900;
  constexpr double rate = 0.05, dividend = 0.02, volatility = 0.25, spot = 100, dt = 0.25;
  const double sd = volatility * std::sqrt(dt), h = 8 * sd * 2 / half;
  const double drift = (rate - dividend - 0.5 * volatility * volatility) * dt;
  const double discount = std::exp(-rate * dt);
  const int n = 2 * half + 1;
  const auto x_at = [&](int i) { return (i - half) * h; };
  const auto option = [&](int i) {
    return std::fmax(w.strike - w.barrier * std::exp(x_at(i)), 0.0);
  };
  using Values = std::vector<double>;
  std::vector<Values> v(2, Values(static_cast<std::size_t>(n)));
  for (int touched = 0; touched < 2; ++touched)
    for (int i = 0; i < n; ++i)
      v[static_cast<std::size_t>(touched)][static_cast<std::size_t>(i)] =
          (touched == 1) == w.knock_in ? option(i) : w.rebate;
  const auto held = [&](int period, int touched, double x) {
    double sum = 0;
    for (int j = 0; j < n; ++j) {
      const double y = x_at(j), z = (y - x - drift) / sd;
      if (std::fabs(z) > 8) continue;
      double touch = touched;
      if (touched == 0 && period >= w.first && period <= w.last)
        touch = x <= 0 || y <= 0 ? 1 : std::exp(-2 * x * y / (sd * sd));
      const auto at = static_cast<std::size_t>(j);
      const double value = touch * v[1][at] + (1 - touch) * v[0][at];
      sum += h / (sd * std::sqrt(2 * M_PI)) * std::exp(-0.5 * z * z) * value;
    }
    return discount * sum;
  };
  for (int period = 4; period >= 2; --period) {
    std::vector<Values> before = v;
    for (int touched = 0; touched < 2; ++touched)
      for (int i = 0; i < n; ++i) {
        const bool has_right = (touched == 1) == w.knock_in;
        const double x = x_at(i), kept = held(period, touched, x);
        before[static_cast<std::size_t>(touched)][static_cast<std::size_t>(i)] =
            has_right ? std::fmax(kept, option(i)) : kept;
      }
    v = std::move(before);
  }
  return held(1, 0, std::log(spot / w.barrier));
}

std::string window_trade(const std::string& id, const std::string& keys) {
  return "[[trades]]\nid = \"" + id +
         "\"\nproduct = \"window_barrier\"\nasset = \"A\"\ntype = \"put\"\nstrike = 105\n"
         "maturity = 1\nrebate = 2\nmonitoring = \"continuous\"\nexercise = \"bermudan\"\n"
         "exercise_count = 4\n" +
         keys;
}

}  // namespace

TEST_CASE("Bermudan barrier options with continuously monitored windows, by a recursion") {
  const std::string out = "kind = \"down_and_out\"\nbarrier = 85\n";
  const std::string in = "kind = \"down_and_in\"\nbarrier = 90\n";
  const std::string middle = "window_start = 0.25\nwindow_end = 0.75\n";
  const ModuleResult result = run_module_alone(
      {.config = "[market]\nrate = 0.05\n[market.assets.A]\nspot = 100\ndividend = 0.02\n"
                 "volatility = 0.25\n" +
                 window_trade("out", out) + window_trade("out, middle", out + middle) +
                 window_trade("in, middle", in + middle) +
                 window_trade("in, first", in + "window_end = 0.5\n"),
       .stop = samples(1 << 16)});
  check_bounds(bounds_of(result, 0), window_value({105, 85, 2, false, 1, 4}), 0.04);
  check_bounds(bounds_of(result, 1), window_value({105, 85, 2, false, 2, 3}), 0.04);
  check_bounds(bounds_of(result, 2), window_value({105, 90, 2, true, 2, 3}), 0.04);
  check_bounds(bounds_of(result, 3), window_value({105, 90, 2, true, 1, 2}), 0.04);
}
