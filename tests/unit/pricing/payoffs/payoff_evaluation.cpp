// Every payoff, evaluated on a tile of artificial paths, against a plain scalar implementation.

#include <cmath>
#include <functional>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "kernels/pricing/payoffs/evaluate.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"
#include "tests/unit/pricing/paths/path_fixture.hpp"

namespace gsim::pricing::test {
namespace {

constexpr Index records = 9, paths = 32;

/// Spots, and extremes of the continuous path since the preceding record, [record][asset].
struct Path {
  double spot[records][3], maximum[records][3], minimum[records][3];
};

struct Fixture {
  Simulation simulation;
  std::vector<Path> path;

  Fixture() {
    simulation = one_asset(even_grid(1.0, records), Market{});
    const double spots[3] = {100, 80, 120};
    simulation.assets.assign(3, simulation.assets[0]);
    for (int a = 0; a < 3; ++a) {
      simulation.assets[a].log_spot = std::log(spots[a]);
      simulation.assets[a].need_maximum = simulation.assets[a].need_minimum = true;
    }
    simulation.factor.assign(9, 0.0);
    for (int a = 0; a < 3; ++a) simulation.factor[a * 4] = 1;
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    path.resize(paths);
    for (auto& p : path) {
      for (int a = 0; a < 3; ++a) {
        double last = spots[a];
        for (Index r = 0; r < records; ++r) {
          const double next = last * std::exp(0.15 * normal(random));
          p.spot[r][a] = next;
          p.maximum[r][a] = std::max(last, next) * (1 + 0.05 * std::abs(normal(random)));
          p.minimum[r][a] = std::min(last, next) / (1 + 0.05 * std::abs(normal(random)));
          last = next;
        }
      }
    }
  }

  /// The kernel's undiscounted values of a trade (or of its control) on all paths.
  std::vector<double> kernel(const TradeSetup& trade, bool control = false) {
    simulation.trades = {trade};
    // A second trade on all assets, so that the tile has all rows of each: spot, logarithm, maximum
    // and minimum.
    auto all_rows = trade;
    all_rows.payoff = PayoffFormula::variance_swap;
    all_rows.assets = {0, 1, 2};
    all_rows.weights = {1, 1, 1};
    Simulation with_all_rows = simulation;
    with_all_rows.trades.push_back(all_rows);
    const auto rows = rows_needed(with_all_rows);
    const Index per_record = 12;  // 4 rows of 3 assets
    std::vector<double> data(static_cast<std::size_t>(records * per_record * paths));
    for (Index r = 0; r < records; ++r) {
      for (int a = 0; a < 3; ++a) {
        for (Index i = 0; i < paths; ++i) {
          const double log_spot = simulation.assets[a].log_spot;
          const auto at = [&](std::int32_t row) -> double& {
            return data[(r * per_record + row) * paths + i];
          };
          at(rows[a].spot) = path[i].spot[r][a];
          at(rows[a].log) = std::log(path[i].spot[r][a]) - log_spot;
          at(rows[a].maximum) = std::log(path[i].maximum[r][a]) - log_spot;
          at(rows[a].minimum) = std::log(path[i].minimum[r][a]) - log_spot;
        }
      }
    }
    // Host memory is executor memory, so the image of the packer can be used directly.
    TablePacker size_packer(nullptr);
    pack_trade<double>(size_packer, simulation, trade);
    std::vector<std::byte> memory(size_packer.image().size());
    TablePacker table_packer(memory.data());
    const auto table = pack_trade<double>(table_packer, simulation, trade);
    std::copy(table_packer.image().begin(), table_packer.image().end(), memory.begin());
    const Tile<double> tile{data.data(), paths, per_record, rows.data()};
    std::vector<double> values(paths);
    pricing_kernels::evaluate_paths<Strict, packed<double>>(control ? table.control : table.payoff,
                                                            tile, 0, paths, values.data());
    return values;
  }
};

using Reference = std::function<double(const Path&)>;

/// Checks the kernel's values of a trade, or of its control variate, on all paths.
void check(Fixture& f, const std::string& name, const TradeSetup& trade, const Reference& expected,
           bool control = false) {
  const auto values = f.kernel(trade, control);
  int different = 0;
  for (Index i = 0; i < paths; ++i) {
    const double reference = expected(f.path[i]);
    CAPTURE(name);
    CAPTURE(i);
    CHECK(values[i] == doctest::Approx(reference).epsilon(1e-13).scale(100));
    different += values[i] != values[0];
  }
  CHECK_MESSAGE(different > 0,
                name << ": all paths give the same value, so that the test has no power");
}

TradeSetup trade_of(const Fixture& f, PayoffFormula payoff, double sign, double strike) {
  constexpr double rate = 0.05;
  return trade_on(f.simulation, payoff, sign, strike, rate);
}

double positive(double x) { return std::max(x, 0.0); }
constexpr Index last = records - 1;

}  // namespace

TEST_CASE("payoffs on the spots at one or two dates equal their formulas") {
  Fixture f;
  for (const double sign : {1.0, -1.0}) {
    check(f, "vanilla", trade_of(f, PayoffFormula::vanilla, sign, 105),
          [=](const Path& p) { return positive(sign * (p.spot[last][0] - 105)); });
    auto digital = trade_of(f, PayoffFormula::cash_digital, sign, 105);
    digital.cash = 7;
    check(f, "cash digital", digital,
          [=](const Path& p) { return sign * (p.spot[last][0] - 105) > 0 ? 7.0 : 0.0; });
    check(
        f, "asset digital", trade_of(f, PayoffFormula::asset_digital, sign, 105),
        [=](const Path& p) { return sign * (p.spot[last][0] - 105) > 0 ? p.spot[last][0] : 0.0; });
    auto forward_start = trade_of(f, PayoffFormula::forward_start, sign, 1.1);
    forward_start.records = {2, 6};
    check(f, "forward start", forward_start,
          [=](const Path& p) { return positive(sign * (p.spot[6][0] - 1.1 * p.spot[2][0])); });
  }
}

TEST_CASE("payoffs on averages of fixings equal their formulas") {
  Fixture f;
  for (const double sign : {1.0, -1.0}) {
    for (const bool average_strike : {false, true}) {
      for (const bool weighted : {false, true}) {
        auto t = trade_of(f, PayoffFormula::asian_arithmetic, sign, 102);
        t.average_strike = average_strike;
        t.past_count = 3;
        t.past_sum = 310;
        if (weighted) {
          t.fixing_weights = {.02, .04, .06, .08, .1, .12, .14, .16, .18};
          t.past_sum = 10.3;
        }
        const auto average = [=](const Path& p, bool logs) {
          double sum = logs ? (weighted ? 0.1 * std::log(103.) : 3 * std::log(103.)) : t.past_sum;
          for (Index r = 0; r < records; ++r) {
            const double term = logs ? std::log(p.spot[r][0]) : p.spot[r][0];
            sum += weighted ? t.fixing_weights[r] * term : term;
          }
          if (!weighted) sum /= records + 3;
          return logs ? std::exp(sum) : sum;
        };
        const auto payoff = [=](const Path& p, bool logs) {
          const double a = average(p, logs);
          return average_strike ? positive(sign * (p.spot[last][0] - a))
                                : positive(sign * (a - 102));
        };
        check(f, "arithmetic", t, [=](const Path& p) { return payoff(p, false); });
        t.control = TradeSetup::Control::asian_geometric;
        t.control_past_sum = weighted ? 0.1 * std::log(103.) : 3 * std::log(103.);
        check(
            f, "geometric control", t, [=](const Path& p) { return payoff(p, true); }, true);
        t.payoff = PayoffFormula::asian_geometric;
        t.past_sum = t.control_past_sum;
        t.control = TradeSetup::Control::none;
        check(f, "geometric", t, [=](const Path& p) { return payoff(p, true); });
      }
    }
  }
}

TEST_CASE("barrier payoffs of every kind equal their formulas") {
  Fixture f;
  for (int flags = 0; flags < 64; ++flags) {
    const bool up = flags & 1, knock_in = flags & 2, continuous = flags & 8, past_hit = flags & 32;
    const bool at_hit = (flags & 16) && !knock_in;
    const double sign = flags & 4 ? 1.0 : -1.0, level = up ? 130 : 75;
    auto t = trade_of(f, PayoffFormula::barrier, sign, 95);
    t.monitored = up ? Extreme::maximum : Extreme::minimum;
    t.knock_in = knock_in;
    t.continuous = continuous;
    t.barrier = level;
    t.rebate = 3;
    t.rebate_at_hit = at_hit;
    if (past_hit) {
      t.past_count = 1;
      t.past_maximum = 135;
      t.past_minimum = 70;
    }
    if (at_hit)
      for (Index r = 0; r < records; ++r) t.discount_at_hit.push_back(1 - 0.01 * (r + 1));
    if (past_hit && !knock_in) continue;  // pays its rebate on every path: checked below
    check(f, "barrier " + std::to_string(flags), t, [=](const Path& p) {
      Index hit = past_hit ? 0 : records;
      for (Index r = records - 1; r >= 0 && !past_hit; --r) {
        const double high = continuous ? p.maximum[r][0] : p.spot[r][0];
        const double low = continuous ? p.minimum[r][0] : p.spot[r][0];
        if (up ? high >= level : low <= level) hit = r;
      }
      const double option = positive(sign * (p.spot[last][0] - 95));
      const bool touched = hit < records;
      if (touched == knock_in) return option;
      return at_hit && touched ? 3 * (1 - 0.01 * (hit + 1)) / t.discount : 3.0;
    });
  }
}

TEST_CASE("a knock-out touched in the past pays its rebate on every path") {
  Fixture f;
  auto t = trade_of(f, PayoffFormula::barrier, 1, 95);
  t.monitored = Extreme::maximum;
  t.barrier = 130;
  t.rebate = 3;
  t.hit_already = true;
  for (const double v : f.kernel(t)) CHECK(v == 3.0);
}

TEST_CASE("lookbacks equal their formulas") {
  Fixture f;
  for (int flags = 0; flags < 16; ++flags) {
    const bool floating = flags & 1, continuous = flags & 2, past = flags & 4;
    const double sign = flags & 8 ? 1.0 : -1.0;
    const bool maximum = floating ? sign < 0 : sign > 0;
    auto t = trade_of(
        f, floating ? PayoffFormula::lookback_floating : PayoffFormula::lookback_fixed, sign, 101);
    t.continuous = continuous;
    if (past) {
      t.past_count = 2;
      t.past_maximum = 125;
      t.past_minimum = 82;
    }
    check(f, "lookback " + std::to_string(flags), t, [=](const Path& p) {
      double high = past ? 125 : 0, low = past ? 82 : 1e9;
      for (Index r = 0; r < records; ++r) {
        high = std::max(high, continuous ? p.maximum[r][0] : p.spot[r][0]);
        low = std::min(low, continuous ? p.minimum[r][0] : p.spot[r][0]);
      }
      const double extreme = maximum ? high : low;
      return positive(sign * (floating ? p.spot[last][0] - extreme : extreme - 101));
    });
  }
}

TEST_CASE("cliquets and variance swaps equal their formulas") {
  Fixture f;
  for (const bool past : {false, true}) {
    auto cliquet = trade_of(f, PayoffFormula::cliquet, 1, 1.0);
    cliquet.local_floor = -0.05;
    cliquet.local_cap = 0.08;
    cliquet.global_floor = -0.1;
    cliquet.global_cap = 0.2;
    cliquet.past_sum = 0.03;
    if (past) cliquet.past_last = 97;
    check(f, "cliquet", cliquet, [=](const Path& p) {
      double sum = 0.03, before = past ? 97 : p.spot[0][0];
      for (Index r = past ? 0 : 1; r < records; ++r) {
        sum += std::min(std::max(p.spot[r][0] / before - 1, -0.05), 0.08);
        before = p.spot[r][0];
      }
      return std::min(std::max(sum, -0.1), 0.2);
    });
    auto swap = trade_of(f, PayoffFormula::variance_swap, -1, 0.04);
    swap.annualisation = 25;
    swap.past_sum = 0.002;
    if (past) swap.past_last = 97;
    check(f, "variance swap", swap, [=](const Path& p) {
      double sum = 0.002, before = past ? 97 : p.spot[0][0];
      for (Index r = past ? 0 : 1; r < records; ++r) {
        sum += std::pow(std::log(p.spot[r][0] / before), 2);
        before = p.spot[r][0];
      }
      return -(25 * sum - 0.04);
    });
  }
}

TEST_CASE("combinations of several assets equal their formulas") {
  Fixture f;
  const double w[3] = {0.5, 0.7, -0.1};
  const auto underlying = [=](const Path& p, Index r, Combination c) {
    const double* s = p.spot[r];
    switch (c) {
      case Combination::weighted_sum:
        return w[0] * s[0] + w[1] * s[1] + w[2] * s[2];
      case Combination::best_of:
        return std::max({w[0] * s[0], w[1] * s[1], w[2] * s[2]});
      case Combination::worst_of:
        return std::min({w[0] * s[0], w[1] * s[1], w[2] * s[2]});
      default:
        return std::exp(w[0] * std::log(s[0]) + w[1] * std::log(s[1]) + w[2] * std::log(s[2]));
    }
  };
  for (const auto c : {Combination::weighted_sum, Combination::best_of, Combination::worst_of,
                       Combination::geometric}) {
    for (const auto kind : {PayoffFormula::vanilla, PayoffFormula::asian_arithmetic}) {
      auto t = trade_of(f, kind, c == Combination::worst_of ? -1 : 1,
                        c == Combination::worst_of ? 2 : 60);
      t.combination = c;
      t.assets = {0, 1, 2};
      t.weights = {w[0], w[1], w[2]};
      const double sign = t.sign, strike = t.strike;
      check(f, "combination", t, [=](const Path& p) {
        double sum = 0;
        for (Index r = 0; r < records; ++r) sum += underlying(p, r, c);
        const double u = kind == PayoffFormula::vanilla ? underlying(p, last, c) : sum / records;
        return positive(sign * (u - strike));
      });
      t.control = TradeSetup::Control::spot;
      check(
          f, "spot control", t,
          [=](const Path& p) { return underlying(p, last, Combination::weighted_sum); }, true);
      t.control = TradeSetup::Control::basket_geometric;
      t.control_weights = {0.3, 0.4, 0.3};
      t.control_log_scale = -0.2;
      t.strike = 70;
      t.sign = 1;
      check(
          f, "geometric control", t,
          [=](const Path& p) {
            const double* s = p.spot[last];
            const double g =
                std::exp(-0.2 + 0.3 * std::log(s[0]) + 0.4 * std::log(s[1]) + 0.3 * std::log(s[2]));
            return positive(g - 70);
          },
          true);
    }
  }
}

}  // namespace gsim::pricing::test
