#pragma once
// The derivatives of exercised paths, one path at a time: the date of exercise, and with it what is
// read, differs from path to path.

#include "kernels/pricing/exercise/sample_exercise.hpp"
#include "kernels/pricing/greeks/adjoint/adjoint_job.hpp"
#include "kernels/pricing/greeks/adjoint/exercised_job.hpp"
#include "kernels/pricing/greeks/adjoint/reverse_sweep.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// A path that was exercised at a date; put(s, value) receives sum s.
template <class Policy, class T, class Put>
struct ExercisedPath {
  const ExercisedSweep& sweep;
  const ExerciseTable<T>& table;
  const Tile<T>& tile;
  Index path;
  std::int32_t date;
  const Put& put;

  GSIM_HD T row_at(std::int32_t record, std::int32_t row) const {
    return tile.data[(record * tile.rows + row) * tile.stride + path];
  }

  /// Adds the products of a derivative by the log-spot of asset `position` at a record with the
  /// columns.
  GSIM_HD void add_columns(std::int32_t position, std::int32_t record, T derivative,
                           bool is_control) const {
    GSIM_NO_UNROLL
    for (std::int32_t c = 0; c < sweep.columns; ++c) {
      const ExercisedColumn& column = sweep.column[c];
      const std::int32_t sum = is_control ? column.control_sum : column.sum;
      if (column.position != position || sum < 0) continue;
      if (column.is_tangent) {
        put(sum, derivative * row_at(record, column.row));
        continue;
      }
      T before(0);
      GSIM_NO_UNROLL
      for (std::int32_t s = 0; s < column.segments; ++s) {
        const bool is_last = record <= column.last[s];
        const T here = row_at(is_last ? record : column.last[s], column.row);
        put(sum + s, derivative * (here - before));
        if (is_last) break;
        before = here;
      }
    }
  }

  /// The sums of what the path receives.
  GSIM_HD void add_payoff() const {
    const PayoffView<T>& payoff = table.date[date].payoff;
    const T discount(payoff.discount);
    with_gradient<Policy, T>(payoff, tile, [&](const auto& evaluate, auto is_terminal) {
      evaluate(path, [&](auto gradient, const auto& fixings, const auto&) {
        const Index last = payoff.fixings - 1;
        GSIM_NO_UNROLL
        for (Index i = last; i >= (is_terminal.value ? last : 0); --i)
          add_fixing(payoff, discount, i, gradient, fixings);
      });
    });
  }

  /// The sums of one exercise date's fixing.
  template <class Gradient, class Fixings>
  GSIM_HD void add_fixing(const PayoffView<T>& payoff, T discount, Index i, Gradient& gradient,
                          const Fixings& fixings) const {
    const std::int32_t record = payoff.record[i];
    const std::int32_t claim = sweep.claim != nullptr ? sweep.claim[date] : -1;
    T by_underlying(0);
    if constexpr (!derives_by_assets<Gradient>) {
      by_underlying = gradient.at(i, fixings);
      if (by_underlying == T(0)) return;
    }
    GSIM_NO_UNROLL
    for (std::int32_t a = 0; a < payoff.assets; ++a) {
      T derivative(0);
      if constexpr (derives_by_assets<Gradient>)
        derivative =
            gradient.by_asset(i, a, fixings, a == 0 && claim >= 0, [&](Index term, T by_amount) {
              put(claim + static_cast<std::int32_t>(term), discount * by_amount);
            });
      else
        derivative = fixings.by_log_spot(i, a, by_underlying);
      derivative = discount * derivative;
      if (derivative == T(0)) continue;
      if (sweep.spot >= 0) put(sweep.spot + a * sweep.slots + sweep.slot[record], derivative);
      add_columns(a, record, derivative, false);
    }
  }

  /// The sums of the control variate (control_at()).
  GSIM_HD void add_control() const {
    const ControlView<T>& control = table.control;
    const std::int32_t record = table.date[date].record;
    const TileSpots<T, T> spots{&tile, tile.data + record * tile.rows * tile.stride + path};
    GSIM_NO_UNROLL
    for (std::int32_t a = 0; a < control.assets; ++a) {
      const Index at = date * control.assets + a;
      const T weight = control.weight[a], forward = control.growth[at] * spots[control.asset[a]];
      T value = forward, by_log = forward, by_sd(0);
      if (control.kind == ExerciseControl::vanilla) {
        const T strike = control.strike[a], sign = control.sign;
        if (date + 1 == table.dates) {
          value = call_or_put(forward, strike, sign);
          by_log = where_positive(sign * (forward - strike), sign) * forward;
        } else {
          constexpr double inverse_sqrt_2pi = 0.3989422804014326779;
          const T sd = control.sd[at], half = T(0.5) * sd;
          const T d = log<Policy>(forward / strike) / sd;
          by_log = sign * forward * normal_cdf<Policy>(sign * (d + half));
          value = fma(-sign * strike, normal_cdf<Policy>(sign * (d - half)), by_log);
          by_sd = T(inverse_sqrt_2pi) * forward * exp<Policy>(T(-0.5) * (d + half) * (d + half));
        }
      }
      if (sweep.control_value >= 0) put(sweep.control_value + a, weight * value);
      if (sweep.control_spot >= 0)
        put(sweep.control_spot + a * table.dates + date, weight * by_log);
      if (sweep.control_sd >= 0) put(sweep.control_sd + a * table.dates + date, weight * by_sd);
      add_columns(a, record, weight * by_log, true);
    }
  }
};

/// Adds path `path` of the tile, which was exercised at a date and received a discounted amount, to
/// the sums of a target.
template <class Policy, class T, class Put>
GSIM_HD void sweep_exercised(const ExercisedTarget<T>& target, const Tile<T>& tile, Index path,
                             std::int32_t date, T received, bool has_control, const Put& put) {
  const ExercisedPath<Policy, T, Put> exercised{*target.sweep, *target.table, tile,
                                                path,          date,          put};
  if (target.sweep->value >= 0) put(target.sweep->value + date, received);
  exercised.add_payoff();
  if (has_control) exercised.add_control();
}

/// follow_policy(), which sets `paths.control` to the number of the date at which each path is
/// exercised.
template <class Policy, class P, class Payoffs, class T>
GSIM_HD void find_exercise(const ExerciseTable<T>& table, const Tile<T>& tile, Index first,
                           Index last, const ExercisedPaths<T>& paths) {
  for (Index p = 0; p < last - first; p += lanes_of<P>) {
    store(paths.alive + p, P(T(1)));
    store(paths.control + p, P(T(-1)));
  }
  GSIM_NO_UNROLL
  for (std::int32_t d = 0; d < table.dates; ++d) {
    if (table.date[d].functions == 0 && d + 1 < table.dates) continue;
    exercise_values<Policy, Payoffs>(table.date[d], tile, first, last, paths.value);
    exercise_at_date<Policy, P>(table, d, tile, first, last, false, paths);
    for (Index p = 0; p < last - first; p += lanes_of<P>) {
      const P date = load<P>(paths.control + p);
      const auto is_new = (date < P(T(0))) & (load<P>(paths.alive + p) <= P(T(0)));
      store(paths.control + p, select(is_new, P(static_cast<T>(d)), date));
    }
    if constexpr (lanes_of<P> == 1) {  // a thread for each path
      if (!(*paths.alive > T(0))) return;
    }
  }
}

/// Whether the sums of a control variate are needed.
GSIM_HD bool has_control_sums(const ExercisedSweep& sweep) {
  bool found = sweep.control_value >= 0 || sweep.control_spot >= 0 || sweep.control_sd >= 0;
  for (std::int32_t c = 0; c < sweep.columns; ++c)
    found = found || sweep.column[c].control_sum >= 0;
  return found;
}

#if defined(__CUDACC__)

/// The sums of one target and one batch: index = target * batches + batch.
template <class Policy, class T>
struct SweepExercised {
  ExercisedSweepJob<T> job;

  GSIM_HD void operator()(Index i) const {
    constexpr Index lanes = LaneSums::lanes;
    const ExercisedTarget<T>& target = job.target[i / job.batches];
    const Index batch = i % job.batches, of_part = job.block_samples / parts_of_block;
    const Index first = batch / lanes * of_part, last = first + of_part;
    double* const sums = job.sums + (target.first_sum - job.first_sum) * job.sum_stride + batch;
    const bool has_control = has_control_sums(*target.sweep);
    const auto put = [&](std::int32_t sum, T value) { sums[sum * job.sum_stride] += value; };
    GSIM_NO_UNROLL
    for (Index s = first + batch % lanes; s < last; s += lanes) {
      GSIM_NO_UNROLL
      for (Index path = s; path < job.tile.stride; path += job.tile_samples) {
        T value(0), received(0), alive(0), date(0);
        find_exercise<Policy, T, T>(*target.table, job.tile, path, path + 1,
                                    {&value, &received, &alive, &date});
        sweep_exercised<Policy>(target, job.tile, path, static_cast<std::int32_t>(date), received,
                                has_control, put);
      }
    }
  }
};

template <class Policy, class T>
void run_exercised_sweeps(const Executor& executor, const ExercisedSweepJob<T>& job) {
  launch(executor, "pricing: sweep exercised", job.targets * job.batches,
         SweepExercised<Policy, T>{job});
}

#else

template <class Policy, class T>
void run_exercised_sweeps(const Executor&, const ExercisedSweepJob<T>& job) {
  const ExercisedTarget<T>& target = *job.target;
  double* const sums = job.sums + (target.first_sum - job.first_sum) * job.sum_stride;
  const bool has_control = has_control_sums(*target.sweep);
  const Index paths = job.tile.stride;
  T* const values = job.values;
  for (Index offset = 0; offset < paths; offset += job.tile_samples) {
    T* const at = values + offset + job.first;
    find_exercise<Policy, packed<T>, PayoffGroup<T> >(
        *target.table, job.tile, offset + job.first, offset + job.last,
        {at, at + paths, at + 2 * paths, at + 3 * paths});
  }
  for (Index s = job.first; s < job.last; ++s)
    for (Index path = s; path < paths; path += job.tile_samples)
      sweep_exercised<Policy>(target, job.tile, path,
                              static_cast<std::int32_t>(values[3 * paths + path]),
                              values[paths + path], has_control, [&](std::int32_t sum, T value) {
                                sums[sum * job.sum_stride + s % LaneSums::lanes] += value;
                              });
}

#endif

}  // namespace pricing_kernels
GSIM_TARGET_END
