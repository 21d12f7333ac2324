#include "src/modules/pricing/checks/memory_forecast.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/pricing/job.hpp"
#include "src/modules/pricing/statistics/sample_sums.hpp"

namespace gsim::pricing {
namespace {

// Resident memory of the program with its libraries, including MPI and HDF5; measured.
constexpr double process_bytes = 37e6;
// Bytes per trade for configuration, set-up, remarks and result rows, measured with 10^5 options
// from a CSV file; the lane sums of every thread are added to this.
constexpr double trade_bytes = 4000;
// Bytes per date of a trade: 8 each in its set-up, in the host copy of the tables, and in the
// tables of the executor.
constexpr double date_bytes = 24;
// Bytes per step of the grid, and per step and asset for drift, variance and tables.
constexpr double step_bytes = 40, asset_step_bytes = 64;
// A tile fits the second-level cache if possible (path_engine.cpp).
constexpr double host_tile_bytes = 256 << 10, cuda_tile_bytes = 1 << 30;
constexpr double cuda_samples_in_flight = 1 << 18;

// Bytes per exercise date of a trade: the set-up of its value, its policy, and the tables of the
// host and of the executor.
constexpr double exercise_date_bytes = 2600;
// Bytes of a constant of a payoff in these three places.
constexpr double exercise_number_bytes = 3 * sizeof(double);

double evaluations(const EvaluationSchedule& schedule) {
  double count = 0;
  for (Index done = 0; done < schedule.total(); done = schedule.next(done)) ++count;
  return count;
}

// Bytes per sample of paths recorded at every date: spot, its logarithm, and the extremes between
// dates.
double bytes_per_sample(const Simulation& s) {
  double rows = 0;
  for (const AssetDynamics& a : s.assets)
    rows += 2 + (a.need_maximum ? 1 : 0) + (a.need_minimum ? 1 : 0);
  const double size = s.precision == Precision::float64 ? sizeof(double) : sizeof(float);
  return rows * static_cast<double>(s.grid.recorded_dates) * size * (s.antithetic ? 2 : 1);
}

}  // namespace

double exercise_bytes(const PortfolioSize& size, const ExerciseOptions& options, int ranks) {
  constexpr double block = 4096, outer_block = 64;
  // Of a path and date: the control variate; of an inner simulation its branch, statistics and
  // mean.
  constexpr double control_bytes = sizeof(double);
  constexpr double inner_bytes = 2 * sizeof(Index) + sizeof(BlockStatistics) + sizeof(double);
  const auto of_rank = [&](double paths, double unit) {
    return std::ceil(std::ceil(paths / unit) / ranks) * unit;
  };
  const auto values = static_cast<double>(size.values_per_path);
  const double regression = of_rank(static_cast<double>(options.paths), block) * values *
                            (sizeof(double) + control_bytes);
  if (!options.upper_bound) return regression;
  const double outer = of_rank(static_cast<double>(options.outer_paths), outer_block) * values *
                       (2 * sizeof(double) + control_bytes + inner_bytes);
  return std::max(regression, outer);
}

double memory_forecast(const Simulation& s, const PortfolioSize& size, double bytes_of_exercise,
                       const Executor& executor, const EvaluationSchedule& schedule) {
  const auto trades = static_cast<double>(size.trades);
  const auto steps = static_cast<double>(s.grid.times.size());
  const auto replicates = static_cast<double>(s.replicates);
  const auto dates = static_cast<double>(size.dates);
  // Bytes of the numbers per step of plugins' models, which are held in the dynamics, in the host
  // copy of the tables, and in the tables of the executor.
  double step_numbers = 0;
  for (const AssetDynamics& a : s.assets)
    step_numbers += 3 * sizeof(double) * static_cast<double>(a.step_numbers.size());
  const double threads = executor.is_cuda() ? 1 : executor.threads();
  const double in_flight =
      executor.is_cuda() ? std::min(cuda_tile_bytes, cuda_samples_in_flight * bytes_per_sample(s))
                         : threads * std::max(host_tile_bytes, pricing_kernels::host_group_lanes *
                                                                   bytes_per_sample(s));
  // On average half of the levels of a merge stack hold a node; there are three copies: the running
  // sums, the sums of a slice, and the messages between ranks.
  const Index blocks = schedule.total() / s.replicates;
  const double nodes = 1 + 0.5 * std::bit_width(static_cast<std::uint64_t>(blocks));
  // Each of the two stacks holds its nodes in a vector, whose own size is counted, too.
  const double sums =
      replicates * (2 * sizeof(std::vector<int>) +
                    nodes * (2 * sizeof(MergeStack<BlockStatistics>::Node) + sizeof(PackedNode)));
  // HistoryEntry: trade, samples, price and standard error at each evaluation.
  const double history = evaluations(schedule) * 4 * sizeof(double);
  const double lanes = threads * sizeof(pricing_kernels::LaneSums);
  return process_bytes + trades * (trade_bytes + lanes + sums + history) + date_bytes * dates +
         steps * (step_bytes + asset_step_bytes * static_cast<double>(s.assets.size())) +
         step_numbers + in_flight + exercise_date_bytes * static_cast<double>(size.exercise_dates) +
         exercise_number_bytes * static_cast<double>(size.exercise_numbers) + bytes_of_exercise;
}

}  // namespace gsim::pricing
