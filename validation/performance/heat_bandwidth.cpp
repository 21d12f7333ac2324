// How near the example plugin `heat` comes to what the memory can do: steps of the heat equation
// (examples/plugins/heat), halos and boundaries included, in turns with the triad of STREAM over
// arrays of the same size. A cell counts 16 bytes a step: it is read once and written once. (Both
// also read, unseen, each line that they write.)
//   benchmark_heat [cells along an edge] [threads] [ranks] [rounds]

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/exec/array.hpp"
#include "heat_module.hpp"
#include "validation/performance/timing.hpp"
#include "validation/performance/triad.hpp"

using namespace gsim;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string config(Index edge) {
  const std::string n = std::to_string(edge);
  return "[grid]\ncells = [" + n + ", " + n + ", " + n +
         "]\n[grid.z]\nlower = \"fixed\"\nupper = \"zero_gradient\"\n"
         "[heat]\ndiffusivity = 1.0\ntime_step = 0.1\nsteps = 1000000\nobserve_every = 1000000\n"
         "[start]\nkind = \"mode\"\nwaves = [1, 1, 1]\n";
}

/// GB/s of the triad and of heat, by round.
struct Rates {
  std::vector<double> triad, heat;
};

Rates measure(const Communicator& comm, Index edge, int threads, int rounds) {
  const Executor executor =
      cuda_devices().empty() ? Executor::host(threads) : Executor::cuda(comm.rank() % 8, threads);
  ConfigFile file = ConfigFile::parse(config(edge), "heat_bandwidth");
  heat::HeatModule module;
  file.read([&](Section& top) { module.configure(top); });
  Context context{comm, executor};
  context.buffers = executor.is_cuda() ? BufferPath::staged : BufferPath::host;
  module.plan(context);
  module.prepare();
  const Index count = edge * edge * edge / comm.size();
  Array<double> a(executor, count), b(executor, count), c(executor, count);
  const auto seconds = [&](const auto& body) {
    executor.synchronize();
    comm.barrier();
    const double start = now();
    body();
    executor.synchronize();
    comm.barrier();
    return now() - start;
  };
  Rates rates;
  const Index repeats = executor.is_cuda() ? 100 : 5;
  Index done = 0;
  for (int r = -1; r < rounds; ++r) {  // the first one touches the memory
    const double triad = seconds([&] {
      for (Index i = 0; i < repeats; ++i)
        benchmark_triad(executor, {a.view().data, b.view().data, c.view().data, 0.5, count});
    });
    const double heat = seconds([&] { module.advance(done, repeats); });
    done += repeats;
    if (r < 0) continue;
    const double gigabytes = 1e-9 * static_cast<double>(repeats * count * comm.size());
    rates.triad.push_back(triad_bytes * gigabytes / triad);
    rates.heat.push_back(16 * gigabytes / heat);
  }
  return rates;
}

}  // namespace

int main(int count, char** words) {
  const auto argument = [&](int k, int otherwise) {
    return count > k ? std::atoi(words[k]) : otherwise;
  };
  const Index edge = argument(1, 256);
  const int threads = argument(2, 0), ranks = argument(3, 1), rounds = argument(4, 11);
  Rates rates;
  std::string where;
  run_in_process(ranks, [&](Communicator comm) {
    const Rates found = measure(comm, edge, threads, rounds);
    if (comm.is_root()) rates = found;
  });
  std::vector<double> ratio;
  for (std::size_t r = 0; r < rates.heat.size(); ++r)
    ratio.push_back(rates.heat[r] / rates.triad[r]);
  std::printf(
      "%lld^3 cells, %d ranks of %s: triad %.2f GB/s, heat %.2f GB/s (%.3g cells/s), "
      "%.0f %% of the triad (medians of %d rounds; least %.0f %%, most %.0f %%)\n",
      static_cast<long long>(edge), ranks, Executor::host(threads).describe().c_str(),
      median(rates.triad), median(rates.heat), median(rates.heat) / 16e-9, 100 * median(ratio),
      rounds, 100 * *std::min_element(ratio.begin(), ratio.end()),
      100 * *std::max_element(ratio.begin(), ratio.end()));
}
