// Tests of the exact text of messages about `--set`, and of its effect.

#include <doctest/doctest.h>

#include "helpers.hpp"

using namespace config_test;

namespace {

struct Assignment {
  std::string text;
  const char* message;
};

}  // namespace

TEST_CASE("an override that cannot be applied is an error with the reason") {
  const std::vector<Assignment> assignments = {
      {"", "--set : the path has an empty part; write --set path.to.key=value"},
      {"=1", "--set =1: the path has an empty part; write --set path.to.key=value"},
      {"a", "--set a: there is no value; write --set path.to.key=value"},
      {"trades", "--set trades: there is no value; write --set path.to.key=value"},
      {"trades.0", "--set trades.0: there is no value; write --set path.to.key=value"},
      {"trades..strike=1",
       "--set trades..strike=1: the path has an empty part; write --set path.to.key=value"},
      {"trades[0.strike=1", "--set trades[0.strike=1: `[` is not closed in the path"},
      {R"("trades.x=1)", R"(--set "trades.x=1: `"` is not closed in the path)"},
      {"trades.1.strike=5", "--set trades.1.strike=5: `trades` has elements 0 to 0"},
      {"trades.one.strike=5",
       "--set trades.one.strike=5: `trades` is a list; name an element by its position, such as "
       "trades.0"},
      {"trades.0.strike.x=5",
       "--set trades.0.strike.x=5: `trades.0.strike` is a number, and has no key `x`"},
      {"trades.0.strike=abc",
       R"(--set trades.0.strike=abc: `strike` must be a number (currency), not "abc")"},
      {"trades.0.strike=[1", "--set trades.0.strike=[1: the value is not valid TOML"},
      {"trades.0.strke=5",
       "--set trades.0.strke=5: unknown key `strke` in [[trades]]; did you mean `strike`?"},
      {"market.assets.SPX.spot=-3",
       "--set market.assets.SPX.spot=-3: `spot` must be greater than 0 (currency), not -3"},
      {"seed=1.5", "--set seed=1.5: `seed` must be an integer, not 1.5"},
      {"sed=1", "--set sed=1: unknown key `sed` at the top level; did you mean `seed`?"},
      {"stop.maximum=nan", "--set stop.maximum=nan: `maximum` must be a number, not nan"},
      {"a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a=1",
       "--set a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a…: "
       "the path is too deep"},
      {"trades[0]x=1", "--set trades[0]x=1: there is no value; write --set path.to.key=value"},
      {R"(trades[0].strike="12)", R"(--set trades[0].strike="12: the value is not valid TOML)"},
  };
  for (const Assignment& assignment : assignments) {
    INFO(assignment.text);
    CHECK(error_message(valid_text, {assignment.text}) == assignment.message);
  }
}

TEST_CASE("an override replaces a value, adds a key, or adds a table") {
  const Setup setup =
      read(valid_text, {"seed = 7", "trades[0].strike=90", "trades.0.type=put",
                        "trades.0.id=\"two words\"", "trades.0.assets=[\"SPX\", \"B.c\"]",
                        "market.assets.\"B.c\".spot=5", "market.assets.'B.c'.model=heston",
                        "market.assets.\"B.c\".kappa=2", "stop.interval=2 min"});
  CHECK(setup.seed == 7);
  REQUIRE(setup.trades.size() == 1);
  CHECK(setup.trades[0].strike == 90);
  CHECK(setup.trades[0].side == Side::put);
  CHECK(setup.trades[0].id == "two words");
  CHECK(setup.trades[0].assets == std::vector<std::string>{"SPX", "B.c"});
  REQUIRE(setup.assets.size() == 2);
  CHECK(setup.assets[1].name == "B.c");
  CHECK(setup.assets[1].kappa == 2);
  CHECK(setup.has_stop);
  CHECK(setup.interval == 120);
}

TEST_CASE("the last of several overrides of a key is used") {
  CHECK(read(valid_text, {"seed=3", "seed=4"}).seed == 4);
}

TEST_CASE("the resolved configuration contains tables that an override adds") {
  Setup original, reread;
  gsim::ConfigFile file = gsim::ConfigFile::parse(valid_text, "bad.toml");
  file.set(
      "trades=[{id='A', type='put', strike=7.5, assets=['SPX']}, "
      "{id='B', strike=9, count=3, assets=['NEW']}]");
  file.set("market.assets.NEW={spot=3, model='heston', kappa=2.5, rate={times=[1], values=[0.1]}}");
  file.set("stop={maximum=0.25}");
  file.read([&](Section& top) { describe(top, original); });
  gsim::ConfigFile resolved = gsim::ConfigFile::parse(file.resolved(), "resolved");
  REQUIRE(error_message_of([&] {
            resolved.read([&](Section& top) { describe(top, reread); });
          }).empty());
  CHECK(reread.assets == original.assets);
  CHECK(reread.maximum == 0.25);
  REQUIRE(reread.trades.size() == 2);
  CHECK(reread.trades[0].side == Side::put);
  CHECK(reread.trades[0].strike == 7.5);
  CHECK(reread.trades[1].id == "B");
  CHECK(reread.trades[1].count == 3);
  CHECK(reread.trades[1].assets == std::vector<std::string>{"NEW"});
}
