// The payoff language: meaning of programs on given spots, messages, limits, and random texts.

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/pricing/payoffs/run_script.hpp"
#include "src/modules/pricing/scripts/script_program.hpp"
#include "tests/unit/pricing/fixtures.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

using Spots = std::vector<std::vector<double>>;  // [date][asset]

ScriptProgram compiled(const std::string& text, const Spots& spots,
                       std::vector<std::vector<double>> parameters = {}) {
  const auto script = parse_script(ScriptText(text, "script"), {});
  ScriptTerms terms;
  for (std::size_t a = 0; a < spots[0].size(); ++a) terms.assets.push_back(std::string(1, 'A' + a));
  for (std::size_t d = 0; d < spots.size(); ++d) terms.events.push_back(1.0 + d);
  terms.schedules.assign(script->schedules.size(), terms.events);
  terms.schedules[Script::maturity] = {terms.events.back()};
  parameters.resize(script->symbols.size());
  terms.parameters = parameters;
  return compile_script(*script, terms);
}

/// The sum of payments on a path.
double value_of(const std::string& text, const Spots& spots,
                const std::vector<std::vector<double>>& parameters = {}) {
  const ScriptProgram program = compiled(text, spots, parameters);
  const std::vector<std::vector<double>> growth(program.tables.size(),
                                                std::vector<double>(spots.size(), 1.0));
  const std::vector<double> numbers =
      encode_program(program, 0, spots.size(), program.initial, growth);
  const pricing_kernels::ScriptView<double> view(numbers.data(),
                                                 static_cast<std::int32_t>(spots.size()));
  pricing_kernels::ScriptPath<Strict, double> path(view);
  for (std::size_t d = 0; d < spots.size(); ++d)
    path.on_fixing(static_cast<std::int32_t>(d), [&](std::int32_t a) { return spots[d][a]; });
  return path.state(0);
}

std::string message_of(const std::string& text, std::size_t assets = 1) {
  try {
    value_of(text, {std::vector<double>(assets, 100.0), std::vector<double>(assets, 110.0)});
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

struct BadScript {
  const char *text, *part;
};

/// Memory coupons, autocall, and a put at maturity that is knocked in there, on the worst of the
/// assets.
const std::string autocallable = R"(
state missed = 0
let level = worst(spot) * 0.01
if level >= 0.8 {
  pay 0.05 * (missed + 1)
  missed = 0
} else {
  missed = missed + 1
}
if level >= 1 and not last {
  pay 1
  call
}
if last {
  if level >= 0.6 { pay 1 } else { pay min(level, 1) }
}
)";

double autocallable_value(const Spots& spots) {
  double paid = 0, missed = 0;
  for (std::size_t d = 0; d < spots.size(); ++d) {
    const double level = *std::min_element(spots[d].begin(), spots[d].end()) * 0.01;
    const bool is_last = d + 1 == spots.size();
    if (level >= 0.8) {
      paid = std::fma(0.05 * (missed + 1), 1.0, paid);
      missed = 0;
    } else {
      missed += 1;
    }
    if (level >= 1 && !is_last) return paid + 1;
    if (is_last) paid += level >= 0.6 ? 1 : std::min(level, 1.0);
  }
  return paid;
}

}  // namespace

TEST_CASE("scripts: operators bind as in arithmetic") {
  const Spots spots{{100.0}};
  CHECK(value_of("pay 2 + 3 * 4 - 6 / 2", spots) == 11);
  CHECK(value_of("pay (2 + 3) * -4 + spot", spots) == 80);
  CHECK(value_of("pay 10 - 4 - 3", spots) == 3);
  CHECK(value_of("pay 100 / 5 / 2", spots) == 10);
  CHECK(value_of("pay where(spot > 90 and not spot > 110 or spot < 0, 7, 8)", spots) == 7);
  CHECK(value_of("pay where(not (spot == 100), 7, 8)", spots) == 8);
  CHECK(value_of("pay where(spot != 100 or spot <= 99 or spot >= 101, 7, 8)", spots) == 8);
  CHECK(value_of("pay min(spot, 90, 95) + max(spot, 1, 120)", spots) == 210);
  CHECK(value_of("pay clip(spot, 0, 50) + clip(spot, 150, 200) + clip(spot, 0, 200)", spots) ==
        300);
  CHECK(value_of("pay clip(spot, 7, 7) + clip(3, 1, 2) + clip(0, 1, 2)", spots) == 10);
  CHECK(value_of("pay abs(99 - spot) + sqrt(spot)", spots) == 11);
  CHECK(value_of("pay 1 +\n 2;; pay 3; if true { ; pay 4; }", spots) == 10);
}

TEST_CASE("scripts: reductions over assets, and values of one asset") {
  const Spots spots{{100.0, 80.0, 120.0}};
  CHECK(value_of("pay worst(spot)", spots) == 80);
  CHECK(value_of("pay best(spot)", spots) == 120);
  CHECK(value_of("pay sum(spot)", spots) == 300);
  CHECK(value_of("pay average(spot)", spots) == 100);
  CHECK(value_of("pay count(spot > 90) + assets", spots) == 5);
  CHECK(value_of("pay where(any(spot > 110), 1, 0) + where(all(spot > 90), 10, 20)", spots) == 21);
  CHECK(value_of("pay spot(1) - spot(B) + spot(\"C\")", spots) == 140);
  CHECK(value_of("state s = 0; for each asset { if spot > 90 { s = s + spot } }; pay s", spots) ==
        220);
  CHECK(value_of("parameter k[assets]; pay sum(max(spot - k, 0))", spots, {{90, 90, 90}}) == 40);
  CHECK(value_of("parameter k[assets]\nstate p[assets] = k\npay best(spot / p)", spots,
                 {{50, 20, 100}}) == 4);
}

TEST_CASE("scripts: states, dates and calls") {
  const Spots spots{{100.0}, {90.0}, {120.0}};
  CHECK(value_of("state n = 0; n = n + 1; if last { pay n * 10 + dates }", spots) == 33);
  CHECK(value_of("pay index", spots) == 6);
  CHECK(value_of("pay time", spots) == 6);
  CHECK(value_of("if first { pay spot }", spots) == 100);
  CHECK(value_of("schedule maturity { pay spot }", spots) == 120);
  CHECK(value_of("if spot < 95 { call }; pay 1", spots) == 1);
  CHECK(value_of("if spot < 95 { pay 5; call } else { pay 1 }; pay 10", spots) == 16);
  CHECK(value_of("if spot > 80 { if spot < 95 { call }; pay 3 }; pay 1", spots) == 4);
  CHECK(value_of("parameter level[fixings]; pay level", spots, {{1, 20, 300}}) == 321);
  CHECK(value_of("state a = false; let b = a; a = spot < 95 or a; if b { pay 1 }", spots) == 1);
  CHECK(value_of("let x = spot; let y = x; x = 0; if y > 95 { x = y; y = 1 }; pay x + y", spots) ==
        101 + 90 + 121);
  CHECK(value_of("state flag = true; if flag { flag = false; pay 1 } else { pay 7 }", spots) == 15);
}

TEST_CASE("scripts: an autocallable note, as a plain loop pays it") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (int path = 0; path < 500; ++path) {
    Spots spots(6, std::vector<double>(3));
    for (auto& date : spots)
      for (double& spot : date) spot = 95 * std::exp(0.3 * normal(random));
    REQUIRE(value_of(autocallable, spots) ==
            doctest::Approx(autocallable_value(spots)).epsilon(1e-14));
  }
}

TEST_CASE("scripts: messages name line and column") {
  const BadScript bad[] = {
      {"pay max(spot - strike, 0)", "script:1:16: `strike` is not defined"},
      {"pay spot +\n  * 2", "script:2:3: expected a number, a name or `(`, not `*`"},
      {"pay spot 2", "script:1:10: expected the end of the statement, not `2`"},
      {"pay spot ^ 2", "`^` is no sign of the language"},
      {"pay maxx(spot, 1)", "there is no function `maxx`"},
      {"pay max(spot)", "`max` takes at least 2 arguments, not 1"},
      {"pay spot > 1", "what is paid must be a number, not a condition"},
      {"if spot { pay 1 }", "what follows `if` must be a condition, not a number"},
      {"pay where(spot > 1, 1, true)", "argument 3 of `where` must be a number, not a condition"},
      {"pay 1 < spot < 2", "a comparison of a comparison"},
      {"state x = spot; pay x", "a spot depends on the path, and a constant is needed here"},
      {"parameter k = 1; k = 2; pay k", "the parameter `k` cannot be set"},
      {"state x = 0; x = 1; pay 1", "`x` is never used"},
      {"call; pay 1", "this statement is never executed"},
      {"let min = 1; pay min", "`min` is a word of the language"},
      {"let x = 1; let x = 2; pay x", "`x` is already defined in line 1"},
      {"state x = 0", "the script pays nothing"},
      {"if true { pay 1", "expected `}`, not the end of the script"},
      {"pay spot(C)", "`C` is no asset of the trade"},
      {"pay spot(2)", "there is no asset number 2: the trade has 1"},
      {"pay 1 / 0", "this expression of constants is inf"},
      {"pay 1e999", "a number out of range"},
      {"pay 1 after -1", "which must be 0 to 10"},
      {"schedule maturity { let x = 1; pay x }; pay x", "`x` is not defined"},
      {"pays spot", "`pays` begins no statement"},
      {"let a = 1 + ; 2\npay a", "script:1:13: expected a number, a name or `(`, not `;`"},
      {"pay (1 + ; 2)", "not `;`"},
      {"pay max(1, ; 2)", "not `;`"},
      {"state a = ; 1\npay a", "not `;`"},
      {"pay spot(\"\")", "script:1:10: an empty name of an asset"},
      {"pay clip(spot, 2, 1)", "the lower bound 2 of `clip` is above the upper bound 1"},
      {"pay clip(spot, 3 + 2, 1)", "the lower bound 5 of `clip` is above the upper bound 1"},
      {"pay 2 × 3", "`×` is no sign of the language"},
      {"pay 2 \xE2\x82\xAC", "`€` is no sign of the language"},
      {"for each asset { for each asset { pay 1 } }", "a loop over the assets within another one"},
      {"parameter k[other]; pay k", "`k` has one value for each date of the schedule `other`"},
  };
  for (const BadScript& b : bad) {
    CAPTURE(b.text);
    CAPTURE(message_of(b.text));
    CHECK(contains(message_of(b.text), b.part));
  }
  CHECK(contains(message_of("pay spot", 2), "`spot` is one of 2 assets'"));
  const auto with_two_assets = [](const std::string& statements) {
    try {
      value_of("parameter k[assets]; " + statements, {{100.0, 90.0}}, {{1, 2}});
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string several = "`k` is one of 2 assets'";
  CHECK(contains(with_two_assets("pay k"), several));
  CHECK(contains(with_two_assets("state s = k; s = s + 1; pay s"), several));
  CHECK(contains(with_two_assets("pay 1 after k"), several));
  CHECK(contains(with_two_assets("if spot(1) > 1 { pay 1 after k }"), several));
  CHECK(with_two_assets("state s = worst(k); pay s").empty());
  CHECK(with_two_assets("for each asset { pay 1 after k }").empty());
}

TEST_CASE("scripts: deep nesting, long scripts and many values are refused") {
  const auto repeated = [](const std::string& part, int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += part;
    return text;
  };
  CHECK(contains(message_of("pay " + repeated("(", 5000) + "1" + repeated(")", 5000)),
                 "nested more than 100 levels deep"));
  CHECK(contains(message_of("pay " + repeated("-", 5000) + "1"), "nested more than 100 levels"));
  CHECK(
      contains(message_of("if " + repeated("not ", 5000) + "true { pay 1 }"), "nested more than"));
  CHECK(contains(message_of(repeated("if spot > 1 {", 1000)), "nested more than 100 levels deep"));
  CHECK(contains(message_of(repeated("if spot > 1 { pay 1 } else ", 1000) + "{ pay 2 }"),
                 "nested more than 100 levels deep"));
  CHECK(contains(message_of("pay 1" + repeated(" + spot", 5000)),
                 "nested more than 200 levels deep"));
  CHECK(contains(message_of(repeated("pay spot * spot\n", 4000)), "more than 4000 instructions"));
  const std::string nested = "pay " + repeated("worst(", 9) + "2" + repeated(")", 9);
  CHECK(message_of(nested, 3).empty());
  CHECK(contains(message_of(nested, 10), "evaluate more than 100000 expressions for the 10"));
  CHECK(contains(message_of("state s = " + nested.substr(4) + "; s = 1; pay s", 10),
                 "evaluate more than 100000 expressions"));
  CHECK(contains(message_of(repeated("#", 70000)), "at most 65536 are allowed"));
  CHECK(contains(message_of(repeated("pay 1\n", 9000)), "words, numbers and signs"));
  std::string states;
  for (int i = 0; i < 40; ++i) states += "state s" + std::to_string(i) + " = 0\n";
  for (int i = 0; i < 40; ++i) states += "pay s" + std::to_string(i) + "\n";
  CHECK(contains(message_of(states), "the states of the script have more than"));
  std::string variables;
  for (int i = 0; i < 80; ++i)
    variables += "let v" + std::to_string(i) + " = spot * " + std::to_string(i) + "\n";
  for (int i = 0; i < 80; ++i) variables += "pay v" + std::to_string(i) + "\n";
  CHECK(contains(message_of(variables), "more than 64 numbers at a time"));
}

TEST_CASE("scripts: random texts give a message or a program, and never anything else") {
  std::mt19937_64 random(11);
  const auto below = [&](std::size_t n) { return random() % n; };
  const std::string words[] = {
      "pay",   "call",      "if",       "else",     "for",     "each",  "asset", "let",
      "state", "parameter", "schedule", "maturity", "fixings", "spot",  "x",     "y",
      "=",     "==",        "+",        "-",        "*",       "/",     "(",     ")",
      "{",     "}",         "[",        "]",        ",",       "\n",    "1",     "0.5",
      "and",   "or",        "not",      "<",        ">=",      "worst", "max",   "where",
      "last",  "index",     "at",       "after",    "true",    "assets"};
  const Spots spots{{100.0, 90.0}, {80.0, 120.0}};
  int programs = 0;
  for (int k = 0; k < 6000; ++k) {
    std::string text;
    if (k % 3 == 0) {  // bytes
      for (std::size_t i = 0; i < 40; ++i) text += static_cast<char>(below(256));
    } else if (k % 3 == 1) {  // words
      for (std::size_t i = 0; i < 30; ++i) text += words[below(std::size(words))] + " ";
    } else {  // changes of a script
      text = autocallable;
      const std::size_t at = below(text.size());
      if (text[at] >= '0' && text[at] <= '9')
        text[at] = static_cast<char>('0' + below(10));
      else if (k % 2 == 0)
        text.replace(at, below(4), words[below(std::size(words))]);
      else
        text[at] = ' ';
    }
    CAPTURE(text);
    try {
      value_of(text, spots);
      ++programs;
    } catch (const ConfigError&) {
    }
  }
  CHECK(programs > 20);
}
