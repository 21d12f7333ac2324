// Tests that malformed input always gives a ConfigError with a location in the file. A few thousand
// damaged copies of valid texts are read; a build with GSIM_SANITIZE=address,undefined also detects
// invalid accesses.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <string_view>

#include <doctest/doctest.h>

#include "gsim/core/utf8.hpp"
#include "helpers.hpp"
#include "src/config/input/source.hpp"

using namespace config_test;
using namespace std::string_view_literals;

namespace {

// Texts with every construct that the parsers support.
constexpr std::string_view rich_toml = R"(# comment: é
module = 'pricing'   # literal
seed = 0xf_f
steps = [ 1, 2,
  3_000, ] # trailing comma
[market]
correlation = [[1.0, -0.25], [-25e-2, 1]]
[market.assets.SPX]
spot = 1_00.5
model = "heston"
kappa = 2
rho = -0.7
[market.assets."Ä b".rate]
times = [0.5, 1]
values = [0.01, 0.02]
[market.assets."Ä b"]
spot = +7
volatility = 1e-1
[[trades]]
id = """one \
   "quoted" \u00e9"""
type = "put"
strike = 110.5
assets = ["SPX", '''Ä b''']
weights = [5e-1, 0.5]
[[trades]]
id = "\t\"two\"\\"
strike = 1e2
count = 3
active = false
rebate = 0
assets = ["SPX"]
[stop]
maximum = inf
interval = "1 h 30 min"
)"sv;

constexpr std::string_view rich_csv = R"(# comment: é
id,type,strike,count,active,assets,weights,rebate
one,put,110.5,2,true,SPX,1,
"two, ""quoted""
and more", call ,+1e2,3,FALSE,SPX;Ä b,0.5 0.5,0.25

three,,90,,,"SPX SX5E",,
)"sv;

// Fragments that are likely to be parsed wrongly. Most mutations insert one of them.
constexpr std::array fragments = {"\""sv,
                                  "'"sv,
                                  "\"\"\""sv,
                                  "'''"sv,
                                  "["sv,
                                  "]"sv,
                                  "[["sv,
                                  "]]"sv,
                                  "{"sv,
                                  "}"sv,
                                  "="sv,
                                  "."sv,
                                  ","sv,
                                  ";"sv,
                                  "#"sv,
                                  "\\"sv,
                                  "\\u"sv,
                                  "\\UD800DFFF"sv,
                                  "\n"sv,
                                  "\r"sv,
                                  "\r\n"sv,
                                  "\t"sv,
                                  "\0"sv,
                                  "\x7F"sv,
                                  "\xEF\xBB\xBF"sv,
                                  "\xC3"sv,
                                  "\xFF"sv,
                                  "é"sv,
                                  "“"sv,
                                  "−"sv,
                                  "、"sv,
                                  "'é'"sv,
                                  "nan"sv,
                                  "-inf"sv,
                                  "1e999"sv,
                                  "1e-999"sv,
                                  "-"sv,
                                  "0x"sv,
                                  "0b2"sv,
                                  "1__0"sv,
                                  "00"sv,
                                  "e"sv,
                                  "true"sv,
                                  "1979-05-27T07:32:00Z"sv,
                                  "07:"sv,
                                  " "sv,
                                  "[market]\n"sv,
                                  "[trades]\n"sv,
                                  "[[stop]]\n"sv,
                                  "model = \"heston\"\n"sv,
                                  "spot"sv,
                                  "a.b.c = 1\n"sv,
                                  "9223372036854775808"sv,
                                  "9223372036854775807"sv,
                                  "[[[[[[[["sv,
                                  "rate = { times = [1], values = [2] }\n"sv,
                                  "\x1B[31m"sv,
                                  "\xF4\x90\x80\x80"sv,
                                  "\xED\xA0\x80"sv};

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string damaged_copy(std::string text) {
    for (std::size_t left = 1 + below(3); left > 0; --left) mutate(text);
    return text;
  }
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_() % n); }
  std::string_view fragment() { return fragments[below(fragments.size())]; }

 private:
  void mutate(std::string& text) {
    const std::size_t at = below(text.size() + 1), length = below(1 + text.size() - at);
    switch (below(8)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, 1 + length % 8);
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(below(text.size() + 1), text.substr(at, length));
        break;
      case 4:
        if (at + 1 < text.size()) std::swap(text[at], text[at + 1]);
        break;
      case 5:
        text.replace(at, length % 8, fragment());
        break;
      default:
        text.insert(at, fragment());
    }
  }

  std::mt19937_64
      random_;  // ISO C++ specifies its numbers, in contrast to those of std::*_distribution
};

// What is wrong with an error message; empty if it starts with a location that exists in `text` and
// contains no control characters.
std::string message_defect(std::string_view message, const std::string& text) {
  for (std::string_view rest = message; !rest.empty();) {
    const auto c = gsim::decode_utf8(rest);
    if (!c.valid || (c.code < 0x20 && c.code != '\n') || c.code == 0x7F) return "unprintable";
    rest.remove_prefix(static_cast<std::size_t>(c.bytes));
  }
  constexpr std::string_view name = "bad.toml:";
  if (!message.starts_with(name)) return "no file name";
  message.remove_prefix(name.size());
  if (message.starts_with(' ')) return {};  // about the file as a whole
  const gsim::config_detail::Source source("bad.toml", text);
  char* end = nullptr;
  const long line = std::strtol(message.data(), &end, 10);
  const long column = *end == ':' ? std::strtol(end + 1, &end, 10) : 0;
  if (*end != ':') return "no location";
  if (line < 1 || line > std::max(1, source.lines())) return "no such line";
  const int width = gsim::count_characters(source.line(static_cast<int>(line)));
  // the end of a line and of the file are valid locations
  return column < 1 || column > width + 2 ? "no such column" : "";
}

struct Outcome {
  int accepted = 0, refused = 0;
};

template <class Attempt>
void attempt_and_count(const std::string& text, Outcome& outcome, const Attempt& attempt) {
  INFO("reading: ", text);
  try {
    attempt();
    ++outcome.accepted;
  } catch (const gsim::ConfigError& error) {
    ++outcome.refused;
    const std::string message = error.what();
    INFO("message: ", message);
    CHECK(message_defect(message, text) == "");
  } catch (const std::exception& error) {
    FAIL_CHECK("not a ConfigError: " << error.what());
  }
}

}  // namespace

TEST_CASE("damaged TOML gives a ConfigError with a location, or is read") {
  Mutator mutator(1);
  Outcome outcome;
  for (const std::string& text : {valid_text, std::string(rich_toml)}) {
    REQUIRE(error_message(text) == "");
    for (int i = 0; i < 3000; ++i) {
      const std::string damaged = mutator.damaged_copy(text);
      attempt_and_count(damaged, outcome, [&] {
        gsim::ConfigFile file = gsim::ConfigFile::parse(damaged, "bad.toml");
        Setup first, second;
        file.read([&](Section& top) { describe(top, first); });
        // the resolved configuration can be read again
        gsim::ConfigFile resolved = gsim::ConfigFile::parse(file.resolved(), "resolved");
        resolved.read([&](Section& top) { describe(top, second); });
        CHECK(resolved.resolved() == file.resolved());
      });
    }
  }
  CHECK(outcome.refused > 3000);
  CHECK(outcome.accepted > 200);
}

TEST_CASE("damaged CSV gives a ConfigError with a location, or is read") {
  Mutator mutator(2);
  Outcome outcome;
  for (int i = 0; i < 4000; ++i) {
    const std::string damaged =
        i == 0 ? std::string(rich_csv) : mutator.damaged_copy(std::string(rich_csv));
    attempt_and_count(damaged, outcome, [&] {
      gsim::CsvTable table = gsim::CsvTable::parse(damaged, "bad.toml");
      for (Index row = 0; row < table.rows(); ++row) {
        Trade trade;
        table.read_row(row, [&](Section& s) { describe_trade(s, trade); });
      }
    });
    if (i == 0) REQUIRE(outcome.accepted == 1);
  }
  CHECK(outcome.refused > 1000);
  CHECK(outcome.accepted > 200);
}

TEST_CASE("a damaged --set gives a ConfigError, or is applied") {
  Mutator mutator(3);
  const std::array<std::string, 5> assignments = {
      "trades[1].strike=120", "market.assets.\"Ä b\".rate=0.01", "stop.interval=\"10 min\"",
      "trades.0.assets=[\"SPX\"]", "market.assets.NEW={ spot = 1, volatility = 0.3 }"};
  int accepted = 0, refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string assignment = assignments[static_cast<std::size_t>(i) % assignments.size()];
    if (i >= 5) assignment = mutator.damaged_copy(assignment);
    INFO("--set ", assignment);
    try {
      read(std::string(rich_toml), {assignment});
      ++accepted;
    } catch (const gsim::ConfigError& error) {
      ++refused;
      CHECK(std::string_view(error.what()).size() > 10);
    } catch (const std::exception& error) {
      FAIL_CHECK("not a ConfigError: " << error.what());
    }
    if (i == 4) REQUIRE(accepted == 5);
  }
  CHECK(refused > 500);
  CHECK(accepted > 50);
}
