// CSV files of trades as exported by spreadsheets, and errors in single rows.

#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/reading_progress.hpp"
#include "tests/unit/pricing/trades/bad_input.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

TEST_CASE("CSV files of spreadsheets: byte-order mark, CRLF, quotes, empty cells; errors by row") {
  const TemporaryFile sheet(
      "\xEF\xBB\xBFid,product,asset,assets,type,strike,maturity\r\n"
      "\"plain, with a comma\",european,A,,call,100,1\r\n"
      "\"two \"\"quotes\"\"\",\"basket\",,\"A B\",call,100,1\r\n"
      "\r\n"
      "worst,worst_of,,A;B,put,100,1");
  const PricingConfig config = read(sheet.key() + three_assets);
  REQUIRE(config.trades.size() == 3);
  CHECK(config.trades[0].id == "plain, with a comma");
  CHECK(config.trades[1].id == "two \"quotes\"");
  CHECK(config.trades[1].assets.size() == 2);
  CHECK(config.trades[2].maturity == 1);

  const TemporaryFile faulty(
      "id,product,asset,type,strike,maturity\n"
      "A1,european,A,call,100,1\n"
      "A2,european,A,call,,1\n"           // line 3: no strike
      "A1,european,A,call,100,1\n"        // line 4: duplicate id
      "A4,variance_swap,A,call,0.04,1\n"  // line 5: no schedule
      "A5,exchange,A,call,100,1\n"        // line 6: needs assets
      "A6,european,A,call,100,1\n");
  const PricingConfig config_of_valid_rows = read(faulty.key() + skip_errors + three_assets);
  REQUIRE(config_of_valid_rows.trades.size() == 2);
  CHECK(config_of_valid_rows.trades[1].id == "A6");
  REQUIRE(config_of_valid_rows.skipped.size() == 4);
  std::map<std::string, std::string> reasons;
  for (const SkippedTrade& t : config_of_valid_rows.skipped) reasons[t.id] = t.reason;
  check_contains(reasons["A2"], {":3:", "`strike`"});
  check_contains(reasons["A1"], {":4:", "trade id `A1` is already used at", ":2"});
  check_contains(reasons["A4"], {":5:", "fixing_count"});
  check_contains(reasons["A5"], {":6:", "`assets`"});

  // Thousands of rows: every tenth has an error, which its line number identifies.
  std::string many_rows = "id,product,asset,type,strike,maturity\n";
  for (int i = 0; i < 3000; ++i)
    many_rows +=
        "T" + std::to_string(i) + ",european,A,call," + (i % 10 == 9 ? "-1" : "100") + ",1\n";
  const TemporaryFile large(many_rows);
  const PricingConfig large_config = read(large.key() + skip_errors + three_assets);
  CHECK(large_config.trades.size() == 2700);
  REQUIRE(large_config.skipped.size() == 300);
  CHECK(large_config.skipped.back().id == "T2999");
  check_contains(large_config.skipped.back().reason,
                 {":3001:", "`strike` must be at least 0, not -1"});

  // A value in a column that the product does not use is an error.
  const TemporaryFile unused_column(
      "id,product,asset,assets,type,strike,maturity\n"
      "S1,exchange,,A B,,100,1\nS2,european,A,,call,100,1\n");
  check_contains(error_of(unused_column.key() + three_assets), {":2:", "strike"});
  const PricingConfig config_of_valid_row = read(unused_column.key() + skip_errors + three_assets);
  REQUIRE(config_of_valid_row.trades.size() == 1);
  CHECK(config_of_valid_row.trades[0].id == "S2");
  REQUIRE(config_of_valid_row.skipped.size() == 1);
  CHECK(config_of_valid_row.skipped[0].id == "S1");
}

TEST_CASE("a long CSV file: progress reports while it is read, and errors at their rows") {
  constexpr int rows = 50000;
  std::string text = "id,product,asset,type,strike,maturity\n";
  for (int i = 0; i < rows; ++i)
    text += "T" + std::to_string(i) + ",european,A," + (i % 2 == 0 ? "call" : "put") + ",100,1\n";
  {
    const TemporaryFile file(text);
    std::vector<ReadingProgress> reports;
    set_reading_observer([&](const ReadingProgress& p) { reports.push_back(p); });
    const PricingConfig config = read(file.key() + three_assets);
    set_reading_observer({});
    CHECK(config.trades.size() == rows);
    CHECK(config.trades.back().source.location().line == rows + 1);
    REQUIRE(reports.size() >= 3);
    CHECK(reports.back().rows == rows);
    CHECK(reports.back().rows_done > 40000);
  }
  const std::string bad_strike = text + "last,european,A,call,-1,1\n";
  const TemporaryFile negative(bad_strike);
  const std::string row_location = ":" + std::to_string(rows + 2);
  const std::string message = error_of(negative.key() + three_assets);
  CHECK(contains(message, row_location + ":22: `strike` must be"));
  CHECK(contains(message, "last,european,A,call,-1,1"));
  const TemporaryFile duplicate(text + "T7,european,A,call,100,1\n");
  const std::string duplicate_message = error_of(duplicate.key() + three_assets);
  CHECK(contains(duplicate_message, row_location + ":1: trade id `T7` is already used at"));
  CHECK(contains(duplicate_message, "T7,european,A,call,100,1"));
}
