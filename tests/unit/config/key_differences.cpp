#include "gsim/config/key_differences.hpp"

#include <doctest/doctest.h>

using namespace gsim;

TEST_CASE(
    "key_differences: changed, missing and added keys, with elements of arrays by their names") {
  const char* first = R"(seed = 1
threads = 2

[market.assets.SPX]
spot = 100.0

[[trades]]
id = "A = 1"
strike = 90.0

[[trades]]
strike = 80.0

[[trades.legs]]
rate = 0.01
)";
  const char* second = R"(seed = 2
threads = 2

[market.assets.SPX]
spot = 100.0
model = "heston"

[[trades]]
id = "A = 1"
strike = 95.0

[[trades]]
strike = 80.0

[[trades.legs]]
rate = 0.02
)";
  const std::vector<KeyDifference> d = key_differences(first, second);
  REQUIRE(d.size() == 4);
  CHECK(d[0].key == "seed");
  CHECK(d[0].first == "1");
  CHECK(d[0].second == "2");
  CHECK(d[1].key == "trades[A = 1].strike");
  CHECK(d[2].key == "trades[2].legs[1].rate");
  CHECK(d[2].first == "0.01");
  CHECK(d[2].second == "0.02");
  CHECK(d[3].key == "market.assets.SPX.model");
  CHECK(d[3].first.empty());
  CHECK(key_differences(first, first).empty());
}
