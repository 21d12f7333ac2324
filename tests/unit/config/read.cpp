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

TEST_CASE("keys that say where a run ends are left out of what a checkpoint must agree with") {
  const auto describe = [](gsim::Section& top) {
    top.required_table(
        "md",
        [](gsim::Section& s) {
          gsim::Index steps = 0;
          double step = 0, limit = 0;
          s.required("steps", steps, {.doc = "of the run", .is_run_length = true});
          s.required("time_step", step, {.doc = "of time"});
          s.optional_duration("limit", limit, {.doc = "of the clock", .is_run_length = true});
        },
        "the run");
  };
  const auto read = [&](const char* text) {
    gsim::ConfigFile file = gsim::ConfigFile::parse(text, "run.toml");
    file.read(describe);
    return file;
  };
  const gsim::ConfigFile shorter = read("md = { steps = 10, time_step = 0.5 }");
  const gsim::ConfigFile longer = read("[md]\ntime_step = 0.5\nsteps = 30\nlimit = \"2 min\"");
  CHECK(shorter.without_run_lengths() == "[md]\ntime_step = 0.5\n");
  CHECK(longer.without_run_lengths() == shorter.without_run_lengths());
  CHECK(longer.resolved() == "[md]\nsteps = 30\ntime_step = 0.5\nlimit = 120.0\n");
  CHECK(read("[md]\ntime_step = 0.25\nsteps = 30").without_run_lengths() !=
        shorter.without_run_lengths());
  const std::string schema = gsim::schema_text(describe);
  CHECK(schema.find("integer · required · can be changed on --resume") != std::string::npos);
  CHECK(schema.find("number · required\n") != std::string::npos);
}
