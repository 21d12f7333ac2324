// Lists of assets in cells of CSV files: separators of names, and messages about split names.

#include "src/modules/pricing/market/asset_names.hpp"

#include <algorithm>

#include "tests/unit/pricing/trades/bad_input.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

using Names = std::vector<std::string>;

/// The names in a cell, among assets of which some have blanks, separators or quotes in their
/// names.
Names split(const std::string& cell) {
  const Names known{"A", "B", "S&P 500", "A;B C", "D'Ieteren", "two \"quotes\""};
  return split_asset_names(cell, [&](std::string_view name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  });
}

std::string error_message(const std::string& cell) {
  try {
    split(cell);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

const std::string assets_with_blanks = one_asset + R"(
[market.assets."S&P 500"]
spot = 100.0
volatility = 0.2
[market.assets."Euro Stoxx 50"]
spot = 100.0
volatility = 0.2
[market.correlation]
assets = ["A", "S&P 500", "Euro Stoxx 50"]
matrix = [[1.0, 0.5, 0.5], [0.5, 1.0, 0.5], [0.5, 0.5, 1.0]]
)";

/// A CSV file of one trade whose assets are given by `cell`.
std::string rows(const std::string& cell) {
  return "id,product,asset,assets,type,strike,maturity\none,worst_of,," + cell + ",put,100,1\n";
}

}  // namespace

TEST_CASE("asset names are separated by semicolons, else by blanks; a known name is not split") {
  CHECK(split("A;B") == Names{"A", "B"});
  CHECK(split(" A ; B ") == Names{"A", "B"});
  CHECK(split("A  B\tX") == Names{"A", "B", "X"});
  CHECK(split("S&P 500") == Names{"S&P 500"});
  CHECK(split("A;B C") == Names{"A;B C"});
  CHECK(split("S&P 500;A") == Names{"S&P 500", "A"});
  CHECK(split("S&P 500 A") == Names{"S&P", "500", "A"});  // error messages say how to avoid this
  CHECK(split("D'Ieteren A") == Names{"D'Ieteren", "A"});
}

TEST_CASE("asset names: quotes keep names together") {
  CHECK(split("'S&P 500' A") == Names{"S&P 500", "A"});
  CHECK(split("A \"S&P 500\"") == Names{"A", "S&P 500"});
  CHECK(split("'A;B C';B") == Names{"A;B C", "B"});
  CHECK(split("\"two \"\"quotes\"\"\";A") == Names{"two \"quotes\"", "A"});
  CHECK(split("'D''Ieteren' A") == Names{"D'Ieteren", "A"});
  CHECK(contains(error_message("'S&P 500 A"), "the quote before `S&P 500 A` is not closed"));
  CHECK(contains(error_message("A;;B"), "a name in the list is empty"));
  CHECK(contains(error_message("A;B;"), "a name in the list is empty"));
  CHECK(contains(error_message("'';B"), "a name in the list is empty"));
}

TEST_CASE("CSV: lists of assets whose names contain blanks, in every notation") {
  for (const char* cell : {"S&P 500;Euro Stoxx 50", "'S&P 500' 'Euro Stoxx 50'",
                           "\"\"\"S&P 500\"\";\"\"Euro Stoxx 50\"\"\""}) {
    CAPTURE(cell);
    const TemporaryFile file(rows(cell));
    const PricingConfig config = read(file.key() + assets_with_blanks);
    REQUIRE(config.trades.size() == 1);
    REQUIRE(config.trades[0].assets.size() == 2);
    const auto name = [&](std::size_t i) {
      return config.market.assets[static_cast<std::size_t>(config.trades[0].assets[i])].name;
    };
    CHECK(name(0) == "S&P 500");
    CHECK(name(1) == "Euro Stoxx 50");
  }
}

TEST_CASE("CSV: the error of an invalid list of assets states the separators") {
  const auto message = [](const std::string& cell) {
    const TemporaryFile file(rows(cell));
    return error_of(file.key() + assets_with_blanks);
  };
  check_contains(message("S&P 500 A"), {":2:", "no asset `S&P`", "separate names by semicolons",
                                        "quote them", "`S&P 500`"});
  check_contains(message("S&P 500"), {":2:", "`assets` must have 2 to", "not 1", "semicolons"});
  check_contains(message("A|B"), {":2:", "must have 2 to", "semicolons"});
  check_contains(message("A;'B"), {":2:", "the quote before `B` is not closed"});
  check_contains(message("A;;B"), {":2:", "a name in the list is empty"});
  check_contains(message("A;Euro Stox 50"), {":2:", "no asset `Euro Stox 50`", "did you mean"});
}
