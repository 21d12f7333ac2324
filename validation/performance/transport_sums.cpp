// The cost of order-independent sums, which add scores as fixed-point integers: a generation of
// neutrons is run with these sums and with sums of doubles in turn, from the same fission sites.
// All other code is the same.
//   benchmark_transport_sums CONFIG [rounds]

#include "validation/performance/transport_sums.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "src/modules/transport/eigenvalue/initial_source.hpp"
#include "src/modules/transport/simulation/system.hpp"
#include "src/modules/transport/tallies/tally_set.hpp"
#include "src/modules/transport/tracking/growing_lists.hpp"
#include "validation/performance/timing.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

using Run = void (*)(const Executor&, const HistoriesArgs&);
struct Variant {
  const char* name;
  Run run;
  std::vector<double> seconds;
};

void compare(const TransportConfig& config, const System& system, TallySet* tallies,
             std::vector<FissionSite>& sites, int rounds) {
  const Executor executor = Executor::host(1);
  GrowingLists<FissionSite> sites_of_chunks;
  GrowingLists<CrossingRecord> crossings;
  GrowingLists<BankedParticle> secondaries;
  GrowingLists<SuspendedParticle> departures, suspended;
  HistoriesArgs args;
  args.geometry = system.geometry_view();
  args.materials = system.materials();
  args.rules = config.rules;
  args.key = stream_key({/*seed=*/7, Purpose::transport_history});
  args.count = static_cast<Index>(sites.size());
  args.sites = {sites.data(), args.count};
  if (tallies != nullptr) {
    args.tallies = tallies->view();
    args.tally_sinks = tallies->sinks();
  }
  Variant variants[] = {{"fixed point", &transport_histories, {}},
                        {"doubles", &transport_histories_real_sums, {}}};
  for (int round = 0; round < rounds; ++round) {
    for (Variant& variant : variants) {
      HistoryScores scores;
      const auto chunks =
          static_cast<std::size_t>((args.count + args.chunk_size - 1) / args.chunk_size);
      args.fission_sites = sites_of_chunks.cleared(chunks);
      args.crossings = crossings.cleared(chunks);
      args.secondaries = secondaries.cleared(1);
      args.departures = departures.cleared(1);
      args.suspended = suspended.cleared(1);
      args.scores = &scores;
      const double begin = thread_cpu_seconds();
      variant.run(executor, args);
      variant.seconds.push_back(thread_cpu_seconds() - begin);
      if (tallies != nullptr) tallies->drop_batch();
    }
    std::swap(variants[0], variants[1]);
  }
  if (variants[0].run != &transport_histories) std::swap(variants[0], variants[1]);
  const double fixed_point = median(variants[0].seconds), doubles = median(variants[1].seconds);
  std::printf("%-10s %9.0f neutrons/s by %s, %9.0f by %s: cost %+.1f %%\n",
              tallies != nullptr ? "tallies" : "no tallies",
              static_cast<double>(args.count) / fixed_point, variants[0].name,
              static_cast<double>(args.count) / doubles, variants[1].name,
              100 * (fixed_point / doubles - 1));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: benchmark_transport_sums CONFIG [rounds]\n");
    return 2;
  }
  TransportConfig config;
  ConfigFile file = ConfigFile::load(argv[1]);
  file.read([&](Section& top) {
    std::string module;
    Index seed = 0;
    top.optional("module", module, {.doc = ""});
    top.optional("seed", seed, {.doc = ""});
    describe_transport(top, config);
  });
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 11;
  const Executor executor = Executor::host(1);
  const System system(config, executor, /*seed=*/7);
  const Index particles = std::min(config.particles, Index{20000});
  std::vector<FissionSite> sites = initial_source(
      {system.geometry().view(), system.host_materials(), system.host_sources(), system.box(),
       /*seed=*/7},
      executor.pool(), {0, particles});
  compare(config, system, nullptr, sites, rounds);
  TallySet tallies(Communicator::self(), executor, system.tallies(), {});
  if (!tallies.empty()) compare(config, system, &tallies, sites, rounds);
}
