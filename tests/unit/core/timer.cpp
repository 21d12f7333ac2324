#include "gsim/core/timer.hpp"

#include <chrono>
#include <thread>

#include <doctest/doctest.h>

#include "gsim/core/build_info.hpp"

using namespace gsim;

TEST_CASE("region timer: time counts once, for the innermost region") {
  RegionTimer timer;
  const auto nap = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  {
    RegionTimer::Scope outer(&timer, "compute");
    nap();
    {
      RegionTimer::Scope inner(&timer, "reduce");
      nap();
    }
    nap();
  }
  {
    RegionTimer::Scope again(&timer, "reduce");
    nap();
  }
  REQUIRE(timer.regions().size() == 2);
  CHECK(timer.regions()[0].first == "compute");
  CHECK(timer.regions()[0].second >= 0.04);
  CHECK(timer.regions()[1].second >= 0.04);
  CHECK(timer.regions()[0].second + timer.regions()[1].second <= timer.total());
}

TEST_CASE("region timer: none is allowed") { RegionTimer::Scope nothing(nullptr, "x"); }

TEST_CASE("utc_now has the ISO 8601 form") {
  const std::string now = utc_now();
  REQUIRE(now.size() == 20);
  CHECK(now[10] == 'T');
  CHECK(now.back() == 'Z');
}

TEST_CASE("build info is filled") {
  CHECK(!build_info().version.empty());
  CHECK(!build_info().git_hash.empty());
  CHECK(build_info().compiler.find(' ') != std::string::npos);
  CHECK(build_info().flags.find("-ffp-contract=off") != std::string::npos);
}
