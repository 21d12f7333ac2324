// Invalid market and trade data, one error at a time, over all products and models: the message
// contains file, line, trade and key and is the same for TOML and CSV; with on_error = "skip" the
// valid trades are priced.

#include "tests/unit/pricing/trades/bad_input.hpp"

#include <algorithm>
#include <map>

#include <doctest/doctest.h>

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

using Keys = std::map<std::string, std::string>;

// A valid trade of every product, with keys as TOML values.
Keys valid_keys(const std::string& product) {
  static const Keys call{{"type", "\"call\""}, {"strike", "100.0"}, {"maturity", "1.0"}};
  Keys on_one_asset = call, on_two_assets = call;
  on_one_asset["asset"] = "\"A\"";
  on_two_assets["assets"] = "[\"A\", \"B\"]";
  static const std::map<std::string, Keys> products = {
      {"european", on_one_asset},
      {"digital", on_one_asset},
      {"forward_start",
       {{"asset", "\"A\""}, {"type", "\"put\""}, {"start", "0.5"}, {"maturity", "1.0"}}},
      {"cliquet",
       {{"asset", "\"A\""}, {"type", "\"call\""}, {"maturity", "1.0"}, {"fixing_count", "4"}}},
      {"asian",
       [&] {
         Keys k = on_one_asset;
         k["fixing_count"] = "4";
         return k;
       }()},
      {"barrier",
       [&] {
         Keys k = on_one_asset;
         k["kind"] = "\"up_and_out\"";
         k["barrier"] = "120.0";
         return k;
       }()},
      {"lookback",
       [&] {
         Keys k = on_one_asset;
         k["kind"] = "\"fixed\"";
         return k;
       }()},
      {"basket", on_two_assets},
      {"best_of", on_two_assets},
      {"worst_of", on_two_assets},
      {"spread", on_two_assets},
      {"exchange", {{"assets", "[\"A\", \"B\"]"}, {"maturity", "1.0"}}},
      {"variance_swap",
       {{"asset", "\"A\""}, {"strike", "0.04"}, {"maturity", "1.0"}, {"fixing_count", "4"}}}};
  Keys keys = products.at(product);
  keys["product"] = "\"" + product + "\"";
  return keys;
}

std::string as_toml(const std::string& id, const Keys& keys) {
  std::string text = "[[trades]]\nid = \"" + id + "\"\n";
  for (const auto& [key, value] : keys) text += key + " = " + value + "\n";
  return text;
}

// TOML values as CSV cells: without quotes, lists separated by semicolons.
std::string as_cell(std::string value) {
  std::erase_if(value, [](char c) { return c == '"' || c == '[' || c == ']' || c == ' '; });
  std::replace(value.begin(), value.end(), ',', ';');
  return value;
}

std::string as_csv(const std::string& id, const Keys& keys) {
  std::string header = "id", row = id;
  for (const auto& [key, value] : keys) {
    header += "," + key;
    row += "," + as_cell(value);
  }
  return header + "\n" + row + "\n";
}

// An error: a product, a key, its value ("" omits the key), and the expected parts of the message.
struct Fault {
  const char* product;
  const char* key;
  const char* value;
  std::vector<const char*> expected;
};

const std::vector<Fault> faults = {
    {"european", "asset", "\"Z\"", {"no asset `Z`"}},
    {"european", "asset", "", {"`asset`", "it is required"}},
    {"european", "type", "\"cal\"", {"`type`", "did you mean \"call\"?"}},
    {"european", "strike", "-1.0", {"strike", "at least 0"}},
    {"european", "strike", "nan", {"`strike` must be a finite number, not nan"}},
    {"european", "strike", "inf", {"`strike` must be a finite number, not inf"}},
    {"european", "strike", "\"x\"", {"strike", "number"}},
    {"european", "maturity", "0.0", {"maturity", "greater than 0"}},
    {"european", "maturity", "-0.5", {"maturity", "greater than 0"}},
    {"european", "maturity", "201.0", {"maturity", "at most 200"}},
    {"european", "maturity", "1e-8", {"maturity", "is today"}},
    {"european", "maturity", "", {"maturity"}},
    {"european", "payment_lag", "-0.1", {"payment_lag"}},
    {"european", "quantity", "nan", {"quantity"}},
    {"european", "product", "\"europan\"", {"`product`", "did you mean \"european\"?"}},
    {"digital", "cash", "inf", {"cash"}},
    {"digital", "pays", "\"stock\"", {"pays"}},
    {"forward_start", "start", "1.0", {"the start 1 is not before the maturity 1"}},
    {"forward_start", "start", "-0.1", {"start"}},
    {"forward_start", "moneyness", "-1.0", {"moneyness"}},
    {"cliquet", "local_floor", "nan", {"local_floor"}},
    {"cliquet", "local_cap", "-0.1", {"local_floor 0 is above local_cap -0.1"}},
    {"cliquet", "fixing_count", "0", {"fixings"}},
    {"cliquet", "fixing_end", "1.5", {"the last date 1.5 is after the maturity 1"}},
    {"asian", "fixing_count", "-3", {"fixing_count"}},
    {"asian", "fixing_count", "2.5", {"`fixing_count` must be an integer"}},
    {"asian", "fixing_start", "1.0", {"the schedule must end after its start"}},
    {"asian", "fixing_count", "", {"either `fixings` or `fixing_count`"}},
    {"asian", "past_fixings", "[100.0, -1.0]", {"past_fixings"}},
    {"asian", "average", "\"harmonic\"", {"average"}},
    {"asian", "fixings", "[0.5, 1.0]", {"either `fixings` or `fixing_count`"}},
    {"barrier", "barrier", "0.0", {"barrier"}},
    {"barrier", "barrier", "", {"barrier"}},
    {"barrier", "kind", "\"up_out\"", {"`kind`", "\"up_and_out\""}},
    {"barrier", "rebate", "nan", {"rebate"}},
    {"lookback", "past_extreme", "-5.0", {"past_extreme"}},
    {"lookback", "kind", "", {"kind"}},
    {"basket", "assets", "[\"A\"]", {"assets"}},
    {"basket", "assets", "[\"A\", \"A\"]", {"asset `A` is named twice"}},
    {"basket", "assets", "[\"A\", \"C\"]", {"no correlation of A and C"}},
    {"basket", "weights", "[0.5]", {"1 weights for 2 assets"}},
    {"basket", "weights", "[0.5, nan]", {"weights"}},
    {"best_of", "weights", "[1.0, -1.0]", {"weights must be positive"}},
    {"worst_of", "weights", "[1.0, 0.0]", {"weights must be positive"}},
    {"spread", "assets", "[\"A\", \"B\", \"C\"]", {"assets"}},
    {"exchange", "assets", "[\"A\", \"Y\"]", {"no asset `Y`"}},
    {"variance_swap", "observations_per_year", "-1.0", {"observations_per_year"}},
    {"variance_swap", "strike", "-0.04", {"strike"}},
};

}  // namespace

TEST_CASE("the trades with valid keys are accepted") {
  for (const char* product :
       {"european", "digital", "forward_start", "cliquet", "asian", "barrier", "lookback", "basket",
        "best_of", "worst_of", "spread", "exchange", "variance_swap"}) {
    CAPTURE(product);
    CHECK(error_of(three_assets + as_toml("T", valid_keys(product))) == "");
    const TemporaryFile rows(as_csv("T", valid_keys(product)));
    CHECK(error_of(rows.key() + three_assets) == "");
  }
}

TEST_CASE(
    "an invalid trade: the error names file, line, trade and key in TOML and CSV; on_error = skip "
    "leaves it out") {
  for (const Fault& f : faults) {
    CAPTURE(f.product);
    CAPTURE(f.key);
    CAPTURE(f.value);
    Keys keys = valid_keys(f.product);
    keys[f.key] = f.value;
    if (*f.value == '\0') keys.erase(f.key);
    const std::string bad = as_toml("BAD", keys), good = as_toml("GOOD", valid_keys("european"));
    const std::string in_toml = error_of(three_assets + good + bad);
    check_contains(in_toml, f.expected);
    check_contains(in_toml, {"test.toml:", "in trade `BAD`"});

    const TemporaryFile rows(as_csv("BAD", keys));
    const std::string in_csv = error_of(rows.key() + three_assets);
    check_contains(in_csv, f.expected);
    check_contains(in_csv, {(rows.path + ":2:").c_str(), "in trade `BAD`"});

    for (const std::string& text : {skip_errors + three_assets + good + bad,
                                    rows.key() + skip_errors + three_assets + good}) {
      const PricingConfig config = read(text);
      REQUIRE(config.trades.size() == 1);
      CHECK(config.trades[0].id == "GOOD");
      REQUIRE(config.skipped.size() == 1);
      CHECK(config.skipped[0].id == "BAD");
      check_contains(config.skipped[0].reason, f.expected);
    }
  }
}

TEST_CASE("an invalid asset: the error names the key; on_error = skip leaves out its trades") {
  const std::string heston =
      "model = \"heston\"\nv0 = 0.04\nkappa = 2.0\ntheta = 0.04\nsigma = 0.5\nrho = -0.5\n";
  const std::string jumps = "jump_intensity = 1.0\njump_mean = -0.1\njump_sd = 0.1\n";
  const std::string merton = "model = \"merton\"\nvolatility = 0.2\n" + jumps;
  const std::string bates = "model = \"bates\"\n" + heston.substr(heston.find("v0")) + jumps;
  const std::string local =
      "model = \"local_volatility\"\nlocal_times = [1.0]\nlocal_spots = [50.0, 150.0]\n"
      "local_volatility = [[0.2, 0.2]]\n";
  const std::string flat = "volatility = 0.2\n";
  struct AssetFault {
    std::string keys;
    const char* from;
    const char* to;
    std::vector<const char*> expected;
  };
  const std::vector<AssetFault> asset_faults = {
      {flat, "0.2", "-0.2", {"`volatility` must be at least 0", "not -0.2"}},
      {flat, "0.2", "nan", {"volatility", "nan"}},
      {flat, "0.2", "11.0", {"at most 10"}},
      {flat, "volatility = 0.2", "", {"volatility", "required"}},
      {flat,
       "0.2",
       "{ times = [1.0, 0.5], values = [0.2, 0.2] }",
       {"times must be positive and rising"}},
      {flat, "0.2", "{ times = [0.5, 1.0], values = [0.4, 0.2] }", {"total variance falls"}},
      {flat, "0.2", "{ times = [0.5], values = [0.4, 0.2] }", {"2 values for 1 times"}},
      {flat, "volatility", "dividend = inf\nvolatility", {"dividend", "inf"}},
      {flat, "volatility = 0.2", "model = \"hestn\"", {"model", "heston"}},
      {heston, "0.04", "-0.04", {"v0", "at least 0"}},
      {heston, "kappa = 2.0", "kappa = 0.0", {"kappa", "greater than 0"}},
      {heston, "kappa = 2.0\n", "", {"kappa", "required"}},
      {heston, "sigma = 0.5", "sigma = 0.0", {"sigma", "greater than 0"}},
      {heston, "rho = -0.5", "rho = -1.5", {"rho", "at least -1"}},
      {heston, "rho = -0.5", "rho = nan", {"rho", "nan"}},
      {merton, "jump_intensity = 1.0", "jump_intensity = -1.0", {"jump_intensity"}},
      {merton, "jump_sd = 0.1", "jump_sd = inf", {"jump_sd", "inf"}},
      {bates, "jump_mean = -0.1\n", "", {"jump_mean", "required"}},
      {bates, "theta = 0.04", "theta = -0.04", {"theta"}},
      {local, "[[0.2, 0.2]]", "[[0.2, -0.2]]", {"local_volatility", "-0.2"}},
      {local, "[[0.2, 0.2]]", "[[0.2]]", {"row 1 has 1 volatilities for 2 spots"}},
      {local, "[[0.2, 0.2]]", "[[0.2, nan]]", {"local_volatility", "nan"}},
      {local, "[50.0, 150.0]", "[150.0, 50.0]", {"spots must be rising"}},
      {local, "local_spots = [50.0, 150.0]\n", "", {"spots"}},
      {local,
       "local_times = [1.0]\nlocal_spots = [50.0, 150.0]\nlocal_volatility = [[0.2, 0.2]]",
       "local_file = \"nowhere.csv\"",
       {"nowhere.csv"}},
  };
  const std::string market =
      "[market]\nrate = 0.05\n[market.assets.GOOD]\nspot = 100.0\nvolatility = 0.2\n"
      "[market.assets.A]\nspot = 100.0\n";
  Keys valid_trade = valid_keys("european");
  valid_trade["asset"] = "\"GOOD\"";
  const std::string trades =
      as_toml("ON_A", valid_keys("european")) + as_toml("OTHER", valid_trade);
  for (const AssetFault& f : asset_faults) {
    std::string keys = f.keys;
    CAPTURE(f.to);
    REQUIRE(contains(keys, f.from));
    keys.replace(keys.find(f.from), std::string(f.from).size(), f.to);
    const std::string message = error_of(market + keys + trades);
    check_contains(message, f.expected);
    CHECK(contains(message, "test.toml:"));
    const PricingConfig config = read(skip_errors + market + keys + trades);
    REQUIRE(config.trades.size() == 1);
    CHECK(config.trades[0].id == "OTHER");
    REQUIRE(config.skipped.size() == 1);
    CHECK(config.skipped[0].id == "ON_A");
    check_contains(config.skipped[0].reason, f.expected);
    check_contains(config.skipped[0].reason, {"asset `A` cannot be used", "in trade `ON_A`"});
  }
  for (const char* spot : {"0.0", "-5.0", "nan", "inf"}) {
    CAPTURE(spot);
    const std::string message = error_of(
        "[market]\nrate = 0.05\n[market.assets.A]\nvolatility = 0.2\nspot = " + std::string(spot) +
        "\n" + as_toml("T", valid_keys("european")));
    check_contains(message, {"test.toml:", "`spot` must be"});
  }
}

TEST_CASE("a trade is rejected if a spot may leave the floating-point range before its maturity") {
  Keys keys = valid_keys("european");
  keys["maturity"] = "150.0";
  const std::string high_volatility =
      "[market]\nrate = 0.05\n[market.assets.A]\nspot = 100.0\nvolatility = 3.0\n";
  check_contains(error_of(high_volatility + as_toml("LONG", keys)),
                 {"test.toml:6:", "in 150 years the spot of `A` may move", "in trade `LONG`"});
  CHECK(error_of(high_volatility + as_toml("SHORT", valid_keys("european"))) == "");
  keys["maturity"] = "5.0";
  CHECK(error_of(high_volatility + as_toml("DOUBLE", keys)) == "");
  check_contains(
      error_of("[pricing]\nprecision = \"float\"\n" + high_volatility + as_toml("FLOAT", keys)),
      {"exceeds the range of float numbers", "in trade `FLOAT`"});
}

TEST_CASE("schedules given by fixing_count end at the maturity in spite of rounding") {
  for (const char* maturity : {"0.003", "0.011", "0.022", "0.7", "1.1", "2.3", "0.0833333"})
    for (const char* count : {"1", "3", "6", "7", "12", "63", "252"})
      for (const char* product : {"asian", "cliquet", "variance_swap"}) {
        Keys keys = valid_keys(product);
        keys["maturity"] = maturity;
        keys["fixing_count"] = count;
        if (std::string(product) == "asian") {
          keys["average_of"] = "\"strike\"";
          keys.erase("strike");
        }
        CAPTURE(maturity);
        CAPTURE(count);
        CHECK(error_of(three_assets + as_toml("T", keys)) == "");
      }
}

TEST_CASE("an empty portfolio, an empty file and a portfolio of skipped trades alone are errors") {
  check_contains(error_of(three_assets), {"no trades", "add [[trades]]"});
  const TemporaryFile header("id,product,asset,type,strike,maturity\n");
  check_contains(error_of(header.key() + three_assets), {"no trades"});
  std::string six_trades;
  for (int i = 0; i < 6; ++i) {
    Keys keys = valid_keys("european");
    keys["strike"] = "-1.0";
    six_trades += as_toml("T" + std::to_string(i), keys);
  }
  check_contains(error_of(skip_errors + three_assets + six_trades),
                 {"no trade is left to price: all 6 are skipped", "in trade `T0`", "in trade `T4`",
                  "… and 1 more"});
}
