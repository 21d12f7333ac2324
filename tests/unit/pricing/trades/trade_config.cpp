#include "src/modules/pricing/trades/trade_config.hpp"

#include <fstream>

#include <doctest/doctest.h>

#include "support/scratch_folder.hpp"
#include "tests/unit/pricing/fixtures.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

std::string trade(const std::string& keys) {
  return two_assets + "[[trades]]\nid = \"T\"\nmaturity = 1.0\n" + keys;
}

const std::string every_product = R"(
[[trades]]
id = "european"
product = "european"
asset = "A"
type = "call"
strike = 100.0
maturity = 1.0
quantity = -3.0
[[trades]]
id = "digital"
product = "digital"
asset = "A"
type = "put"
strike = 100.0
pays = "asset"
maturity = 1.0
[[trades]]
id = "forward_start"
product = "forward_start"
asset = "A"
type = "call"
moneyness = 1.1
start = 0.25
maturity = 1.0
[[trades]]
id = "cliquet"
product = "cliquet"
asset = "A"
type = "call"
fixing_count = 4
local_cap = 0.05
maturity = 1.0
[[trades]]
id = "asian"
product = "asian"
asset = "A"
type = "call"
strike = 100.0
past_fixings = [99.0, 101.0]
fixings = [0.25, 0.5]
maturity = 1.0
[[trades]]
id = "average strike"
product = "asian"
asset = "A"
type = "put"
average = "geometric"
average_of = "strike"
fixing_count = 3
maturity = 1.5
[[trades]]
id = "barrier"
product = "barrier"
asset = "A"
type = "put"
kind = "up_and_in"
barrier = 120.0
strike = 100.0
monitoring = "discrete"
fixing_count = 12
maturity = 1.0
[[trades]]
id = "continuous"
product = "barrier"
asset = "A"
type = "call"
kind = "down_and_out"
barrier = 80.0
strike = 100.0
rebate = 2.0
rebate_paid = "at_hit"
maturity = 1.0
[[trades]]
id = "lookback"
product = "lookback"
asset = "A"
type = "call"
kind = "floating"
maturity = 1.0
[[trades]]
id = "fixed"
product = "lookback"
asset = "A"
type = "call"
kind = "fixed"
strike = 100.0
past_extreme = 107.0
maturity = 1.0
[[trades]]
id = "basket"
product = "basket"
assets = ["A", "B"]
weights = [0.25, 0.75]
type = "call"
strike = 95.0
maturity = 1.0
[[trades]]
id = "best"
product = "best_of"
assets = ["A", "B"]
type = "call"
strike = 95.0
maturity = 1.0
[[trades]]
id = "spread"
product = "spread"
assets = ["A", "B"]
type = "put"
strike = 5.0
maturity = 1.0
[[trades]]
id = "exchange"
product = "exchange"
assets = ["B", "A"]
maturity = 1.0
[[trades]]
id = "variance"
product = "variance_swap"
asset = "A"
strike = 0.04
fixing_count = 252
maturity = 1.0
)";

const std::string every_product_csv =
    "id,product,asset,assets,weights,type,strike,maturity,quantity,pays,moneyness,start,fixings,"
    "fixing_count,local_cap,past_fixings,average,average_of,kind,barrier,monitoring,rebate,"
    "rebate_paid,past_extreme\n"
    "european,european,A,,,call,100.0,1.0,-3.0,,,,,,,,,,,,,,,\n"
    "digital,digital,A,,,put,100.0,1.0,,asset,,,,,,,,,,,,,,\n"
    "forward_start,forward_start,A,,,call,,1.0,,,1.1,0.25,,,,,,,,,,,,\n"
    "cliquet,cliquet,A,,,call,,1.0,,,,,,4,0.05,,,,,,,,,\n"
    "asian,asian,A,,,call,100.0,1.0,,,,,0.25 0.5,,,99.0 101.0,,,,,,,,\n"
    "average strike,asian,A,,,put,,1.5,,,,,,3,,,geometric,strike,,,,,,\n"
    "barrier,barrier,A,,,put,100.0,1.0,,,,,,12,,,,,up_and_in,120.0,discrete,,,\n"
    "continuous,barrier,A,,,call,100.0,1.0,,,,,,,,,,,down_and_out,80.0,,2.0,at_hit,\n"
    "lookback,lookback,A,,,call,,1.0,,,,,,,,,,,floating,,,,,\n"
    "fixed,lookback,A,,,call,100.0,1.0,,,,,,,,,,,fixed,,,,,107.0\n"
    "basket,basket,,A B,0.25;0.75,call,95.0,1.0,,,,,,,,,,,,,,,,\n"
    "best,best_of,,A B,,call,95.0,1.0,,,,,,,,,,,,,,,,\n"
    "spread,spread,,A B,,put,5.0,1.0,,,,,,,,,,,,,,,,\n"
    "exchange,exchange,,B A,,,,1.0,,,,,,,,,,,,,,,,\n"
    "variance,variance_swap,A,,,,0.04,1.0,,,,,,252,,,,,,,,,,\n";

void check_same(const TradeConfig& a, const TradeConfig& b) {
  CAPTURE(a.id);
  CHECK(a.id == b.id);
  CHECK(a.payoff == b.payoff);
  CHECK(a.quantity == b.quantity);
  CHECK(a.assets == b.assets);
  CHECK(a.weights == b.weights);
  CHECK(a.call == b.call);
  CHECK(a.strike == b.strike);
  CHECK(a.maturity == b.maturity);
  CHECK(a.fixings == b.fixings);
  CHECK(a.past_fixings == b.past_fixings);
  CHECK(a.pays_asset == b.pays_asset);
  CHECK(a.start == b.start);
  CHECK(a.geometric == b.geometric);
  CHECK(a.average_strike == b.average_strike);
  CHECK(a.floating == b.floating);
  CHECK(a.continuous == b.continuous);
  CHECK(a.barrier == b.barrier);
  CHECK(a.rebate == b.rebate);
  CHECK(a.up == b.up);
  CHECK(a.knock_in == b.knock_in);
  CHECK(a.rebate_at_hit == b.rebate_at_hit);
  CHECK(a.past_extreme == b.past_extreme);
  CHECK(a.local_cap == b.local_cap);
  CHECK(a.global_floor == b.global_floor);
}

}  // namespace

TEST_CASE("every product is read and has a description") {
  const PricingConfig config = read(two_assets + every_product);
  REQUIRE(config.trades.size() == 15);
  CHECK(config.trades[0].product_name() == "European call");
  CHECK(config.trades[3].fixings == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
  CHECK(config.trades[5].product_name() == "Asian put, geometric strike");
  CHECK(config.trades[5].fixings == std::vector<double>{0.5, 1, 1.5});
  CHECK(config.trades[6].product_name() == "up-and-in put, discrete");
  CHECK(config.trades[10].weights == std::vector<double>{0.25, 0.75});
  CHECK(config.trades[11].weights == std::vector<double>{1, 1});
  CHECK(config.trades[12].weights == std::vector<double>{1, -1});
  CHECK(config.trades[14].fixings.size() == 253);
}

TEST_CASE("a CSV file and tables give the same trades") {
  const gsim::test::ScratchFolder folder;
  const std::string path = folder / "every_product.csv";
  std::ofstream(path) << every_product_csv;
  const PricingConfig tables = read(two_assets + every_product);
  const PricingConfig rows = read("trades_file = \"" + path + "\"\n" + two_assets);
  REQUIRE(rows.trades.size() == tables.trades.size());
  for (std::size_t i = 0; i < rows.trades.size(); ++i) check_same(tables.trades[i], rows.trades[i]);
}

TEST_CASE("the resolved configuration gives the same trades") {
  ConfigFile file = ConfigFile::parse(two_assets + every_product, "test.toml");
  PricingConfig config;
  file.read([&](Section& top) {
    describe_pricing(top, config, builtin_payoffs(), builtin_path_models());
  });
  const PricingConfig resolved = read(file.resolved());
  REQUIRE(resolved.trades.size() == config.trades.size());
  for (std::size_t i = 0; i < resolved.trades.size(); ++i)
    check_same(config.trades[i], resolved.trades[i]);
}

TEST_CASE("errors of invalid trades are reported at the key") {
  const std::string european = "product = \"european\"\ntype = \"call\"\nstrike = 100.0\n";
  CHECK(error_of(trade(european + "asset = \"A\"\n")) == "");
  CHECK(contains(error_of(trade(european + "asset = \"AA\"\n")), "did you mean `A`?"));
  CHECK(contains(error_of(trade(european + "asset = \"A\"\nbarier = 3\n")), "barier"));
  CHECK(contains(error_of(trade("product = \"american\"\n")), "american"));
  CHECK(contains(error_of(two_assets), "no trades"));
  CHECK(contains(error_of(trade("product = \"european\"\nasset = \"A\"\ntype = \"call\"\n"
                                "strike = -1.0\n")),
                 "strike"));
  const std::string asian = "product = \"asian\"\nasset = \"A\"\ntype = \"call\"\nstrike = 100.0\n";
  CHECK(contains(error_of(trade(asian)), "either `fixings` or `fixing_count`"));
  CHECK(contains(error_of(trade(asian + "fixings = [0.5]\nfixing_count = 3\n")),
                 "either `fixings` or `fixing_count`"));
  CHECK(contains(error_of(trade(asian + "fixings = [0.5, 0.4]\n")), "rising"));
  CHECK(contains(error_of(trade(asian + "fixings = [0.5, 1.4]\n")),
                 "the last date 1.4 is after the maturity 1"));
  const std::string barrier =
      "product = \"barrier\"\nasset = \"A\"\ntype = \"call\"\n"
      "strike = 100.0\nbarrier = 90.0\n";
  CHECK(contains(error_of(trade(barrier + "kind = \"down_and_in\"\nrebate_paid = \"at_hit\"\n")),
                 "known at expiry only"));
  CHECK(contains(error_of(trade(barrier + "kind = \"down_and_out\"\nmonitoring = \"discrete\"\n"
                                          "fixings = [0.5]\n")),
                 "must be the maturity"));
}

TEST_CASE("trades on two assets need their correlation") {
  const std::string market =
      "[market]\nrate = 0.0\n[market.assets.A]\nspot = 1.0\n"
      "volatility = 0.2\n[market.assets.B]\nspot = 1.0\nvolatility = 0.2\n";
  const std::string spread =
      "[[trades]]\nid = \"S\"\nproduct = \"exchange\"\n"
      "assets = [\"A\", \"B\"]\nmaturity = 1.0\n";
  CHECK(contains(error_of(market + spread), "no correlation of A and B is given"));
  CHECK(contains(error_of(trade("product = \"exchange\"\nassets = [\"A\", \"A\"]\n")), "twice"));
  CHECK(contains(error_of(trade("product = \"exchange\"\nassets = [\"A\"]\n")), "assets"));
}

TEST_CASE("trade ids must be unique") {
  const std::string duplicate = trade(
      "product = \"exchange\"\nassets = [\"A\", \"B\"]\n"
      "[[trades]]\nid = \"T\"\nmaturity = 1.0\n"
      "product = \"exchange\"\nassets = [\"B\", \"A\"]\n");
  CHECK(contains(error_of(duplicate), "trade id `T` is already used at test.toml:"));
}

TEST_CASE(
    "on_error = skip: an invalid row is listed with its line, and the other trades are kept") {
  const gsim::test::ScratchFolder folder;
  const std::string path = folder / "skip.csv";
  std::ofstream(path) << "id,product,asset,type,strike,maturity\n"
                         "good,european,A,call,100,1\n"
                         "typo,european,AX,call,100,1\n"
                         "number,european,A,call,abc,1\n"
                         "past,european,A,call,100,-1\n"
                         "good,european,B,put,100,1\n"
                         "fine,european,B,put,100,1\n";
  const std::string head = "trades_file = \"" + path + "\"\n";
  const PricingConfig config = read(head + "[pricing]\non_error = \"skip\"\n" + two_assets);
  REQUIRE(config.trades.size() == 2);
  CHECK(config.trades[1].id == "fine");
  REQUIRE(config.skipped.size() == 4);
  CHECK(config.skipped[0].id == "typo");
  CHECK(contains(config.skipped[0].reason, "skip.csv:3:"));
  CHECK(contains(config.skipped[0].reason, "no asset `AX`"));
  CHECK(contains(config.skipped[1].reason, "skip.csv:4:"));
  CHECK(contains(config.skipped[1].reason, "strike"));
  CHECK(contains(config.skipped[2].reason, "maturity"));
  CHECK(contains(config.skipped[3].reason, "already used"));
  CHECK(contains(error_of(head + two_assets), "skip.csv:3:"));
}

TEST_CASE("the schema contains the keys of all products and models") {
  PricingConfig config;
  const std::string text = schema_text([&](Section& top) {
    describe_pricing(top, config, builtin_payoffs(), builtin_path_models());
  });
  for (const char* key : {"local_volatility", "jump_intensity", "past_fixings", "rebate_paid",
                          "observations_per_year", "replicates", "trades_file", "global_cap"})
    CHECK(contains(text, key));
}
