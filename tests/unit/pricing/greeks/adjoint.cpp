// Adjoint Greeks against bumps of the same paths, trade by trade, and where the others are used.

#include <algorithm>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/greeks/bumped_greeks.hpp"
#include "tests/unit/pricing/module_trades.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

const std::string term_structures = R"(
[market]
rate = { times = [0.25, 0.5, 1.0], values = [0.02, 0.03, 0.035] }
[market.assets.A]
spot = 100.0
dividend = 0.01
volatility = { times = [0.25, 0.5, 1.0], values = [0.25, 0.22, 0.2] }
[market.assets.B]
spot = 90.0
volatility = { times = [0.5, 1.0], values = [0.3, 0.28] }
[market.assets.C]
spot = 50.0
volatility = 0.35
[market.correlation]
assets = ["A", "B", "C"]
matrix = [[1.0, 0.5, 0.3], [0.5, 1.0, 0.4], [0.3, 0.4, 1.0]]
)";

/// Options with fixings on the dates of the pillars, so that every step between fixings has one
/// volatility and one rate.
std::string fixed(const std::string& id, const std::string& keys) {
  return trade_table(id, keys + "maturity = 1.0\nfixing_count = 4\n");
}

const std::string on_one_asset =
    trade_table("european", "product = \"european\"\nasset = \"A\"\n" + call_100) +
    trade_table("forward",
                "product = \"forward\"\nasset = \"A\"\nstrike = 95.0\nmaturity = 1.0\n") +
    fixed("asian", "product = \"asian\"\nasset = \"A\"\ntype = \"put\"\nstrike = 100.0\n") +
    fixed("asian past",
          "product = \"asian\"\nasset = \"A\"\ntype = \"call\"\nstrike = 100.0\n"
          "past_fixings = [95.0, 104.0]\n") +
    fixed("asian strike",
          "product = \"asian\"\nasset = \"B\"\ntype = \"call\"\naverage_of = \"strike\"\n") +
    fixed("geometric",
          "product = \"asian\"\nasset = \"A\"\naverage = \"geometric\"\n"
          "type = \"call\"\nstrike = 100.0\npast_fixings = [95.0]\n") +
    fixed("geometric strike",
          "product = \"asian\"\nasset = \"A\"\naverage = \"geometric\"\n"
          "type = \"put\"\naverage_of = \"strike\"\n") +
    fixed("lookback fixed",
          "product = \"lookback\"\nasset = \"A\"\nkind = \"fixed\"\n"
          "type = \"put\"\nstrike = 100.0\nmonitoring = \"discrete\"\n") +
    fixed("lookback floating",
          "product = \"lookback\"\nasset = \"A\"\nkind = \"floating\"\n"
          "type = \"put\"\nmonitoring = \"discrete\"\npast_extreme = 112.0\n") +
    fixed("cliquet",
          "product = \"cliquet\"\nasset = \"A\"\ntype = \"call\"\nlocal_cap = 0.08\n"
          "local_floor = -0.05\nglobal_floor = 0.0\nglobal_cap = 0.2\nquantity = 100\n") +
    fixed("cliquet past",
          "product = \"cliquet\"\nasset = \"B\"\ntype = \"put\"\n"
          "last_reset = 92.0\npast_return = 0.03\nquantity = 100\n") +
    fixed("variance",
          "product = \"variance_swap\"\nasset = \"A\"\nstrike = 0.04\n"
          "past_fixings = [101.0]\nquantity = 100\n") +
    trade_table("forward start",
                "product = \"forward_start\"\nasset = \"B\"\ntype = \"call\"\nmoneyness = 1.05\n"
                "start = 0.5\nmaturity = 1.0\n");

const std::string on_several_assets =
    trade_table("basket",
                "product = \"basket\"\nassets = [\"A\", \"B\", \"C\"]\n"
                "weights = [0.5, 0.3, 0.4]\n" +
                    call_100) +
    trade_table("geometric basket",
                "product = \"basket\"\nassets = [\"A\", \"B\"]\n"
                "average = \"geometric\"\n" +
                    call_100) +
    trade_table("spread",
                "product = \"spread\"\nassets = [\"A\", \"B\"]\ntype = \"call\"\n"
                "strike = 8.0\nmaturity = 1.0\n") +
    trade_table("exchange", "product = \"exchange\"\nassets = [\"B\", \"A\"]\nmaturity = 1.0\n") +
    trade_table("best", "product = \"best_of\"\nassets = [\"A\", \"B\", \"C\"]\n" + call_100) +
    trade_table("worst",
                "product = \"worst_of\"\nassets = [\"A\", \"B\"]\ntype = \"put\"\n"
                "strike = 95.0\nmaturity = 1.0\n");

/// Checks that Greeks are adjoint and equal to bumps: within four standard errors or, where the
/// paths change in the same way, closer (check_same_paths()).
void check_bumps(const std::string& options, const std::string& rest) {
  const auto adjoint = greeks_with(options, rest);
  const auto bumped = greeks_with(options + "greeks_method = \"bump\"\n" + small_bumps, rest);
  REQUIRE(adjoint.size() == bumped.size());
  for (const auto& [name, greek] : adjoint) {
    CAPTURE(name);
    const GreekValue& bump = bumped.at(name);
    CAPTURE(greek.value);
    CAPTURE(bump.value);
    CAPTURE(greek.error);
    // The first period of this cliquet begins at today's spot, which a delta changes, too.
    const std::string trade = name.substr(0, name.find(" delta"));
    // A delta changes today's spot, with which the first period of these trades begins.
    const bool is_pathwise = trade == "cliquet" || trade == "cliquet past" || trade == "variance";
    CHECK(greek.method == (is_pathwise && trade != name ? "pathwise" : "adjoint"));
    CHECK(bump.method == "bump");
    const double scale = 1e-5 * (1 + std::fabs(greek.value));
    if (std::isnan(greek.error)) {  // all samples are equal
      const double error = std::isnan(bump.error) ? 0 : bump.error;
      CHECK(std::fabs(greek.value - bump.value) <= 4 * error + scale);
      continue;
    }
    // A bump of a pillar of the volatility between two dates of a trade, of all pillars in
    // different proportions, or of the time changes a part of the paths between them; adjoint
    // Greeks have the mean over the paths with the same spots at the dates.
    CHECK(std::fabs(greek.value - bump.value) <= 4 * std::hypot(greek.error, bump.error) + scale);
    // The error from four replicates is itself uncertain by 40 %, that from 128 batches by 6 %.
    if (options.find("sobol") == std::string::npos) CHECK(greek.error <= 1.25 * bump.error + scale);
    const bool has_all_dates =
        name.rfind("asian", 0) == 0 || name.rfind("lookback", 0) == 0 ||
        (name.rfind("geometric", 0) == 0 && name.find("basket") == std::string::npos) ||
        name.find("vega C") != std::string::npos;
    if (!has_all_dates && name.find("vega") != std::string::npos) continue;
    if (!has_all_dates && name.find("theta") != std::string::npos) continue;
    check_same_paths(options, greek, bump);
  }
}

}  // namespace

TEST_CASE("adjoint Greeks of payoffs on one asset are those by bumps") {
  for (const std::string options : {"", "antithetic = true\n", "control_variates = \"none\"\n",
                                    "antithetic = true\ncontrol_variates = \"none\"\n"}) {
    CAPTURE(options);
    check_bumps(options, term_structures + on_one_asset);
  }
}

TEST_CASE("adjoint Greeks of payoffs on several assets are those by bumps") {
  const std::string quarterly = fixed("records",
                                      "product = \"asian\"\nasset = \"A\"\n"
                                      "type = \"put\"\nstrike = 100.0\n");
  const std::string sobol = "sampling = \"sobol\"\nreplicates = 4\nbrownian_bridge = false\n";
  const std::string no_controls = "control_variates = \"none\"\n";
  for (const std::string& options : {std::string(), no_controls, sobol, sobol + no_controls}) {
    CAPTURE(options);
    check_bumps(options, term_structures + quarterly + on_several_assets);
  }
}

TEST_CASE("an adjoint derivative belongs to one of several fixings with the same spot") {
  const auto table = greeks_of(run_module_alone(
      {.config = "[pricing]\ngreeks = [\"delta\"]\n[market]\nrate = 0.0\n[market.assets.A]\n"
                 "spot = 100.0\nvolatility = 0.0\n" +
                 fixed("t",
                       "product = \"lookback\"\nasset = \"A\"\nkind = \"fixed\"\n"
                       "type = \"call\"\nstrike = 90.0\nmonitoring = \"discrete\"\n"),
       .stop = samples(4096)}));
  CHECK(table.at("t delta A").value == doctest::Approx(1));
}

TEST_CASE("an adjoint derivative belongs to the first of several assets with the same spot") {
  const std::string same = "spot = 100.0\nvolatility = 0.0\n";
  const std::string keys = "assets = [\"C\", \"A\", \"B\"]\n" + call_100;
  const auto table = greeks_of(run_module_alone(
      {.config = "[pricing]\ngreeks = [\"delta\"]\n[market]\nrate = 0.01\n[market.assets.A]\n" +
                 same + "[market.assets.B]\n" + same + "[market.assets.C]\n" + same +
                 "[market.correlation]\nassets = [\"A\", \"B\", \"C\"]\n"
                 "matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]\n" +
                 trade_table("best", "product = \"best_of\"\n" + keys) +
                 trade_table("worst", "product = \"worst_of\"\n" + keys),
       .stop = samples(4096)}));
  for (const std::string trade : {"best", "worst"}) {
    CAPTURE(trade);
    CHECK(table.at(trade + " delta C").value == doctest::Approx(1));
    CHECK(table.at(trade + " delta A").value == 0);
    CHECK(table.at(trade + " delta B").value == 0);
  }
}

TEST_CASE("adjoint vegas of pillars between the dates of a trade") {
  // A trade on several assets makes steps end at the pillars, where paths are not recorded.
  const std::string market = R"(
[market]
rate = 0.05
[market.assets.A]
spot = 100.0
volatility = { times = [0.3, 0.8, 1.5], values = [0.25, 0.22, 0.2] }
[market.assets.B]
spot = 100.0
volatility = 0.3
[market.correlation]
assets = ["A", "B"]
matrix = [[1.0, 0.5], [0.5, 1.0]]
)";
  const std::string trades =
      trade_table("call", "product = \"european\"\nasset = \"A\"\n" + call_100) +
      trade_table("asian", "product = \"asian\"\nasset = \"A\"\nfixing_count = 2\n" + call_100) +
      trade_table("worst", "product = \"worst_of\"\nassets = [\"A\", \"B\"]\n" + call_100);
  const auto run = [&](const std::string& options) {
    return greeks_of(run_module_alone(
        {.config = all_first_order + "control_variates = \"none\"\n" + options + market + trades,
         .threads = 2,
         .stop = samples(1 << 15)}));
  };
  const auto adjoint = run(""), bumped = run("greeks_method = \"bump\"\n");
  // Total variances are linear between the pillars.
  const auto call = [](double second, double third) {
    const double variance = 5.0 / 7 * second * second * 0.8 + 2.0 / 7 * third * third * 1.5;
    return pricing::black(1, 100 * std::exp(0.05), 100, variance, std::exp(-0.05));
  };
  check_greek(adjoint, "call vega_buckets A 0.8",
              slope([&](double v) { return call(v, 0.2); }, 0.22, 1e-3), 1);
  check_greek(adjoint, "call vega_buckets A 1.5",
              slope([&](double v) { return call(0.22, v); }, 0.2, 1e-3), 1);
  CHECK(adjoint.at("call vega_buckets A 0.3").value == 0);
  for (const std::string trade : {"call", "asian", "worst"}) {
    CAPTURE(trade);
    double sum = 0;
    for (const std::string pillar : {"0.3", "0.8", "1.5"}) {
      const GreekValue &a = adjoint.at(trade + " vega_buckets A " + pillar),
                       &b = bumped.at(trade + " vega_buckets A " + pillar);
      CHECK(a.method == "adjoint");
      const double error = std::isnan(a.error) ? b.error : std::hypot(a.error, b.error);
      CHECK(std::fabs(a.value - b.value) <= 4 * error + 0.01);
      if (!std::isnan(a.error)) CHECK(a.error <= 1.02 * b.error);
      sum += a.value;
    }
    CHECK(sum == doctest::Approx(adjoint.at(trade + " vega A").value).epsilon(1e-5));
  }
}

TEST_CASE("adjoint vegas and theta with pillars between the dates of a trade on several assets") {
  // Margrabe's formula with the variance of the ratio, for volatilities that differ in shape.
  struct Volatilities {
    double a[2] = {0.25, 0.2}, b[3] = {0.3, 0.4, 0.15};
    double correlation = 0.5, passed = 0;
    double price() const {
      const double lengths[] = {0.2 - passed, 0.1, 0.5, 0.7};  // to 0.2, 0.3, 0.8, 1.5
      const double of_a[] = {a[0], a[0], a[1], a[1]}, of_b[] = {b[0], b[1], b[1], b[2]};
      double variance = 0;
      for (int i = 0; i < 4; ++i)
        variance += lengths[i] *
                    (of_a[i] * of_a[i] + of_b[i] * of_b[i] - 2 * correlation * of_a[i] * of_b[i]);
      const double years = 1.5 - passed;
      return pricing::exchange(1, 100 * std::exp(0.03 * years), 95 * std::exp(0.05 * years),
                               variance, std::exp(-0.05 * years));
    }
  };
  for (const double correlation : {0.5, -0.9, 1.0}) {
    CAPTURE(correlation);
    const std::string rho = std::to_string(correlation);
    const auto table = greeks_of(
        run_module_alone({.config = all_first_order + R"(
[market]
rate = 0.05
[market.assets.A]
spot = 100.0
dividend = 0.02
volatility = { times = [0.3, 1.5], values = [0.25, 0.2], kind = "forward" }
[market.assets.B]
spot = 95.0
volatility = { times = [0.2, 0.8, 1.5], values = [0.3, 0.4, 0.15], kind = "forward" }
[market.correlation]
assets = ["A", "B"]
matrix = [[1.0, )" + rho + "], [" + rho +
                                    ", 1.0]]\n" +
                                    trade_table("t",
                                                "product = \"exchange\"\nassets = [\"A\", \"B\"]\n"
                                                "maturity = 1.5\n"),
                          .threads = 2,
                          .stop = samples(1 << 17)}));
    const auto check = [&](const std::string& greek, auto bumped) {
      CHECK(table.at("t " + greek).method == "adjoint");
      const double exact = slope(
          [&](double x) {
            Volatilities v;
            v.correlation = correlation;
            bumped(v, x);
            return v.price();
          },
          0, 1e-3);
      check_greek(table, "t " + greek, exact, 0.5);
    };
    check("vega_buckets A 0.3", [](Volatilities& v, double x) { v.a[0] += x; });
    check("vega_buckets A 1.5", [](Volatilities& v, double x) { v.a[1] += x; });
    check("vega_buckets B 0.2", [](Volatilities& v, double x) { v.b[0] += x; });
    check("vega_buckets B 0.8", [](Volatilities& v, double x) { v.b[1] += x; });
    check("vega_buckets B 1.5", [](Volatilities& v, double x) { v.b[2] += x; });
    check("vega A", [](Volatilities& v, double x) { v.a[0] += x, v.a[1] += x; });
    check("vega B", [](Volatilities& v, double x) { v.b[0] += x, v.b[1] += x, v.b[2] += x; });
    check("theta", [](Volatilities& v, double x) { v.passed += x; });
  }
}

TEST_CASE("adjoint vegas of implied pillars that lie close together add up to the vega") {
  // A bump of a pillar changes the variances on both of its sides, by opposite amounts.
  const auto table = greeks_of(run_module_alone(
      {.config = "[pricing]\ngreeks = [\"vega\", \"vega_buckets\"]\n[market]\nrate = 0.0\n"
                 "[market.assets.B]\nspot = 90.0\n"
                 "volatility = { times = [4.996, 5.0], values = [0.2, 0.2] }\n" +
                 trade_table("v",
                             "product = \"variance_swap\"\nasset = \"B\"\nstrike = 0.04\n"
                             "fixings = [4.0, 4.996, 5.0]\nmaturity = 5.0\nquantity = 1000\n"),
       .threads = 2,
       .stop = samples(1 << 15)}));
  const GreekValue &total = table.at("v vega B"), &first = table.at("v vega_buckets B 4.996"),
                   &second = table.at("v vega_buckets B 5");
  CHECK(total.method == "adjoint");
  CHECK(second.method == "adjoint");
  CHECK(std::fabs(second.value) > 4 * std::fabs(total.value));
  CHECK(first.value + second.value == doctest::Approx(total.value).epsilon(1e-4));
}

TEST_CASE("adjoint Greeks: the spread of repeated runs is that of their errors") {
  // Errors and coefficients of control variates follow from batches of samples: 64 in each block.
  constexpr int runs = 24;
  const std::string trades =
      trade_table("call", "product = \"european\"\nasset = \"A\"\n" + call_100) +
      trade_table("rare",
                  "product = \"european\"\nasset = \"A\"\ntype = \"call\"\n"
                  "strike = 160.0\nmaturity = 1.0\n") +
      fixed("asian",
            "product = \"asian\"\nasset = \"A\"\ntype = \"put\"\n"
            "strike = 100.0\n") +
      trade_table("basket",
                  "product = \"basket\"\nassets = [\"A\", \"B\", \"C\"]\n"
                  "weights = [0.5, 0.3, 0.4]\n" +
                      call_100);
  constexpr Index blocks = 8;
  std::map<std::string, std::vector<GreekValue>> of_runs;
  for (int seed = 1; seed <= runs; ++seed) {
    const std::string config =
        "[pricing]\ngreeks = [\"delta\", \"vega\", \"theta\", \"rho\", "
        "\"rho_pillars\"]\n" +
        term_structures + trades;
    for (const auto& [name, greek] : greeks_of(run_module_alone({.config = config,
                                     .stop = samples(blocks * 4096),
                                     .seed = static_cast<std::uint64_t>(seed)})))
      of_runs[name].push_back(greek);
  }
  double all = 0;
  int compared = 0;
  for (const auto& [name, list] : of_runs) {
    CAPTURE(name);
    double mean = 0, variance = 0, expected = 0;
    for (const GreekValue& g : list) {
      CHECK(g.method == "adjoint");
      mean += g.value / runs;
      expected += g.error * g.error / runs;
    }
    if (std::isnan(expected)) continue;  // a pillar after the end
    ++compared;
    for (const GreekValue& g : list) variance += (g.value - mean) * (g.value - mean) / (runs - 1);
    // Chi-squared with 23 degrees of freedom is outside of 5 to 56 with a probability of 2e-4.
    const double ratio = variance / expected;
    CAPTURE(ratio);
    CHECK(ratio > 5.0 / 23);
    CHECK(ratio < 56.0 / 23);
    all += ratio;
  }
  CAPTURE(all);
  REQUIRE(compared > 20);
  CHECK(all / compared > 0.7);
  CHECK(all / compared < 1.35);
}
