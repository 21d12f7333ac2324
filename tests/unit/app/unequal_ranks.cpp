// Runs in which one rank computes at a fortieth of the speed of the other: each module that divides
// its work by measured speeds gives the slow rank less of it.

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/comm/communicator.hpp"
#include "gsim/config/section.hpp"
#include "gsim/engine/driver.hpp"
#include "gsim/engine/module.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/modules/builtin.hpp"
#include "support/slow_thread.hpp"

using namespace gsim;

namespace {

struct Case {
  const char* module;
  const char* config;  ///< in validation/digests
  std::vector<std::string> settings;
  Index units, slice;
};

/// Processor time, in nanoseconds, of the two ranks in the last quarter of a run, of which each is
/// one thread. Ranks that wait take no processor time, so that this is the work that each has done.
std::array<long, 2> work_of_ranks(const Case& run) {
  std::array<long, 2> work{};
  run_in_process(2, [&](Communicator comm) {
    Registry registry;
    register_builtin_modules(registry);
    ConfigFile file =
        ConfigFile::load(std::string(GSIM_SOURCE_DIR "/validation/digests/") + run.config);
    for (const std::string& setting : run.settings) file.set(setting);
    const std::unique_ptr<Module> module = registry.find(run.module).factory(registry);
    const RunOptions options = RunOptions::read(file, *module);
    Context context{comm, Executor::host(1)};
    context.seed = options.seed;
    context.stop.max_samples = options.stop.max_samples;
    const Index units = module->plan(context).total_units;
    if (comm.is_root()) CHECK(units == run.units);
    module->prepare();
    std::optional<test::SlowThread> slow;
    if (comm.is_root()) slow.emplace(40);
    long before = 0;
    for (Index n = 0; n < run.units; n += run.slice) {
      if (4 * n <= 3 * run.units) before = test::thread_nanoseconds();
      module->advance(n, std::min(run.slice, run.units - n));
    }
    work[static_cast<std::size_t>(comm.rank())] = test::thread_nanoseconds() - before;
  });
  return work;
}

}  // namespace

TEST_CASE("unequal ranks: the slow one of two gets less than half of the work of the other") {
  const Case cases[] = {
      {"pricing", "european_and_asian.toml", {"stop.samples=1048576"}, 256, 32},
      {"transport",
       "transport/pulsed_shield.toml",
       {"transport.particles=400", "transport.batches=24"},
       24,
       1},
      {"md", "md/liquid.toml", {"md.steps=500", "start.cells=[24, 6, 6]"}, 500, 20},
  };
  for (const Case& run : cases) {
    CAPTURE(std::string(run.config));
    const auto [slow, fast] = work_of_ranks(run);
    MESSAGE(run.module << ": " << slow << " and " << fast << " ns");
    CHECK(2 * slow < fast);
  }
}
