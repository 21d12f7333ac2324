#include "src/modules/pricing/pricing_setup.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/paths/time_grid.hpp"
#include "tests/unit/pricing/fixtures.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

using Control = TradeSetup::Control;

PricingSetup set_up_text(const std::string& text) {
  return set_up(read(text), Arithmetic::strict, 1);
}

std::string european(const std::string& asset, const std::string& maturity) {
  return "[[trades]]\nid = \"" + asset + maturity + "\"\nproduct = \"european\"\nasset = \"" +
         asset + "\"\ntype = \"call\"\nstrike = 100.0\nmaturity = " + maturity + "\n";
}

// One trade on asset A of two_assets, with the given keys.
TradeSetup trade_setup(const std::string& keys) {
  return set_up_text(two_assets + "[[trades]]\nid = \"T\"\n" + keys).simulation.trades[0];
}

}  // namespace

TEST_CASE("the recorded dates are the union of all trades' dates, and exact steps end only there") {
  const PricingSetup setup =
      set_up_text(two_assets + european("A", "1.0") + european("A", "0.5") +
                  "[[trades]]\nid = \"T\"\nproduct = \"asian\"\nasset = \"A\"\ntype = \"call\"\n"
                  "strike = 1.0\nfixing_count = 4\nmaturity = 1.0\n");
  const TimeGrid& grid = setup.simulation.grid;
  CHECK(grid.times == std::vector<double>{0.25, 0.5, 0.75, 1});
  CHECK(grid.record_of_step == std::vector<Index>{0, 1, 2, 3});
  CHECK(grid.recorded_dates == 4);
  CHECK(setup.simulation.trades[1].records == std::vector<Index>{1});
  CHECK(setup.simulation.trades[2].records == std::vector<Index>{0, 1, 2, 3});
}

TEST_CASE("assets that no trade uses are not simulated") {
  const PricingSetup setup = set_up_text(two_assets + european("B", "1.0"));
  REQUIRE(setup.simulation.assets.size() == 1);
  CHECK(setup.assets == std::vector<Index>{1});
  CHECK(setup.simulation.assets[0].log_spot == doctest::Approx(std::log(90)));
  CHECK(setup.simulation.factor == std::vector<double>{1});
  CHECK(setup.simulation.trades[0].assets == std::vector<Index>{0});
}

TEST_CASE(
    "steps are short where a model is discretised, and only until the last trade on that model") {
  const std::string market = R"(
[pricing]
steps_per_year = 10
[market]
rate = 0.0
[market.assets.H]
spot = 100.0
model = "heston"
v0 = 0.04
kappa = 1.0
theta = 0.04
sigma = 0.3
rho = 0.0
[market.assets.A]
spot = 100.0
volatility = 0.2
)";
  const TimeGrid grid =
      set_up_text(market + european("H", "0.25") + european("A", "1.0")).simulation.grid;
  REQUIRE(grid.times.size() == 4);  // three steps of 0.25 / 3, then one to 1.0
  CHECK(grid.times[2] == 0.25);
  CHECK(grid.times[3] == 1.0);
  CHECK(grid.record_of_step == std::vector<Index>{-1, -1, 0, 1});
}

TEST_CASE("steps end at the knots of curves until the last date at which extremes are monitored") {
  const std::string market = R"(
[market]
rate = { times = [0.3, 1.0], values = [0.01, 0.02] }
[market.assets.A]
spot = 100.0
volatility = { times = [0.6, 1.0], values = [0.2, 0.25] }
)";
  CHECK(set_up_text(market + european("A", "1.0")).simulation.grid.times ==
        std::vector<double>{1.0});
  const PricingSetup monitored =
      set_up_text(market +
                  "[[trades]]\nid = \"L\"\nproduct = \"lookback\"\nkind = \"floating\"\n"
                  "asset = \"A\"\ntype = \"put\"\nmaturity = 1.0\n" +
                  european("A", "2.0"));
  CHECK(monitored.simulation.grid.times == std::vector<double>{0.3, 0.6, 1.0, 2.0});
  CHECK(monitored.simulation.grid.record_of_step == std::vector<Index>{-1, -1, 0, 1});
  CHECK(monitored.simulation.assets[0].need_maximum);
  CHECK_FALSE(monitored.simulation.assets[0].need_minimum);
  CHECK(monitored.simulation.trades[0].records == std::vector<Index>{0});
}

TEST_CASE("the drift and the variance of a step are integrals over that step") {
  const PricingSetup setup = set_up_text(two_assets + european("B", "0.5") + european("B", "2.0"));
  const AssetDynamics& d = setup.simulation.assets[0];
  CHECK(d.drift_step[1] == doctest::Approx(0.03 * 1.5));
  CHECK(d.variance_step[1] == doctest::Approx(0.09 * 1.5));
  CHECK(setup.simulation.trades[1].discount == doctest::Approx(std::exp(-0.1)));
}

TEST_CASE("the discount factor includes the payment lag") {
  const TradeSetup p = trade_setup(
      "product = \"european\"\nasset = \"A\"\ntype = \"call\"\n"
      "strike = 100.0\nmaturity = 1.0\npayment_lag = 0.5\n");
  CHECK(p.discount == doctest::Approx(std::exp(-0.075)));
}

TEST_CASE("local volatility is resampled at equally spaced logarithms") {
  const auto grid = [](const std::string& spots, const std::string& row) {
    return set_up_text(
               "[market]\nrate = 0.0\n[market.assets.A]\nspot = 100.0\n"
               "model = \"local_volatility\"\nlocal_times = [1.0]\nlocal_spots = " +
               spots + "\nlocal_volatility = [" + row + "]\n" + european("A", "1.0"))
        .simulation.assets[0];
  };
  const AssetDynamics even = grid("[50.0, 100.0, 200.0]", "[0.3, 0.2, 0.1]");
  CHECK(even.lv_volatility == std::vector<double>{0.3, 0.2, 0.1});
  const AssetDynamics uneven = grid("[50.0, 60.0, 200.0]", "[0.3, 0.2, 0.1]");
  REQUIRE(uneven.lv_log_spots.size() == 129);
  const double x = uneven.lv_log_spots[64];  // ln 100: between 60 and 200
  CHECK(x == doctest::Approx(std::log(100)));
  CHECK(uneven.lv_volatility[64] ==
        doctest::Approx(0.2 - 0.1 * std::log(100 / 60.0) / std::log(200 / 60.0)));
}

TEST_CASE("fixings at or before today are past fixings") {
  const TradeSetup asian = trade_setup(
      "product = \"asian\"\nasset = \"A\"\ntype = \"call\"\n"
      "strike = 100.0\nmaturity = 1.0\npast_fixings = [90.0]\n"
      "fixings = [0.0, 0.5, 1.0]\n");
  CHECK(asian.past_count == 2);
  CHECK(asian.past_sum == doctest::Approx(190));
  CHECK(asian.control_past_sum == doctest::Approx(std::log(90) + std::log(100)));
  CHECK(asian.records.size() == 2);

  const TradeSetup swap = trade_setup(
      "product = \"variance_swap\"\nasset = \"A\"\nstrike = 0.04\n"
      "maturity = 1.0\nfixing_count = 2\npast_fixings = [90.0]\n");
  CHECK(swap.past_last == 100);
  CHECK(swap.past_sum == doctest::Approx(std::pow(std::log(100 / 90.0), 2)));
  CHECK(swap.annualisation == doctest::Approx(2.0 / 3));  // two periods a year, three returns

  const TradeSetup cliquet = trade_setup(
      "product = \"cliquet\"\nasset = \"A\"\ntype = \"call\"\n"
      "maturity = 1.0\nfixing_count = 2\nlast_reset = 98.0\n"
      "past_return = 0.01\nlocal_cap = 0.015\n");
  CHECK(cliquet.past_sum == doctest::Approx(0.025));  // the period that ends today, capped
  CHECK(cliquet.past_last == 100);

  const TradeSetup start = trade_setup(
      "product = \"forward_start\"\nasset = \"A\"\n"
      "type = \"put\"\nmoneyness = 1.1\nstart = 0.0\n"
      "maturity = 1.0\n");
  CHECK(start.payoff == PayoffFormula::vanilla);
  CHECK(start.strike == doctest::Approx(110));
}

TEST_CASE("a barrier that was already touched is resolved in set-up") {
  const std::string head =
      "product = \"barrier\"\nasset = \"A\"\ntype = \"call\"\n"
      "strike = 100.0\nmaturity = 1.0\nrebate = 3.0\n";
  const std::string at_spot = "barrier = 100.0\nkind = \"down_and_out\"\n";
  const TradeSetup paid_today = trade_setup(head + at_spot + "rebate_paid = \"at_hit\"\n");
  CHECK(paid_today.hit_already);
  CHECK(paid_today.discount * paid_today.rebate == 3);
  const TradeSetup paid_at_maturity = trade_setup(head + at_spot);
  CHECK(paid_at_maturity.discount * paid_at_maturity.rebate ==
        doctest::Approx(3 * std::exp(-0.05)));
  const TradeSetup paid_before_today = trade_setup(head +
                                                   "barrier = 90.0\nkind = \"down_and_out\"\n"
                                                   "rebate_paid = \"at_hit\"\ntouched = true\n");
  CHECK(paid_before_today.rebate == 0);
  CHECK_FALSE(trade_setup(head + "barrier = 90.0\nkind = \"down_and_out\"\n").hit_already);
  // With discrete monitoring, the spot may be beyond the barrier today.
  CHECK_FALSE(trade_setup(head + "barrier = 105.0\nkind = \"down_and_out\"\n"
                                 "monitoring = \"discrete\"\nfixing_count = 4\n")
                  .hit_already);
}

TEST_CASE("rebates paid at the touch are discounted from a time within the interval of the touch") {
  const TradeSetup p = trade_setup(
      "product = \"barrier\"\nasset = \"A\"\ntype = \"call\"\n"
      "strike = 100.0\nmaturity = 1.0\nrebate = 3.0\n"
      "barrier = 90.0\nkind = \"down_and_out\"\n"
      "rebate_paid = \"at_hit\"\n");
  REQUIRE(p.records.size() == 100);
  // Mean discount factor over the touch times tau in an interval:
  // E[exp(-r tau); tau in the interval] / P(tau in the interval).
  FlatMarket flat{100, 0.05, 0, 0.2, 1};
  double previous_probability = 0, expected = 0, sum = 0;
  for (std::size_t k = 0; k < 100; ++k) {
    flat.maturity = static_cast<double>(k + 1) / 100;
    const double probability = first_touch(flat, 90, false, 0);
    sum += (probability - previous_probability) * p.discount_at_hit[k];
    previous_probability = probability;
    expected = first_touch(flat, 90, false, 0.05);
    CHECK(p.discount_at_hit[k] <= std::exp(-0.05 * (flat.maturity - 0.01)));
    CHECK(p.discount_at_hit[k] >= std::exp(-0.05 * flat.maturity));
  }
  CHECK(sum == doctest::Approx(expected).epsilon(1e-10));
  // In the first interval a barrier at five standard deviations is touched late or not at all.
  CHECK(p.discount_at_hit[0] < std::exp(-0.05 * 0.008));
  CHECK(p.discount_at_hit[99] == doctest::Approx(std::exp(-0.05 * 0.995)).epsilon(1e-6));
}

TEST_CASE("each trade has a control with a known expectation, which is never the trade itself") {
  const std::string vanilla = "asset = \"A\"\ntype = \"call\"\nstrike = 100.0\nmaturity = 1.0\n";
  const double price = black(1, 100 * std::exp(0.05), 100, 0.04, std::exp(-0.05));
  CHECK(price == doctest::Approx(10.4505835722));
  const TradeSetup european = trade_setup("product = \"european\"\n" + vanilla);
  CHECK(european.control == Control::spot);
  CHECK(european.control_expectation == doctest::Approx(100));
  const TradeSetup digital = trade_setup("product = \"digital\"\n" + vanilla);
  CHECK(digital.control == Control::vanilla);
  // A put, because 100 is below the forward, with the strike 0.7 standard deviations higher.
  const double strike = 100 * std::exp(0.7 * 0.2);
  CHECK(digital.control_sign == -1);
  CHECK(digital.control_strike == doctest::Approx(strike));
  CHECK(digital.control_expectation ==
        doctest::Approx(black(-1, 100 * std::exp(0.05), strike, 0.04, std::exp(-0.05))));
  const TradeSetup barrier =
      trade_setup("product = \"barrier\"\nkind = \"up_and_out\"\nbarrier = 130.0\n" + vanilla);
  CHECK(barrier.control_strike == 100);
  CHECK(barrier.control_expectation == doctest::Approx(price));
  const std::string cliquet =
      "product = \"cliquet\"\nasset = \"A\"\ntype = \"call\"\nmaturity = 1.0\nfixing_count = 4\n"
      "local_cap = 0.05\n";
  CHECK(trade_setup(cliquet + "global_cap = 0.15\n").control == Control::clipped_returns);
  // With limits that cannot bind, the cliquet would be its own control.
  CHECK(trade_setup(cliquet + "global_cap = 0.2\nglobal_floor = 0.0\n").control == Control::spot);
  CHECK(trade_setup(cliquet).control == Control::spot);
  const TradeSetup asian = trade_setup("product = \"asian\"\nfixing_count = 12\n" + vanilla);
  CHECK(asian.control == Control::asian_geometric);
  CHECK(asian.control_expectation == doctest::Approx(5.94020022163));
  const TradeSetup geometric =
      trade_setup("product = \"asian\"\naverage = \"geometric\"\nfixing_count = 12\n" + vanilla);
  CHECK(geometric.control == Control::vanilla);
  // The fixing nearest to two thirds of the period from the first fixing, 1 / 12, to the last, 1.
  CHECK(geometric.control_record == geometric.records[7]);
  CHECK(geometric.control_strike < 103);
  // The average of a single fixing equals its geometric average.
  CHECK(trade_setup("product = \"asian\"\nfixing_count = 1\n" + vanilla).control == Control::spot);
  // A call with the strike 0 is the spot itself.
  CHECK(trade_setup("product = \"european\"\nasset = \"A\"\ntype = \"call\"\nstrike = 0.0\n"
                    "maturity = 1.0\n")
            .control == Control::none);
  // A knock-in that is touched today is a European option, whose control is the spot.
  CHECK(trade_setup("product = \"barrier\"\nkind = \"up_and_in\"\nbarrier = 90.0\n" + vanilla)
            .control == Control::spot);
  const TradeSetup basket = trade_setup(
      "product = \"basket\"\nassets = [\"A\", \"B\"]\n"
      "weights = [0.5, 0.5]\ntype = \"call\"\nstrike = 95.0\n"
      "maturity = 1.0\n");
  CHECK(basket.control == Control::basket_geometric);
  CHECK(basket.control_expectation > 0);
  CHECK(set_up_text("[pricing]\ncontrol_variates = \"none\"\n" + two_assets +
                    "[[trades]]\n"
                    "id = \"T\"\nproduct = \"european\"\n" +
                    vanilla)
            .simulation.trades[0]
            .control == Control::none);
}

TEST_CASE("an average-strike control is the exchange of the spot for the geometric average") {
  const TradeSetup p = trade_setup(
      "product = \"asian\"\naverage_of = \"strike\"\nasset = \"A\"\n"
      "type = \"call\"\nfixings = [0.5, 1.0]\nmaturity = 1.0\n");
  CHECK(p.control == Control::asian_geometric);
  // S_1 - sqrt(S_.5 S_1) = S_.5 (X - sqrt X) with X = S_1 / S_.5, which is independent of S_.5: the
  // expectation of the positive part of X - sqrt X is integrated numerically.
  double sum = 0;
  constexpr int n = 100000;
  for (int i = 0; i < n; ++i) {
    const double z = -10 + (i + 0.5) * 20 / n;
    const double x = std::exp(0.05 * 0.5 - 0.01 + std::sqrt(0.02) * z);
    sum += std::exp(-0.5 * z * z) * std::fmax(x - std::sqrt(x), 0);
  }
  const double quadrature =
      std::exp(-0.05) * 100 * std::exp(0.025) * sum * 20 / n / std::sqrt(2 * M_PI);
  CHECK(p.control_expectation == doctest::Approx(quadrature).epsilon(1e-8));
}

TEST_CASE("steps of correlated assets end at the knots of their volatilities") {
  const std::string market = R"(
[market]
rate = 0.0
[market.assets.A]
spot = 1.0
volatility = { times = [0.5, 1.0], values = [0.4, 0.1], kind = "forward" }
[market.assets.B]
spot = 1.0
volatility = { times = [0.5, 1.0], values = [0.1, 0.4], kind = "forward" }
[market.correlation]
assets = ["A", "B"]
matrix = [[1.0, 0.5], [0.5, 1.0]]
[[trades]]
id = "T"
product = "exchange"
assets = ["A", "B"]
maturity = 1.0
)";
  // Within each of the two steps both volatilities are constant, so that the covariance is exact.
  CHECK(set_up_text(market).simulation.grid.times == std::vector<double>{0.5, 1.0});
}

TEST_CASE("dates that many trades share are recorded once") {
  PricingConfig one_trade = read(two_assets +
                                 "[[trades]]\nid = \"T\"\nproduct = \"asian\"\nasset = \"A\"\n"
                                 "type = \"call\"\nstrike = 100.0\nmaturity = 2.0\n"
                                 "fixing_count = 500\n");
  const std::vector<double> dates = record_dates(one_trade);
  CHECK(dates.size() == 500);
  PricingConfig many_trades = one_trade;  // 10^6 dates in all
  for (int i = 0; i < 2000; ++i) many_trades.trades.push_back(one_trade.trades.front());
  CHECK(record_dates(many_trades) == dates);
  // Its dates are one that no other trade has and one that nearly equals a date of the others.
  TradeConfig last = one_trade.trades.front();
  last.fixings = {0.001, 1 + 1e-9};
  last.maturity = 1 + 1e-9;
  many_trades.trades.push_back(last);
  CHECK(record_dates(many_trades).size() == dates.size() + 1);
}
