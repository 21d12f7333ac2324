// Dates of a build without QuantLib. The program that holds this test is linked with
// dates_missing.cpp, whatever libgsim was built with.

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "src/modules/pricing/market/market_dates.hpp"

using namespace gsim;
using namespace gsim::pricing;

namespace {

// The message from reading `text`, a table with a time `at`.
std::string error_of(const std::string& text) {
  ConfigFile file = ConfigFile::parse(text, "test.toml");
  try {
    file.read([](Section& s) {
      MarketDates dates;
      double at = 0;
      describe_market_dates(s, dates);
      s.optional("at", at, {.is_date = true});
    });
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a build without QuantLib accepts years, and says why it accepts no date") {
  const std::string why = "dates need QuantLib, and this gsim was built without it; install";
  CHECK(!has_dates());
  CHECK(error_of("at = 0.5").empty());
  CHECK(error_of("calendar = \"none\"\nat = 0.5").empty());
  CHECK(error_of("date = 2026-11-28").starts_with("test.toml:1:8: " + why));
  CHECK(error_of("calendar = \"TARGET\"").starts_with("test.toml:1:12: " + why));
  CHECK(error_of("at = 2026-11-28").starts_with("test.toml:1:6: `at`: " + why));
  CHECK(error_of("at = \"6M\"").find("set market.date") != std::string::npos);
}
