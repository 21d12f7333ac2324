#pragma once
// Samples of trades with early exercise on a tile of paths: every path is exercised by the trade's
// policy, or the states of the paths are recorded for the regression that determines the policy.

#include "kernels/pricing/exercise/basis.hpp"
#include "kernels/pricing/exercise/control.hpp"
#include "kernels/pricing/exercise/exercised_sample.hpp"
#include "kernels/pricing/payoffs/evaluate.hpp"
#if defined(__CUDACC__)
#include "kernels/pricing/exercise/vanilla_exercise.hpp"
#endif

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Writes the undiscounted values of exercise of paths [first, last) at a date. Not inlined on
/// devices, so that every payoff is compiled into a kernel only once.
template <class Policy, class Payoffs, class T>
#if defined(__CUDACC__)
__noinline__
#endif
    GSIM_HD void
    exercise_values(const ExerciseDate<T>& date, Tile<T> tile, Index first, Index last, T* values) {
  evaluate_paths<Policy, Payoffs>(date.payoff, tile, first, last, values);
}

/// What is known of a range of paths while they are exercised, one value per path.
template <class T>
struct ExercisedPaths {
  T* value;     ///< undiscounted value of exercise at the date
  T* received;  ///< the payment, discounted to today
  T* alive;     ///< 1 until the path is exercised, then 0
  T* control;   ///< the control variate at exercise
};

/// The value of continuation at exercise date d, which has a regression.
template <class Policy, class P, class T>
GSIM_HD P continuation_of(const ExerciseTable<T>& table, int d, const Tile<T>& tile, const T* row,
                          P exercise_value) {
  P value = continuation_value(table, table.date[d], tile, row, exercise_value);
  if (table.decision_control.kind != ExerciseControl::none)
    value = value + control_at<Policy, P>(table.decision_control, d, false, tile, row);
  return value;
}

/// Exercises paths [first, last) of the tile, a whole number of packs P, at exercise date d;
/// paths.value is already set, and the values of `paths.control` are set only with `has_control`. A
/// path whose value of exercise is not a number receives it, so that its sample is reported.
template <class Policy, class P, class T>
GSIM_HD void exercise_at_date(const ExerciseTable<T>& table, int d, const Tile<T>& tile,
                              Index first, Index last, bool has_control,
                              const ExercisedPaths<T>& paths) {
  const ExerciseDate<T>& date = table.date[d];
  const bool is_last = d + 1 == table.dates;
  const P discount(static_cast<T>(date.payoff.discount)), zero(T(0));
  const P decision_discount(static_cast<T>(date.decision_discount));
  for (Index p = 0; p < last - first; p += lanes_of<P>) {
    const T* const row = record_row(tile, date.record, first + p);
    const P undiscounted = load<P>(paths.value + p), alive = load<P>(paths.alive + p);
    const P value = decision_discount * undiscounted;
    const auto is_alive = alive > zero;
    auto exercised = is_alive;
    if (!is_last) {
      const auto has_failed = is_alive & (value != value);
      exercised = is_alive & (value > P(table.threshold));
      if (!any(exercised | has_failed)) continue;
      if (date.side != 0) {
        const VariableView<T>& v = table.variables;
        const P x = P(v.weight[0]) * TileSpots<P, T>{&tile, row}[v.asset[0]];
        exercised = exercised & (P(T(date.side)) * (x - P(date.boundary)) >= zero);
      } else {
        exercised = exercised & (value >= continuation_of<Policy>(table, d, tile, row, value));
      }
      exercised = exercised | has_failed;
    }
    if (!any(exercised)) continue;
    const auto set = [&](T* at, P x) { store(at + p, select(exercised, x, load<P>(at + p))); };
    set(paths.received, discount * undiscounted);
    set(paths.alive, zero);
    if (has_control)
      set(paths.control, control_at<Policy, P>(table.control, d, is_last, tile, row));
  }
}

/// Exercises paths [first, last) of the tile, a whole number of packs P, at the dates from number
/// `from` on; the values of `paths.control` are set only with `has_control`.
template <class Policy, class P, class Payoffs, class T>
GSIM_HD void follow_policy(const ExerciseTable<T>& table, const Tile<T>& tile, int from,
                           Index first, Index last, bool has_control,
                           const ExercisedPaths<T>& paths) {
  for (Index p = 0; p < last - first; p += lanes_of<P>) store(paths.alive + p, P(T(1)));
  for (int d = from; d < table.dates; ++d) {
    if (table.date[d].functions == 0 && d + 1 < table.dates) continue;
    exercise_values<Policy, Payoffs>(table.date[d], tile, first, last, paths.value);
    exercise_at_date<Policy, P>(table, d, tile, first, last, has_control, paths);
    if constexpr (lanes_of<P> == 1) {  // a thread for each path
      if (!(*paths.alive > T(0))) return;
    }
  }
}

/// Records paths [first, last) of the tile, which are the samples from `sample` on, at exercise
/// date d; `values` are the undiscounted values of exercise.
template <class Policy, class P, class T>
GSIM_HD void record_date(const ExerciseTable<T>& table, const RecordedPaths& recorded, int d,
                         const Tile<T>& tile, Index sample, Index first, Index last,
                         const T* values) {
  const int variables = table.variables.count;
  const ExerciseDate<T>& date = table.date[d];
  const P discount(static_cast<T>(date.payoff.discount));
  const Index offset = d * recorded.paths + sample - recorded.first_sample;
  double* const value_at = recorded.value + offset;
  double* const variable_at = recorded.variable + offset + d * (variables - 1) * recorded.paths;
  for (Index p = 0; p < last - first; p += lanes_of<P>) {
    const P value = discount * load<P>(values + p);
    const T* const row = record_row(tile, date.record, first + p);
    P x[max_variables];
    regression_variables(table.variables, tile, row, value, x);
    T one[lanes_of<P>];
    const auto record = [&](double* at, P y) {
      store(one, y);
      for (int lane = 0; lane < lanes_of<P>; ++lane) at[lane] = static_cast<double>(one[lane]);
    };
    record(value_at + p, value);
    for (int i = 0; i < variables; ++i) record(variable_at + i * recorded.paths + p, x[i]);
    if (recorded.control != nullptr)
      record(recorded.control + offset + p,
             control_at<Policy, P>(table.control, d, d + 1 == table.dates, tile, row));
  }
}

/// Writes the undiscounted values of exercise at date d of the tile's paths from `offset` on, those
/// of all samples, to job.sample.
template <class T>
inline void launch_values(const Executor& executor, const ExerciseJob<T>& job, int d,
                          Index offset) {
  PayoffJob<T> call = job.launched[d].job;
  call.discount = 1;
  call.tile = job.tile;
  call.tile.data += offset;
  call.samples = job.samples;
  call.antithetic_offset = 0;
  call.values = job.values;
  call.sample = job.sample;
  job.launched[d].sample(executor, call);
}

#if defined(__CUDACC__)

/// Sample i of a job or of its targets, whatever the trade.
template <class Policy, class T>
struct SampleExercise {
  ExerciseJob<T> job;

  GSIM_HD void operator()(Index i) const {
    sample_exercised_path(
        job, i, [&](const ExercisedSample<T>& s, Index path, T& received, T& control) {
          T value = 0, alive = 0;
          follow_policy<Policy, T, T>(*s.table, s.tile,
                                      first_date(job, job.first_sample + s.sample), path, path + 1,
                                      s.has_control, {&value, &received, &alive, &control});
        });
  }
};

/// Records path i mod samples of the tile at date i / samples.
template <class Policy, class T>
struct RecordState {
  ExerciseJob<T> job;

  GSIM_HD void operator()(Index i) const {
    const int d = static_cast<int>(i / job.samples);
    const Index path = i % job.samples;
    T value = 0;
    exercise_values<Policy, T>(job.table->date[d], job.tile, path, path + 1, &value);
    record_date<Policy, T>(*job.table, job.recorded, d, job.tile, job.first_sample + path, path,
                           path + 1, &value);
    if (d == 0) job.sample[path] = 0;
  }
};

/// What is known of the tile's paths from `first` on, in the work space of a job.
template <class T>
GSIM_HD ExercisedPaths<T> exercised_paths(const ExerciseJob<T>& job, Index first) {
  T* const at = job.values + first;
  const Index paths = job.tile.stride;
  return {at, at + paths, at + 2 * paths, at + 3 * paths};
}

/// Exercises path offset + i of the tile, or records it, at date d of a payoff that has launchers;
/// job.sample[i] is the undiscounted value of exercise.
template <class Policy, class T>
struct ExercisePath {
  ExerciseJob<T> job;
  Index offset;
  int d;
  bool is_first;  ///< whether no date came before

  GSIM_HD void operator()(Index i) const {
    const Index path = offset + i, sample = job.first_sample + i;
    T value = static_cast<T>(job.sample[i]);
    if (job.recorded.value != nullptr)
      return record_date<Policy, T>(*job.table, job.recorded, d, job.tile, sample, path, path + 1,
                                    &value);
    ExercisedPaths<T> paths = exercised_paths(job, path);
    paths.value = &value;
    if (is_first) *paths.alive = 1;
    if (d >= first_date(job, sample))
      exercise_at_date<Policy, T>(*job.table, d, job.tile, path, path + 1,
                                  job.control_sample != nullptr, paths);
  }
};

/// Sets sample i after the last date.
template <class T>
struct FinishExercise {
  ExerciseJob<T> job;

  GSIM_HD void operator()(Index i) const {
    if (job.recorded.value != nullptr) {
      job.sample[i] = 0;
      return;
    }
    const bool has_control = job.control_sample != nullptr;
    const ExercisedPaths<T> paths = exercised_paths(job, i);
    auto v = static_cast<double>(*paths.received);
    auto c = has_control ? static_cast<double>(*paths.control) : 0.0;
    if (job.antithetic_offset > 0) {
      v = 0.5 * (v + static_cast<double>(paths.received[job.antithetic_offset]));
      if (has_control) c = 0.5 * (c + static_cast<double>(paths.control[job.antithetic_offset]));
    }
    job.sample[i] = v;
    if (has_control) job.control_sample[i] = c;
  }
};

/// Computes all samples of a job whose payoff has launchers.
template <class Policy, class T>
void sample_launched_exercise(const Executor& executor, const ExerciseJob<T>& job) {
  bool is_first = true;
  for (int d = 0; d < job.dates; ++d) {
    if (job.launched[d].sample == nullptr) continue;
    for (int m = 0; m < (job.antithetic_offset > 0 ? 2 : 1); ++m) {
      const Index offset = m * job.antithetic_offset;
      launch_values(executor, job, d, offset);
      launch(executor, "pricing: exercise", job.samples,
             ExercisePath<Policy, T>{job, offset, d, is_first});
    }
    is_first = false;
  }
  launch(executor, "pricing: exercised", job.samples, FinishExercise<T>{job});
}

/// Launches Kernel for all samples of a job or of its targets.
template <class Kernel, class T>
void launch_exercise(const Executor& executor, const ExerciseJob<T>& job) {
  launch(executor, "pricing: exercise",
         (job.target != nullptr ? job.targets : Index{1}) * job.samples, Kernel{job},
         exercise_threads);
}

/// Computes all samples of a job, asynchronously on the executor's stream.
template <class Policy, class T>
void sample_exercise(const Executor& executor, const ExerciseJob<T>& job) {
  if (job.launched != nullptr && !job.exercised_today)
    return sample_launched_exercise<Policy>(executor, job);
  if (job.recorded.value != nullptr)
    return launch(executor, "pricing: record", job.dates * job.samples,
                  RecordState<Policy, T>{job});
  if (job.is_vanilla) return launch_exercise<SampleVanillaExercise<Policy, T>>(executor, job);
  launch_exercise<SampleExercise<Policy, T>>(executor, job);
}

#else

/// Records paths [first, last) of the tile, which are the samples from `sample` on.
template <class Policy, class P, class Payoffs, class T>
GSIM_HD void record_states(const ExerciseTable<T>& table, const RecordedPaths& recorded,
                           const Tile<T>& tile, Index sample, Index first, Index last, T* values) {
  for (int d = 0; d < table.dates; ++d) {
    exercise_values<Policy, Payoffs>(table.date[d], tile, first, last, values);
    record_date<Policy, P>(table, recorded, d, tile, sample, first, last, values);
  }
}

/// Writes the samples of exercised paths, and those of their control variates.
template <class T>
inline void finish_samples(const ExerciseJob<T>& job, const ExercisedPaths<T>& paths) {
  discount_samples(1, paths.received, job.samples, job.antithetic_offset, job.sample);
  if (job.control_sample != nullptr)
    discount_samples(1, paths.control, job.samples, job.antithetic_offset, job.control_sample);
}

/// Exercises the tile's paths from `offset` on, those of all samples, or records them, at date d of
/// a payoff that has launchers.
template <class Policy, class T>
inline void exercise_launched(const Executor& executor, const ExerciseJob<T>& job, int d,
                              Index offset, const ExercisedPaths<T>& all) {
  using P = packed<T>;
  launch_values(executor, job, d, offset);
  for (Index s = 0; s < job.samples; ++s) all.value[s] = static_cast<T>(job.sample[s]);
  if (job.recorded.value != nullptr)
    return record_date<Policy, P>(*job.table, job.recorded, d, job.tile, job.first_sample, offset,
                                  offset + job.samples, all.value);
  exercise_at_date<Policy, P>(
      *job.table, d, job.tile, offset, offset + job.samples, job.control_sample != nullptr,
      {all.value, all.received + offset, all.alive + offset, all.control + offset});
}

/// Computes all samples of a job whose payoff has launchers.
template <class Policy, class T>
inline void sample_launched_exercise(const Executor& executor, const ExerciseJob<T>& job,
                                     const ExercisedPaths<T>& paths) {
  const bool is_recorded = job.recorded.value != nullptr;
  for (Index p = 0; p < job.samples + job.antithetic_offset; ++p) paths.alive[p] = 1;
  for (int d = is_recorded ? 0 : first_date(job, job.first_sample); d < job.dates; ++d) {
    if (job.launched[d].sample == nullptr) continue;
    exercise_launched<Policy>(executor, job, d, 0, paths);
    if (job.antithetic_offset > 0)
      exercise_launched<Policy>(executor, job, d, job.antithetic_offset, paths);
  }
  if (!is_recorded) return finish_samples(job, paths);
  for (Index s = 0; s < job.samples; ++s) job.sample[s] = 0;
}

/// Computes all samples of a job, in the calling thread, which has its own tile.
template <class Policy, class T>
inline void sample_exercise(const Executor& executor, const ExerciseJob<T>& job) {
  using P = packed<T>;
  using Payoffs = PayoffGroup<T>;
  const Index paths = job.samples + job.antithetic_offset;
  T* const values = job.values;
  const ExercisedPaths<T> exercised{values, values + paths, values + 2 * paths, values + 3 * paths};
  if (job.launched != nullptr && !job.exercised_today)
    return sample_launched_exercise<Policy>(executor, job, exercised);
  if (job.recorded.value != nullptr) {
    record_states<Policy, P, Payoffs>(*job.table, job.recorded, job.tile, job.first_sample, 0,
                                      job.samples, values);
    for (Index s = 0; s < job.samples; ++s) job.sample[s] = 0;
    return;
  }
  if (job.exercised_today) {
    for (Index s = 0; s < job.samples; ++s) job.sample[s] = job.table->value_today;
    return;
  }
  follow_policy<Policy, P, Payoffs>(*job.table, job.tile, first_date(job, job.first_sample), 0,
                                    paths, job.control_sample != nullptr, exercised);
  finish_samples(job, exercised);
}

#endif

}  // namespace pricing_kernels
GSIM_TARGET_END
