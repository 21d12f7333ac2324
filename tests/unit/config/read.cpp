#include <cmath>

#include <doctest/doctest.h>

#include "helpers.hpp"

using namespace config_test;

TEST_CASE("a file fills the targets, and what it leaves out keeps its default") {
  const Setup setup = read(good);
  CHECK(setup.module == "pricing");
  CHECK(setup.seed == 1);
  REQUIRE(setup.assets.size() == 1);
  CHECK(setup.assets[0].name == "SPX");
  CHECK(setup.assets[0].spot == 100.0);
  CHECK(setup.assets[0].model == 0);
  CHECK(setup.assets[0].volatility == 0.2);
  REQUIRE(setup.trades.size() == 1);
  CHECK(setup.trades[0].strike == 110.5);
  CHECK(setup.trades[0].assets == std::vector<std::string>{"SPX"});
  CHECK(setup.trades[0].side == Side::call);
  CHECK(std::isnan(setup.trades[0].rebate));
  CHECK_FALSE(setup.has_stop);
}

TEST_CASE("an unknown key is refused at its place with the nearest known key") {
  CHECK(complaint(R"(module = "pricing"
[market.assets.SPX]
  spot = 100
  volatility = 0.2
  spott = 0.2
)") == "bad.toml:5:3: unknown key `spott` in [market.assets.SPX]\n"
       "    5 |   spott = 0.2\n"
       "      |   ^^^^^ did you mean `spot`?");
}

TEST_CASE("a misspelt required key is called unknown, not missing") {
  CHECK(complaint(R"(module = "pricing"
[market.assets.SPX]
  spot = 100
  voltaility = 0.2
)") == "bad.toml:4:3: unknown key `voltaility` in [market.assets.SPX]\n"
       "    4 |   voltaility = 0.2\n"
       "      |   ^^^^^^^^^^ did you mean `volatility`?");
}
