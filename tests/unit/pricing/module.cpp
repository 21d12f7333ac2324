// Sampling of trades by the pricing module, and its output.

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "tests/unit/pricing/closed_forms/reference_values.hpp"
#include "tests/unit/pricing/module_trades.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

TEST_CASE("quantity multiplies price and error") {
  const std::string keys = "product = \"european\"\nasset = \"A\"\n" + call_100;
  const ModuleResult bought =
      run_module_alone({.config = one_asset + trade_table("T", keys), .stop = samples(8192)});
  const ModuleResult sold = run_module_alone(
      {.config = one_asset + trade_table("T", keys + "quantity = -4.0\n"), .stop = samples(8192)});
  CHECK(find(sold, "T").mean == -4 * find(bought, "T").mean);
  CHECK(find(sold, "T").standard_error == 4 * find(bought, "T").standard_error);
}

TEST_CASE("a converged trade stops sampling, and the others continue") {
  StopRule stop = samples(1 << 18);
  stop.relative_error = 2e-3;
  const ModuleResult r = run_module_alone({.config = products_on_one_asset, .stop = stop});
  CHECK(find(r, "asian 12").converged);
  CHECK(find(r, "asian 12").count == 4 * 4096);  // at the first evaluation
  CHECK(find(r, "european").count > find(r, "asian 12").count);
  for (const Estimate& e : r.estimates) {
    CAPTURE(e.name);
    CHECK(e.converged == (e.standard_error <= 2e-3 * std::fabs(e.mean)));
  }
  CHECK(r.report.footer.back().find("10 trades, ") == 0);
}

TEST_CASE("results hold price, error, samples, interval and history of every trade") {
  const ModuleResult r =
      run_module_alone({.config = products_on_one_asset, .stop = samples(1 << 16)});
  run_in_process(1, [&](Communicator comm) {
    MemoryDatasets data(comm, r.results);
    const auto price = data.read<double>("trades/price");
    const auto error = data.read<double>("trades/standard_error");
    const auto low = data.read<double>("trades/ci_low"), high = data.read<double>("trades/ci_high");
    REQUIRE(price.size() == 10);
    CHECK(data.read_strings("trades/id")[3] == "asian 12");
    CHECK(data.read_strings("trades/control")[3] == "geometric average");
    CHECK(data.read_strings("trades/underlying")[3] == "A");
    CHECK(data.read<double>("trades/maturity")[3] == 1);
    CHECK(data.read<double>("trades/strike")[8] == 1.1);  // moneyness of the forward start
    CHECK(data.read<std::int64_t>("trades/samples")[0] == 1 << 16);
    CHECK(low[0] == doctest::Approx(price[0] - 1.959964 * error[0]));
    CHECK(high[0] == doctest::Approx(price[0] + 1.959964 * error[0]));
    // The estimates of ten trades after 4, 6, 8, 12 and 16 blocks.
    const auto history = data.read<std::int64_t>("history/samples");
    REQUIRE(history.size() == 50);
    CHECK(history[0] == 4 * 4096);
    CHECK(history[49] == 16 * 4096);
    const auto errors = data.read<double>("history/standard_error");
    CHECK(errors[40] == error[0]);
    CHECK(errors[0] > errors[40]);
    CHECK(data.read_strings("skipped/id").empty());
  });
  CHECK(r.results.attributes.at({"trades/price", "unit"}) == "currency");
  // The summary ends with the number of dates.
  CHECK(r.plan.summary ==
        "10 trades, 1 asset, " + r.plan.summary.substr(r.plan.summary.size() - 8));
}

TEST_CASE("a skipped trade is listed and does not change the bits of the others") {
  const std::string invalid =
      trade_table("bad", "product = \"european\"\nasset = \"Z\"\n" + call_100);
  const ModuleResult with_skipped = run_module_alone(
      {.config = "[pricing]\non_error = \"skip\"\n" + products_on_one_asset + invalid,
       .stop = samples(4096)});
  const ModuleResult without_skipped =
      run_module_alone({.config = products_on_one_asset, .stop = samples(4096)});
  for (const char* path : {"trades/price", "trades/standard_error", "history/price"})
    CHECK(with_skipped.results.datasets.at(path) == without_skipped.results.datasets.at(path));
  const auto& skipped = with_skipped.results.datasets;
  CHECK(skipped.at("skipped/id").strings == std::vector<std::string>{"bad"});
  CHECK(contains(skipped.at("skipped/reason").strings.at(0), "no asset `Z`"));
  CHECK(contains(with_skipped.report.footer.back(), "1 skipped"));
}

TEST_CASE("the value of a barrier option touched before today is certain and has no error") {
  const std::string config =
      "[market]\nrate = 0.05\n[market.assets.A]\nspot = 100.0\nvolatility = 0.2\n" +
      trade_table("out",
                  "product = \"barrier\"\nkind = \"down_and_out\"\nbarrier = 100.0\nrebate = 3.0\n"
                  "rebate_paid = \"at_hit\"\nasset = \"A\"\n" +
                      call_100);
  StopRule stop = samples(1 << 20);
  stop.relative_error = 1e-3;
  const ModuleResult r = run_module_alone({.config = config, .stop = stop});
  CHECK(find(r, "out").mean == 3);
  CHECK(find(r, "out").standard_error == 0);
  CHECK(find(r, "out").converged);
  CHECK(r.report.rows[0].back() == "certain");
}

TEST_CASE("a rebate paid at the touch is unbiased for intervals of any length") {
  // A put with strike 0 never pays, so that its value is that of the rebate (Reiner and Rubinstein
  // 1991). If a rebate were discounted from the middle of the yearly interval of the touch, the
  // value would be 2 % too low.
  std::string config =
      "[pricing]\nsteps_per_year = 1\n[market]\nrate = 0.1\n[market.assets.A]\nspot = 100.0\n"
      "volatility = 0.2\n";
  FlatMarket flat{100, 0.1, 0, 0.2, 3};
  const double barriers[] = {99, 95, 80, 101, 110, 140};
  for (const double barrier : barriers)
    config += trade_table(
        std::to_string(barrier),
        "product = \"barrier\"\nasset = \"A\"\ntype = \"put\"\nstrike = 0.0\nkind = \"" +
            std::string(barrier > 100 ? "up" : "down") +
            "_and_out\"\nmaturity = 3.0\nrebate = 10.0\nrebate_paid = \"at_hit\"\n"
            "barrier = " +
            std::to_string(barrier) + "\n");
  const ModuleResult r = run_module_alone({.config = config, .stop = samples(1 << 18)});
  for (const double barrier : barriers)
    check_price(r, std::to_string(barrier),
                10 * first_touch(flat, barrier, barrier > 100, flat.rate), 1e-8);
  CHECK(find(r, std::to_string(barriers[0])).standard_error < 0.005);
}

TEST_CASE("a schedule without a fixing after today is rejected") {
  const std::string config =
      "[market]\nrate = 0.05\n[market.assets.A]\nspot = 100.0\nvolatility = 0.2\n" +
      trade_table("late", "product = \"asian\"\nfixings = [0.0]\nasset = \"A\"\n" + call_100);
  CHECK_THROWS_WITH_AS(run_module_alone({.config = config}),
                       doctest::Contains("no date after today"), InputError);
}
