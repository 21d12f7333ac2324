// The text that is displayed while a long file is read.

#include "src/app/input/reading_display.hpp"

#include <doctest/doctest.h>

using namespace gsim::app;

TEST_CASE("reading_text() gives numbers of rows above a million in millions") {
  CHECK(reading_text("trades.csv", 1.2e6, 2.1e6) == "reading trades.csv: 1.2 of 2.1 million rows");
  CHECK(reading_text("trades.csv", 1000, 50000) == "reading trades.csv: 1000 of 50000 rows");
}
