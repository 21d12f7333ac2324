// Tests of the exact text of messages about unknown, missing and renamed keys.

#include <doctest/doctest.h>

#include "helpers.hpp"

using namespace config_test;
using gsim::validated;

TEST_CASE("the message about a missing key contains its documentation") {
  check_edits({
      {"key", "spot = 100\n", "",
       R"(bad.toml:3:16: missing key `spot` in [market.assets.SPX]
    3 | [market.assets.SPX]
      |                ^^^ it is required: price today (currency))"},
      {"key of a list element", R"(id = "one"
)",
       "",
       R"(bad.toml:7:1: missing key `id` in [[trades]]
    7 | [[trades]]
      | ^^^^^^^^^^ it is required: name of the trade)"},
      {"key at the top", R"(module = "pricing")", "seed = 2",
       "bad.toml: missing key `module` at the top level; it is required: name of the module"},
      {"key of the default alternative", "volatility = 0.2\n", "",
       R"(bad.toml:3:16: missing key `volatility` in [market.assets.SPX]
    3 | [market.assets.SPX]
      |                ^^^ it is required: volatility (1/sqrt(year)))"},
      {"key in a table that may be a number", "spot = 100", "spot = 100\nrate = { values = [1] }",
       R"(bad.toml:5:1: missing key `times` in [market.assets.SPX.rate]
    5 | rate = { values = [1] }
      | ^^^^ it is required: times (year))"},
  });
}

TEST_CASE("unknown keys are errors with their locations and suggestions") {
  check_edits({
      {"at the top", R"(module = "pricing")", R"(module = "pricing"
sed = 3)",
       R"(bad.toml:2:1: unknown key `sed` at the top level
    2 | sed = 3
      | ^^^ did you mean `seed`?)"},
      {"far from all others", "spot = 100", "spot = 100\nxyzzy = 3",
       R"(bad.toml:5:1: unknown key `xyzzy` in [market.assets.SPX]
    5 | xyzzy = 3
      | ^^^^^ allowed here: spot, model, volatility, rate)"},
      {"belongs to another alternative", "spot = 100", "spot = 100\nkappa = 2",
       R"(bad.toml:5:1: `kappa` belongs to model = "heston"; this asset has model = "black_scholes"
    5 | kappa = 2
      | ^^^^^)"},
      {"belongs to the default alternative", "spot = 100", R"(spot = 100
model = "heston"
kappa = 2)",
       R"(bad.toml:7:1: `volatility` belongs to model = "black_scholes"; this asset has model = "heston"
    7 | volatility = 0.2
      | ^^^^^^^^^^)"},
      {"belongs elsewhere", "spot = 100", "spot = 100\nmaximum = 1",
       R"(bad.toml:5:1: unknown key `maximum` in [market.assets.SPX]
    5 | maximum = 1
      | ^^^^^^^ it belongs in [stop])"},
      {"belongs to the top", "strike = 110.5", "strike = 110.5\nseed = 1",
       R"(bad.toml:10:1: unknown key `seed` in [[trades]]
   10 | seed = 1
      | ^^^^ it belongs at the top level)"},
      {"table", "[[trades]]", R"([markt]
a = 1
[[trades]])",
       R"(bad.toml:7:2: unknown table `markt` at the top level
    7 | [markt]
      |  ^^^^^ did you mean `market`?)"},
      {"list of tables", "[[trades]]", "[[trade]]",
       R"(bad.toml:7:3: unknown table `trade` at the top level
    7 | [[trade]]
      |   ^^^^^ did you mean `trades`?)"},
      {"several", "strike = 110.5", R"(strike = 110.5
seeed = 1
cout = 2)",
       R"(bad.toml:10:1: unknown key `seeed` in [[trades]]
   10 | seeed = 1
      | ^^^^^
bad.toml:11:1: unknown key `cout` in [[trades]]
   11 | cout = 2
      | ^^^^ did you mean `count`?)"},
      {"a misspelt required key and others", "spot = 100", R"(spt = 100
xyzzy = 1
[stop]
maximun = 1
[market.assets.NKY]
spot = 1)",
       R"(bad.toml:4:1: unknown key `spt` in [market.assets.SPX]
    4 | spt = 100
      | ^^^ did you mean `spot`?
bad.toml:5:1: unknown key `xyzzy` in [market.assets.SPX]
    5 | xyzzy = 1
      | ^^^^^
bad.toml:7:1: unknown key `maximun` in [stop]
    7 | maximun = 1
      | ^^^^^^^ did you mean `maximum`?)"},
      {"more than ten", R"(module = "pricing")", R"(module = "pricing"
k1 = 0
k2 = 0
k3 = 0
k4 = 0
k5 = 0
k6 = 0
k7 = 0
k8 = 0
k9 = 0
k10 = 0
k11 = 0
k12 = 0)",
       R"(bad.toml:2:1: unknown key `k1` at the top level
    2 | k1 = 0
      | ^^
bad.toml:3:1: unknown key `k2` at the top level
    3 | k2 = 0
      | ^^
bad.toml:4:1: unknown key `k3` at the top level
    4 | k3 = 0
      | ^^
bad.toml:5:1: unknown key `k4` at the top level
    5 | k4 = 0
      | ^^
bad.toml:6:1: unknown key `k5` at the top level
    6 | k5 = 0
      | ^^
bad.toml:7:1: unknown key `k6` at the top level
    7 | k6 = 0
      | ^^
bad.toml:8:1: unknown key `k7` at the top level
    8 | k7 = 0
      | ^^
bad.toml:9:1: unknown key `k8` at the top level
    9 | k8 = 0
      | ^^
bad.toml:10:1: unknown key `k9` at the top level
   10 | k9 = 0
      | ^^
bad.toml:11:1: unknown key `k10` at the top level
   11 | k10 = 0
      | ^^^
… and 2 more unknown keys)"},
      {"quoted", "spot = 100", R"(spot = 100
"sp ot" = 1)",
       R"(bad.toml:5:1: unknown key `sp ot` in [market.assets.SPX]
    5 | "sp ot" = 1
      | ^^^^^^^ did you mean `spot`?)"},
      {"in an inline table", "spot = 100",
       "spot = 100\nrate = { times = [1], valus = [2], values = [3] }",
       R"(bad.toml:5:23: unknown key `valus` in [market.assets.SPX.rate]
    5 | rate = { times = [1], valus = [2], values = [3] }
      |                       ^^^^^ did you mean `values`?)"},
  });
}

TEST_CASE("a probable misspelling is reported before the error that it may have caused") {
  const auto message_for = [](const std::string& text) {
    return error_message_of([&] {
      gsim::ConfigFile file = gsim::ConfigFile::parse(text, "bad.toml");
      file.read([](Section& top) {
        double cutoff = 0, skin = 0, shift = 0;
        top.required_table("pair",
                           validated(
                               [&](Section& s) {
                                 s.optional("cutoff", cutoff, {.doc = "cutoff of all pairs"});
                                 s.optional("shift", shift, {.doc = "shift of all pairs"});
                               },
                               [&](const Section& s) {
                                 if (cutoff == 0) s.fail("", "no cutoff");
                               }),
                           "pairs");
        top.optional("skin", skin, {.doc = "skin of neighbour lists", .minimum = 0});
      });
    });
  };
  CHECK(message_for("[pair]\ncutof = 2\n") ==
        R"(bad.toml:2:1: unknown key `cutof` in [pair]
    2 | cutof = 2
      | ^^^^^ did you mean `cutoff`?)");
  CHECK(message_for("[pair]\ncutoff = 2\nskin = 1\n") ==
        R"(bad.toml:3:1: unknown key `skin` in [pair]
    3 | skin = 1
      | ^^^^ it belongs at the top level)");
  CHECK(message_for("[pair]\nxyzzy = 2\n") ==
        R"(bad.toml:1:2: no cutoff
    1 | [pair]
      |  ^^^^
  and bad.toml:2: unknown key `xyzzy` in [pair])");
}

TEST_CASE("a table is validated after all its keys were read, and not for the schema") {
  struct Pair {
    double cutoff = 0, skin = 0;
    std::string name;
  };
  int validations = 0;
  std::vector<Pair> pairs;
  const auto describe = [](Section& s, Pair& pair) {
    s.required("cutoff", pair.cutoff, {.doc = "cutoff"});
    s.optional("skin", pair.skin, {.doc = "skin"});
  };
  const auto validate = [&](const Section& s, Pair& pair) {
    ++validations;
    if (pair.skin > pair.cutoff) s.fail("skin", "the skin is longer than the cutoff");
    pair.name = s.path();
  };
  const auto read = [&](Section& top) {
    top.tables("pair", pairs, validated(describe, validate), "pairs");
    top.named_tables("none",
                     validated([](Section&, const std::string&) {},
                               static_cast<void (*)(const Section&, const std::string&)>(nullptr)),
                     "tables without a validating function");
  };
  CHECK(gsim::schema_text(read).find("skin") != std::string::npos);
  CHECK(validations == 0);
  gsim::ConfigFile good = gsim::ConfigFile::parse(
      "[[pair]]\ncutoff = 2\nskin = 1\n[[pair]]\ncutoff = 3\n[none.a]\n", "good.toml");
  good.read(read);
  CHECK(validations == 2);
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[1].name == "pair.1");
  CHECK(error_message_of([&] {
          gsim::ConfigFile bad =
              gsim::ConfigFile::parse("[[pair]]\nskin = 3\ncutoff = 2\n", "bad.toml");
          bad.read(read);
        }) == R"(bad.toml:2:8: the skin is longer than the cutoff
    2 | skin = 3
      |        ^)");
}

TEST_CASE("did_you_mean() suggests nothing if a large part of a short word differs") {
  const std::vector<std::string> devices{"auto", "cpu", "cuda"};
  CHECK(gsim::did_you_mean("gpu", devices) == "");
  CHECK(gsim::did_you_mean("cpuu", devices) == "cpu");
  CHECK(gsim::suggest_known("gpu", devices, "there are") == "there are auto, cpu, cuda");
  CHECK(gsim::suggest_known("x", std::vector<std::string>{"mesh"}, "there are") ==
        "there is only `mesh`");
  CHECK(gsim::suggest_known("x", std::vector<std::string>{}, "there are") == "there are none");
}

TEST_CASE("suggested keys are allowed in that table and not yet given") {
  const auto message_for = [](const std::string& text) {
    return error_message_of([&] {
      gsim::ConfigFile file = gsim::ConfigFile::parse(text, "bad.toml");
      file.read([](Section& top) {
        std::vector<double> speeds;
        double every = 0, constant = 0;
        std::string lattice;
        const auto table = [&](std::string_view name, const Section::Describe& describe) {
          top.optional_table(name, describe, "a table");
        };
        table("balance",
              [&](Section& s) { s.optional("speeds", speeds, {.doc = "speed of each rank"}); });
        for (const char* name : {"thermo", "output"})
          table(name, [&](Section& s) { s.optional("every", every, {.doc = "steps"}); });
        table("type",
              [&](Section& s) { s.optional("mass", constant, {.doc = "mass of an atom"}); });
        table("start", [&](Section& s) {
          s.optional("lattice", lattice, {.doc = "lattice type"});
          s.optional("constant", constant, {.doc = "lattice constant"});
        });
      });
    });
  };
  // Two other tables have the key, so neither is suggested.
  CHECK(message_for("[balance]\nevery = 2\n") ==
        R"(bad.toml:2:1: unknown key `every` in [balance]
    2 | every = 2
      | ^^^^^ allowed here: speeds)");
  CHECK(message_for("[thermo]\nspeeds = [2]\n") ==
        R"(bad.toml:2:1: unknown key `speeds` in [thermo]
    2 | speeds = [2]
      | ^^^^^^ it belongs in [balance])");
  CHECK(message_for("[balance]\nspeed = [2]\n") ==
        R"(bad.toml:2:1: unknown key `speed` in [balance]
    2 | speed = [2]
      | ^^^^^ did you mean `speeds`?)");
  // [type] is a table: a key named `type` does not belong to the top level.
  CHECK(message_for("[balance]\ntype = \"A\"\n") ==
        R"(bad.toml:2:1: unknown key `type` in [balance]
    2 | type = "A"
      | ^^^^ allowed here: speeds)");
  // `lattice` is more similar, but has been given already.
  CHECK(message_for("[start]\nlattice = \"fcc\"\nlattice_constant = 2\n") ==
        R"(bad.toml:3:1: unknown key `lattice_constant` in [start]
    3 | lattice_constant = 2
      | ^^^^^^^^^^^^^^^^ did you mean `constant`?)");
}

TEST_CASE(
    "the message about a missing key lists its permitted words and unknown keys of the table") {
  const auto message_for = [](const std::string& text) {
    return error_message_of([&] {
      gsim::ConfigFile file = gsim::ConfigFile::parse(text, "bad.toml");
      file.read([](Section& top) {
        Side side = Side::call;
        double maturity = 0;
        std::vector<std::string> assets;
        std::string asset;
        top.alternatives(
            "product",
            {{"european", "one asset",
              [&](Section& s) { s.required("asset", asset, {.doc = "underlying"}); }},
             {"basket", "several",
              [&](Section& s) { s.required("assets", assets, {.doc = "underlying"}); }}},
            0, {.doc = "type of product"});
        top.required("maturity", maturity, {.doc = "time to expiry", .unit = "year"});
        top.required("type", side, sides, {.doc = "call or put"});
      });
    });
  };
  CHECK(message_for("asset = \"A\"\nmaturity = 1\n") ==
        "bad.toml: missing key `type` at the top level; it is required: call or put: "
        "\"call\" or \"put\"");
  CHECK(message_for("asset = \"A\"\nexpiry = 1\n") ==
        "bad.toml: missing key `maturity` at the top level; it is required: time to expiry (year)\n"
        "  and bad.toml:2: unknown key `expiry` at the top level");
  CHECK(message_for("assets = [\"A\"]\nmaturity = 1\n") ==
        "bad.toml: missing key `asset` at the top level; it is required: underlying\n"
        "  and bad.toml:1: `assets` belongs to product = \"basket\"; this file has product = "
        "\"european\"");
}

namespace {

struct Renamed {
  std::string variance_reduction = "none";
  gsim::Index blocks = 1;
};

void describe_renamed(Section& top, Renamed& renamed) {
  top.renamed("chunks", "blocks");
  top.renamed("pricing", "market");
  top.renamed_word("variance_reduction", "mirror", "antithetic");
  top.optional("blocks", renamed.blocks, {.doc = "number of blocks"});
  top.optional("variance_reduction", renamed.variance_reduction, {.doc = "method"});
}

std::string error_of_renamed(const std::string& text) {
  return error_message_of([&] {
    Renamed renamed;
    gsim::ConfigFile::parse(text, "bad.toml").read([&](Section& top) {
      describe_renamed(top, renamed);
    });
  });
}

}  // namespace

TEST_CASE("the former name of a key, a table or a word is an error that names the new one") {
  check_messages({{"a key", "blocks = 1\nchunks = 2",
                   R"(bad.toml:2:1: `chunks` was renamed to `blocks`
    2 | chunks = 2
      | ^^^^^^)"},
                  {"a table", "[pricing]\nspot = 1",
                   R"(bad.toml:1:2: `pricing` was renamed to `market`
    1 | [pricing]
      |  ^^^^^^^)"},
                  {"a word", R"(variance_reduction = "mirror")",
                   R"(bad.toml:1:22: `mirror` was renamed to `antithetic`
    1 | variance_reduction = "mirror"
      |                      ^^^^^^^^)"}},
                 error_of_renamed);
  CHECK(error_of_renamed("blocks = 2\nvariance_reduction = \"antithetic\"").empty());
  CHECK(gsim::schema_text([](Section& top) {
          Renamed renamed;
          describe_renamed(top, renamed);
        }).find("chunks") == std::string::npos);
}

TEST_CASE("KeyLocations remain valid after the configuration file is destroyed") {
  gsim::KeyLocations stop, top;
  {
    auto file = gsim::ConfigFile::parse("seed = 1\n[stop]\nmaximum = 2\n", "bad.toml");
    file.set("stop.interval=3");
    file.read([&](Section& s) {
      top = s.locations();
      s.optional_table(
          "stop", [&](Section& inner) { stop = inner.locations(); }, "stop rule");
      s.ignore_unread();
    });
  }
  CHECK(top.has("seed"));
  CHECK_FALSE(top.has("maximum"));
  CHECK(stop.has("maximum"));
  CHECK(stop.path() == "stop");
  CHECK(error_message_of([&] { stop.fail("maximum", "2 is too small", "write 3"); }) ==
        R"(bad.toml:3:11: 2 is too small
    3 | maximum = 2
      |           ^ write 3)");
  CHECK(error_message_of([&] { stop.fail("absent", "there is no `absent`"); }) ==
        R"(bad.toml:2:2: there is no `absent`
    2 | [stop]
      |  ^^^^)");
  CHECK(error_message_of([&] {
          stop.fail("interval", "3 is too large");
        }).starts_with("--set stop.interval=3: 3 is too large"));
  CHECK(gsim::KeyLocations().location("seed").file.empty());
}
