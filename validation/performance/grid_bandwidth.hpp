#pragma once
// Compares the speed of a module that computes on a grid, including its steps, halos and
// boundaries, with the memory bandwidth, measured alternately by the triad of STREAM over arrays of
// the same size.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/engine/module.hpp"
#include "gsim/exec/array.hpp"
#include "validation/performance/timing.hpp"
#include "validation/performance/triad.hpp"

namespace gsim {

/// GB/s of the triad, of the triad with streaming stores, and of the module, by round.
struct Rates {
  std::vector<double> triad, streamed, module;
};

/// A configuration of edge^3 cells, and the bytes counted per cell and step.
struct GridCase {
  const char* name;
  std::function<std::string(Index edge)> config;
  double bytes;
};

inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// On nodes of up to eight GPUs every rank has its own.
inline Executor executor_of(int rank, int threads) {
  return cuda_devices().empty() ? Executor::host(threads) : Executor::cuda(rank % 8, threads);
}

template <class AnyModule>
Rates measure(const GridCase& grid_case, const Communicator& comm, Index edge, int threads,
              int rounds) {
  const Executor executor = executor_of(comm.rank(), threads);
  ConfigFile file = ConfigFile::parse(grid_case.config(edge), grid_case.name);
  AnyModule module;
  configure(module, file);
  Context context{comm, executor};
  context.buffers = executor.is_cuda() ? BufferPath::staged : BufferPath::host;
  module.plan(context);
  module.prepare();
  const Index cells = edge * edge * edge / comm.size();
  const Index count = std::max(cells, (Index{1} << 24) / comm.size());  // exceeds all caches
  Array<double> a(executor, count), b(executor, count), c(executor, count);
  const auto seconds = [&](const auto& body) {
    executor.synchronize();
    comm.barrier();
    const double start = wall_seconds();
    body();
    executor.synchronize();
    comm.barrier();
    return wall_seconds() - start;
  };
  Rates rates;
  const Index repeats = executor.is_cuda() ? 100 : 5;
  Index done = 0;
  for (int r = -1; r < rounds; ++r) {  // the first round touches the memory
    const auto triad = [&](bool is_streamed) {
      return seconds([&] {
        for (Index i = 0; i < repeats; ++i)
          benchmark_triad(executor,
                          {a.view().data, b.view().data, c.view().data, 0.5, count, is_streamed});
      });
    };
    const double plain = triad(false), streamed = triad(true);
    const double steps = seconds([&] { module.advance(done, repeats); });
    done += repeats;
    if (r < 0) continue;
    const double giga = 1e-9 * static_cast<double>(repeats * comm.size());
    rates.triad.push_back(triad_bytes * giga * static_cast<double>(count) / plain);
    rates.streamed.push_back(triad_bytes * giga * static_cast<double>(count) / streamed);
    rates.module.push_back(grid_case.bytes * giga * static_cast<double>(cells) / steps);
  }
  return rates;
}

/// The program: [cells along an edge] [threads] [ranks] [rounds].
template <class AnyModule>
void measure_grid(const GridCase& grid_case, int default_edge, int argc, char** argv) {
  const auto argument = [&](int k, int default_value) {
    return argc > k ? std::atoi(argv[k]) : default_value;
  };
  const Index edge = argument(1, default_edge);
  const int threads = argument(2, 0), ranks = argument(3, 1), rounds = argument(4, 11);
  Rates rates;
  run_in_process(ranks, [&](Communicator comm) {
    const Rates measured = measure<AnyModule>(grid_case, comm, edge, threads, rounds);
    if (comm.is_root()) rates = measured;
  });
  std::vector<double> ratio, ratio_to_streamed;
  for (std::size_t r = 0; r < rates.module.size(); ++r) {
    ratio.push_back(rates.module[r] / rates.triad[r]);
    ratio_to_streamed.push_back(rates.module[r] / rates.streamed[r]);
  }
  std::printf(
      "%lld^3 cells, %d ranks of %s: triad %.2f GB/s, %s %.2f GB/s (%.3g cells/s), "
      "%.0f %% of the triad (medians of %d rounds; lowest %.0f %%, highest %.0f %%), %.0f %% of "
      "the "
      "%.2f GB/s of a triad with streaming stores\n",
      static_cast<long long>(edge), ranks, executor_of(0, threads).describe().c_str(),
      median(rates.triad), grid_case.name, median(rates.module),
      median(rates.module) / grid_case.bytes * 1e9, 100 * median(ratio), rounds,
      100 * *std::min_element(ratio.begin(), ratio.end()),
      100 * *std::max_element(ratio.begin(), ratio.end()), 100 * median(ratio_to_streamed),
      median(rates.streamed));
}

}  // namespace gsim
