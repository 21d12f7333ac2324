#include "gsim/core/timer.hpp"

#include <chrono>
#include <thread>

#include <doctest/doctest.h>

#include "gsim/core/build_info.hpp"
#include "gsim/core/wait_time.hpp"

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
  CHECK(timer.regions()[0].name == "compute");
  CHECK(timer.regions()[0].seconds >= 0.04);
  CHECK(timer.regions()[1].seconds >= 0.04);
  CHECK(timer.regions()[0].seconds + timer.regions()[1].seconds <= timer.total());
}

TEST_CASE("region timer: waiting is counted separately, once, in its region") {
  RegionTimer timer;
  const auto nap = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  const auto wait = [&] {
    const WaitScope outer, inner;
    nap();
  };
  const double before = seconds_waited();
  wait();  // outside all regions
  {
    RegionTimer::Scope compute(&timer, "compute");
    nap();
    {
      RegionTimer::Scope halo(&timer, "halo");
      wait();
    }
    wait();
    wait();
  }
  REQUIRE(timer.regions().size() == 2);
  const RegionTime &compute = timer.regions()[0], &halo = timer.regions()[1];
  CHECK(compute.waited >= 0.04);
  CHECK(compute.seconds - compute.waited >= 0.02);
  CHECK(halo.waited >= 0.02);
  CHECK(halo.waited <= halo.seconds);
  CHECK(seconds_waited() - before >= compute.waited + halo.waited + 0.02);
  CHECK(seconds_waited() - before <= timer.total());
  std::thread([] { CHECK(seconds_waited() == 0); }).join();
}

TEST_CASE("region timer: a null timer is allowed") { RegionTimer::Scope nothing(nullptr, "x"); }

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
