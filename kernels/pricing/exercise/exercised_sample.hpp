#pragma once
// The paths of a sample of an ExerciseJob, and what their exercise gives.

#include "kernels/pricing/exercise/exercise_job.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {
using namespace gsim::pricing;

/// The first row of a record at a path.
template <class T>
GSIM_HD const T* record_row(const Tile<T>& tile, std::int32_t record, Index path) {
  return tile.data + record * tile.rows * tile.stride + path;
}

/// The first exercise date of the paths of a sample.
template <class T>
GSIM_HD int first_date(const ExerciseJob<T>& job, Index sample) {
  return job.branches.is_nested() ? job.branches.at(static_cast<std::uint64_t>(sample)).date + 1
                                  : 0;
}

#if defined(__CUDACC__)

/// A sample of a trade in one of the markets of a job.
template <class T>
struct ExercisedSample {
  const ExerciseTable<T>* table;
  Tile<T> tile;  ///< with the rows of the market
  Index sample;  ///< of the job
  Index at;      ///< its position in ExerciseJob::sample
  bool has_control;
};

/// Sample i mod samples of a job or, with targets, of trade i / samples.
template <class T>
GSIM_HD ExercisedSample<T> exercised_sample(const ExerciseJob<T>& job, Index i) {
  ExercisedSample<T> s{job.table, job.tile, i, i, job.control_sample != nullptr};
  if (job.target != nullptr) {
    const ExerciseTarget<T>& target = job.target[i / job.samples];
    s.sample = i % job.samples;
    s.at = target.at + s.sample;
    s.table = target.table;
    s.tile.asset = target.asset;
    s.has_control = target.samples_control;
  }
  return s;
}

/// Writes sample i of a job; follow(s, path, received, control) sets what a path of the sample s
/// receives, discounted to today, and its control variate.
template <class T, class Follow>
GSIM_HD void sample_exercised_path(const ExerciseJob<T>& job, Index i, const Follow& follow) {
  const ExercisedSample<T> s = exercised_sample(job, i);
  double sample = s.table->value_today, control_sample = 0;
  const int paths = s.table->exercised_today ? 0 : job.antithetic_offset > 0 ? 2 : 1;
  T received = 0, control = 0;
  GSIM_NO_UNROLL
  for (int m = 0; m < paths; ++m) {
    follow(s, s.sample + m * job.antithetic_offset, received, control);
    const auto v = static_cast<double>(received), c = static_cast<double>(control);
    sample = m == 0 ? v : 0.5 * (sample + v);
    control_sample = m == 0 ? c : 0.5 * (control_sample + c);
  }
  job.sample[s.at] = sample;
  if (s.has_control) job.control_sample[s.at] = control_sample;
}

#endif

}  // namespace pricing_kernels
GSIM_TARGET_END
