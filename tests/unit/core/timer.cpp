#include "gsim/core/timer.hpp"

#include <chrono>
#include <thread>

#include <doctest/doctest.h>

#include "gsim/core/build_info.hpp"

using namespace gsim;

TEST_CASE("region timer: time is counted in the innermost region only") {
  RegionTimer timer;
  const auto sleep_20_ms = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  {
    RegionTimer::Scope outer(&timer, "compute");
    sleep_20_ms();
    {
      RegionTimer::Scope inner(&timer, "reduce");
      sleep_20_ms();
    }
    sleep_20_ms();
  }
  {
    RegionTimer::Scope second(&timer, "reduce");
    sleep_20_ms();
  }
  REQUIRE(timer.regions().size() == 2);
  CHECK(timer.regions()[0].name == "compute");
  CHECK(timer.regions()[0].seconds >= 0.04);
  CHECK(timer.regions()[1].seconds >= 0.04);
  CHECK(timer.regions()[0].seconds + timer.regions()[1].seconds <= timer.total());
}

TEST_CASE("region timer: waiting time is counted once, in the region in which it occurs") {
  RegionTimer timer;
  const auto sleep_20_ms = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  const auto wait = [&] {
    const WaitScope outer, inner;
    sleep_20_ms();
  };
  const double before = seconds_waited();
  wait();  // outside all regions
  {
    RegionTimer::Scope compute(&timer, "compute");
    sleep_20_ms();
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

TEST_CASE("region timer: a null timer is allowed") { RegionTimer::Scope unused(nullptr, "x"); }

TEST_CASE("utc_now has the ISO 8601 form") {
  const std::string now = utc_now();
  REQUIRE(now.size() == 20);
  CHECK(now[10] == 'T');
  CHECK(now.back() == 'Z');
}

TEST_CASE("build_info() has version, git hash, compiler and flags") {
  CHECK(!build_info().version.empty());
  CHECK(!build_info().git_hash.empty());
  CHECK(build_info().compiler.find(' ') != std::string::npos);
  CHECK(build_info().flags.find("-ffp-contract=off") != std::string::npos);
}
