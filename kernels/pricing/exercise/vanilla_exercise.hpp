#pragma once
// Early exercise of vanilla trades (ExerciseJob::is_vanilla) on a device, with the bits of
// sample_exercise.hpp. Loads that do not depend on each other are issued together, and all values
// stay in registers. The kernel for all trades has the functions of the regression in memory and
// needs so many registers that a multiprocessor has room for two thirds of the paths.

#include "kernels/pricing/exercise/basis.hpp"
#include "kernels/pricing/exercise/control.hpp"
#include "kernels/pricing/exercise/exercised_sample.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Number of threads of a block that exercises paths: small, so that more blocks fit the registers
/// of a multiprocessor.
inline constexpr int exercise_threads = 64;

/// The underlying of a vanilla trade, with the bits of SingleUnderlying and CombinedUnderlying.
template <class T>
GSIM_HD T vanilla_underlying(const PayoffView<T>& terms, const Tile<T>& tile, const T* record) {
  constexpr int at_once = 8;  // assets whose spots are loaded together
  const std::int32_t* const asset = terms.asset;
  const T* const weight = terms.weight;
  T underlying(0);
  GSIM_NO_UNROLL
  for (int first = 0; first < terms.assets; first += at_once) {
    const int assets = terms.assets - first;
    std::int32_t row[at_once];
    T spot[at_once], w[at_once];
    GSIM_UNROLL
    for (int a = 0; a < at_once; ++a) row[a] = a < assets ? asset[first + a] : 0;
    issue_loads();
    GSIM_UNROLL
    for (int a = 0; a < at_once; ++a) row[a] = a < assets ? tile.asset[row[a]].spot : 0;
    issue_loads();
    GSIM_UNROLL
    for (int a = 0; a < at_once; ++a) {
      spot[a] = a < assets ? record[row[a] * tile.stride] : T(0);
      w[a] = a < assets ? weight[first + a] : T(0);
    }
    issue_loads();
    if (terms.combination == Combination::single) return spot[0];
    GSIM_UNROLL
    for (int a = 0; a < at_once; ++a) {
      if (a >= assets) break;
      if (first + a == 0)
        underlying = spot[a] * w[a];
      else if (terms.combination == Combination::weighted_sum)
        underlying = fma(w[a], spot[a], underlying);
      else
        underlying = terms.combination == Combination::best_of
                         ? at_least(w[a] * spot[a], underlying)
                         : at_most(w[a] * spot[a], underlying);
    }
  }
  return underlying;
}

/// control_at() of ExerciseControl::spots at date d.
template <class T>
GSIM_HD T control_of_forwards(const ControlView<T>& control, int d, const TileSpots<T, T>& spots) {
  T sum(0);
  for (int a = 0; a < control.assets; ++a)
    sum = fma(control.weight[a], control.growth[d * control.assets + a] * spots[control.asset[a]],
              sum);
  return sum;
}

/// Whether the holder exercises a path alive at a date other than the last one; `value` is the
/// value of exercise, discounted to today.
template <class T>
GSIM_HD bool exercises_vanilla(const ExerciseTable<T>& table, const ExerciseDate<T>& date,
                               const TileSpots<T, T>& spots, T value) {
  const VariableView<T>& v = table.variables;
  bool exercised = false;
  if (value > table.threshold) {
    if (date.side != 0)
      exercised = T(date.side) * (v.weight[0] * spots[v.asset[0]] - date.boundary) >= T(0);
    else
      with_variables(v.count, [&](auto n) {
        exercised = value >= quadratic_continuation<n.value, T>(v, date, *spots.tile, spots.record);
      });
  }
  return exercised || value != value;
}

/// follow_policy() for path `path` of the tile, the only one of a thread.
template <class T>
GSIM_HD void follow_vanilla_policy(const ExerciseTable<T>* table, const Tile<T>& tile, int from,
                                   Index path, bool has_control, T& received, T& control) {
  const int dates = table->dates;
  bool exercised = false;
  // One body without jumps, at whose end the threads of a warp that go on come together.
  GSIM_NO_UNROLL
  for (int d = from; d < dates && !exercised; ++d) {
#if defined(__CUDA_ARCH__)
    asm volatile("" : "+l"(table));  // so that what dates have in common needs no registers
#endif
    const ExerciseDate<T>& date = table->date[d];
    const bool is_last = d + 1 == dates;
    if (date.functions > 0 || is_last) {
      const TileSpots<T, T> spots{&tile, record_row(tile, date.record, path)};
      const T undiscounted = call_or_put(vanilla_underlying(date.payoff, tile, spots.record),
                                         date.payoff.strike, date.payoff.sign);
      exercised =
          is_last || exercises_vanilla(*table, date, spots,
                                       static_cast<T>(date.decision_discount) * undiscounted);
      if (exercised) {
        received = static_cast<T>(date.payoff.discount) * undiscounted;
        if (has_control) control = control_of_forwards(table->control, d, spots);
      }
    }
  }
}

/// As SampleExercise, for vanilla trades. Arithmetic by either policy is the same; as a parameter
/// it gives each source a kernel of its own.
template <class Policy, class T>
struct SampleVanillaExercise {
  ExerciseJob<T> job;

  GSIM_HD void operator()(Index i) const {
    sample_exercised_path(
        job, i, [&](const ExercisedSample<T>& s, Index path, T& received, T& control) {
          follow_vanilla_policy(s.table, s.tile, first_date(job, job.first_sample + s.sample), path,
                                s.has_control, received, control);
        });
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
