#include <cmath>

#include <doctest/doctest.h>

#include "helpers.hpp"

using namespace config_test;

TEST_CASE("keys of the file set the variables, and absent keys keep the defaults") {
  const Setup setup = read(valid_text);
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

TEST_CASE("an unknown key is an error with its location and the most similar known key") {
  CHECK(error_message(R"(module = "pricing"
[market.assets.SPX]
  spot = 100
  volatility = 0.2
  spott = 0.2
)") == "bad.toml:5:3: unknown key `spott` in [market.assets.SPX]\n"
       "    5 |   spott = 0.2\n"
       "      |   ^^^^^ did you mean `spot`?");
}

TEST_CASE("a misspelt required key is reported as unknown, not as missing") {
  CHECK(error_message(R"(module = "pricing"
[market.assets.SPX]
  spot = 100
  voltaility = 0.2
)") == "bad.toml:4:3: unknown key `voltaility` in [market.assets.SPX]\n"
       "    4 |   voltaility = 0.2\n"
       "      |   ^^^^^^^^^^ did you mean `volatility`?");
}

TEST_CASE("keys that set the length of a run are excluded from the comparison with a checkpoint") {
  const auto describe = [](gsim::Section& top) {
    top.required_table(
        "md",
        [](gsim::Section& s) {
          gsim::Index steps = 0;
          double step = 0, limit = 0;
          s.required("steps", steps, {.doc = "number of steps", .is_run_length = true});
          s.required("time_step", step, {.doc = "time step"});
          s.optional_duration("limit", limit, {.doc = "time limit", .is_run_length = true});
        },
        "molecular dynamics");
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
