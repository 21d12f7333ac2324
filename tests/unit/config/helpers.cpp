#include "helpers.hpp"

#include <doctest/doctest.h>

namespace config_test {

void describe_asset(Section& s, Asset& asset) {
  s.required("spot", asset.spot,
             {.doc = "price today", .unit = "currency", .minimum = 0, .exclusive_minimum = true});
  asset.model = s.alternatives(
      "model",
      {{"black_scholes", "constant volatility",
        [&](Section& b) {
          b.required("volatility", asset.volatility,
                     {.doc = "volatility", .unit = "1/sqrt(year)", .minimum = 0, .maximum = 10});
        }},
       {"heston", "Heston 1993",
        [&](Section& h) {
          h.required("kappa", asset.kappa,
                     {.doc = "speed of mean reversion",
                      .unit = "1/year",
                      .minimum = 0,
                      .exclusive_minimum = true});
          h.optional("rho", asset.rho,
                     {.doc = "correlation of spot and variance", .minimum = -1, .maximum = 1});
        }}},
      0, {.doc = "model of the spot price"});
  asset.has_curve = s.number_or_table(
      "rate", asset.rate, {.doc = "interest rate", .unit = "1/year"},
      [&](Section& curve) {
        curve.required("times", asset.curve.times, {.doc = "times", .unit = "year", .min_size = 1});
        curve.required("values", asset.curve.values, {.doc = "rates", .unit = "1/year"});
      },
      false);
}

void describe_trade(Section& s, Trade& trade) {
  s.required("id", trade.id, {.doc = "name of the trade"});
  s.optional("type", trade.side, sides, {.doc = "call or put"});
  s.required("strike", trade.strike, {.doc = "strike price", .unit = "currency", .minimum = 0});
  s.optional("count", trade.count, {.doc = "quantity", .minimum = 1, .maximum = 1000});
  s.optional("active", trade.active, {.doc = "whether the trade is priced"});
  s.required("assets", trade.assets, {.doc = "names of assets", .min_size = 1, .max_size = 3});
  s.optional("weights", trade.weights, {.doc = "weight of each asset", .min_size = 1});
  s.optional("rebate", trade.rebate, {.doc = "amount paid at a knock-out; none if absent"});
}

void describe(Section& top, Setup& setup) {
  top.required("module", setup.module, {.doc = "name of the module"});
  top.optional("seed", setup.seed, {.doc = "seed of the random numbers", .minimum = 0});
  top.required_table(
      "market",
      [&](Section& market) {
        setup.assets.clear();
        market.named_tables(
            "assets",
            [&](Section& s, const std::string& name) {
              setup.assets.push_back({.name = name});
              describe_asset(s, setup.assets.back());
            },
            "one table for each asset");
        market.optional("correlation", setup.correlation,
                        {.doc = "correlation of the assets", .minimum = -1, .maximum = 1});
      },
      "market data");
  top.tables<Trade>("trades", setup.trades, describe_trade, "one table for each trade");
  top.optional("steps", setup.steps, {.doc = "numbers of steps", .minimum = 1});
  setup.has_stop = top.optional_table(
      "stop",
      [&](Section& stop) {
        stop.optional("maximum", setup.maximum,
                      {.doc = "largest error", .minimum = 0, .allow_infinity = true});
        stop.optional_duration("interval", setup.interval,
                               {.doc = "time between checks", .minimum = 0});
      },
      "stop rule");
}

Setup read(const std::string& text, const std::vector<std::string>& overrides) {
  gsim::ConfigFile file = gsim::ConfigFile::parse(text, "bad.toml");
  for (const std::string& assignment : overrides) file.set(assignment);
  Setup setup;
  file.read([&](Section& top) { describe(top, setup); });
  return setup;
}

std::string error_message(const std::string& text, const std::vector<std::string>& overrides) {
  return error_message_of([&] { read(text, overrides); });
}

void check_messages(const std::vector<InvalidText>& cases,
                    std::string (*message_for)(const std::string& text)) {
  for (const InvalidText& invalid : cases) {
    INFO(invalid.about);
    CHECK(message_for(invalid.text) == invalid.message);
  }
}

void check_edits(const std::vector<Edit>& edits) {
  for (const Edit& edit : edits) {
    INFO(edit.about);
    std::string text = valid_text;
    REQUIRE(text.find(edit.before) != std::string::npos);
    text.replace(text.find(edit.before), edit.before.size(), edit.after);
    CHECK(error_message(text) == edit.message);
  }
}

const std::string valid_text = R"(module = "pricing"

[market.assets.SPX]
spot = 100
volatility = 0.2

[[trades]]
id = "one"
strike = 110.5
assets = ["SPX"]
)";

}  // namespace config_test
