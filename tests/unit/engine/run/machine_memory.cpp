#include "src/engine/run/machine_memory.hpp"

#include <vector>

#include <doctest/doctest.h>

using namespace gsim;

TEST_CASE(
    "machine memory: a forecast far above the memory is refused, one slightly above gives a "
    "warning") {
  std::vector<std::string> warnings;
  Context context{Communicator::self(), Executor::host(1)};
  context.warn = [&](const std::string& text) { warnings.push_back(text); };
  WorkPlan plan;
  const auto check_bytes = [&](double bytes) {
    plan.bytes_per_rank = bytes;
    engine::check_memory(context, plan, 24e9);
  };
  check_bytes(24e9);
  CHECK(warnings.empty());
  check_bytes(30e9);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0] == "a rank needs 30 GB of memory by the forecast, and this machine has 24 GB");
  CHECK_THROWS_AS(check_bytes(144e12), InputError);
  CHECK(warnings.size() == 1);
  context.forecast_ranks = 512;  // spread over other machines
  check_bytes(144e12);
  CHECK(warnings.size() == 2);
  CHECK(engine::machine_memory() > 1e6);
}
