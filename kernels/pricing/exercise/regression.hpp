#pragma once
// Sums over recorded paths for regressions, and decisions by a policy; the jobs are described in
// regression_job.hpp. On the host all lanes of a block's sums are one pack.

#include "gsim/exec/min_reduce.hpp"
#include "kernels/pricing/exercise/basis.hpp"
#include "kernels/pricing/exercise/regression_job.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The lanes of a sum, and on CUDA one of them.
#if defined(__CUDACC__)
using RegressionPack = double;
#else
using RegressionPack = Pack<double, static_cast<int>(regression_lanes)>;
#endif

/// 1 for paths that take part in a regression, 0 for others. Job is MomentsJob or
/// NormalEquationsJob.
template <class P, class Job>
GSIM_HD P takes_part(const Job& job, P value) {
  return job.above_threshold ? select(value > P(job.threshold), P(1.0), P(0.0)) : P(1.0);
}

/// The first n normalised variables of paths from `path` on. Job is NormalEquationsJob, DecisionJob
/// or FittedValuesJob.
template <int n, class P, class Job>
GSIM_HD void normalised_variables(const Job& job, Index path, P (&u)[max_variables]) {
  double centre[n], scale[n];
  GSIM_UNROLL
  for (int i = 0; i < n; ++i) {
    u[i] = load<P>(job.variable + i * job.paths + path);
    centre[i] = job.centre[i];
    scale[i] = job.inverse_scale[i];
  }
  issue_loads();
  GSIM_UNROLL
  for (int i = 0; i < n; ++i) u[i] = (u[i] - P(centre[i])) * P(scale[i]);
}

/// Calls use(f, value) for all functions of paths from `path` on, multiplied by `factor`, in order.
template <class P, class Job, class Use>
GSIM_HD void for_each_function(const Job& job, Index path, P factor, const Use& use) {
  P u[max_variables];
  if (job.degree <= quadratic_degree) {
    use(0, factor);
    return with_variables(job.variables, [&](auto n) {
      normalised_variables<n.value>(job, path, u);
      quadratic_functions<n.value>(job.functions, u, factor, use);
    });
  }
  with_variables(job.variables, [&](auto n) { normalised_variables<n.value>(job, path, u); });
  P phi[max_functions];
  basis_functions(job.function, job.functions, job.variables, job.degree, u, factor, phi);
  for (int f = 0; f < job.functions; ++f) use(f, phi[f]);
}

/// Calls use(f, value) for all functions of the normal equations of paths from `path` on; they are
/// 0 for paths that take no part.
template <class P, class Use>
GSIM_HD void for_each_regressor(const NormalEquationsJob& job, Index path, const Use& use) {
  const P factor = takes_part(job, load<P>(job.value + path));
  for_each_function(job, path, factor, use);
  if (job.has_change())
    use(job.functions, factor * (load<P>(job.later_control + path) - load<P>(job.control + path)));
}

/// What the functions are fitted to.
template <class P>
GSIM_HD P fitted_value(const NormalEquationsJob& job, Index path) {
  const P payment = load<P>(job.payment + path);
  return job.adds_control ? payment - load<P>(job.later_control + path) : payment;
}

/// The fit at paths from `path` on. Job is DecisionJob or FittedValuesJob.
template <class Job>
GSIM_HD RegressionPack fit_of_paths(const Job& job, Index path) {
  using P = RegressionPack;
  P sum(job.coefficient[0]);
  if (job.degree <= quadratic_degree) {
    with_variables(job.variables, [&](auto n) {
      P u[max_variables];
      normalised_variables<n.value>(job, path, u);
      sum = quadratic_fit<n.value>(job.coefficient, job.functions, u);
    });
    return sum;
  }
  for_each_function(job, path, P(1.0), [&](int f, P phi) {
    if (f > 0) sum = fma(P(job.coefficient[f]), phi, sum);
  });
  return sum;
}

/// Decides on a group of paths: `i` is the number of the group.
struct Decide {
  DecisionJob job;

  GSIM_HD void operator()(Index i) const {
    using P = RegressionPack;
    if (job.stopped != nullptr && *job.stopped >= 0) return;
    const Index path = i * lanes_of<P>;
    const P value = load<P>(job.value + path);
    auto exercised = value > P(job.threshold);
    if (job.side != 0) {
      const P x = load<P>(job.variable + path);
      exercised = exercised & (P(double(job.side)) * (x - P(job.boundary)) >= P(0.0));
    } else {
      exercised = exercised & (value >= continuation(path));
    }
    if (job.payment != nullptr)
      store(job.payment + path, select(exercised, value, load<P>(job.payment + path)));
    if (job.later_control != nullptr)
      store(job.later_control + path,
            select(exercised, load<P>(job.control + path), load<P>(job.later_control + path)));
    if (job.exercised != nullptr) store(job.exercised + path, select(exercised, P(1.0), P(0.0)));
  }

 private:
  GSIM_HD RegressionPack continuation(Index path) const {
    const RegressionPack sum = fit_of_paths(job, path);
    return job.adds_control ? sum + load<RegressionPack>(job.control + path) : sum;
  }
};

/// Evaluates the fit for a group of paths: `i` is the number of the group.
struct EvaluateFit {
  FittedValuesJob job;

  GSIM_HD void operator()(Index i) const {
    using P = RegressionPack;
    const Index path = i * lanes_of<P>;
    const P sum = fit_of_paths(job, path);
    store(job.fitted + path, job.control != nullptr ? sum + load<P>(job.control + path) : sum);
  }
};

inline void evaluate_fit(const Executor& executor, const FittedValuesJob& job) {
  launch(executor, "pricing: fitted values", job.paths / lanes_of<RegressionPack>,
         EvaluateFit{job});
}

inline void decide(const Executor& executor, const DecisionJob& job) {
  launch(executor, "pricing: decide", job.paths / lanes_of<RegressionPack>, Decide{job});
}

#if defined(__CUDACC__)

/// The sum of a number of the 16 threads of a block's lanes, in the first of them.
__device__ inline double add_threads(double x) {
  const unsigned threads = 0xffffu << (threadIdx.x & 16);
  for (int half = regression_lanes / 2; half > 0; half /= 2)
    x += __shfl_down_sync(threads, x, half, regression_lanes);
  return x;
}

/// The sum over a block of a(p) b(p) in the 16 threads of its lanes, in the first of them; p is the
/// number of a path in the block.
template <class A, class B>
__device__ double sum_products(Index lane, const A& a, const B& b) {
  double sum = 0;
  for (Index p = lane; p < regression_block; p += regression_lanes)
    sum = __builtin_fma(a(p), b(p), sum);
  return add_threads(sum);
}

/// Threads of a launch in which 16 threads form each of the `sums` sums of a block.
inline Index sum_threads(Index paths, Index sums) {
  return paths / regression_block * sums * regression_lanes;
}

/// The sums of MomentsJob. Thread i is lane i mod 16 of sum number i / 16.
struct AddMoment {
  MomentsJob job;

  __device__ void operator()(Index i) const {
    const Index lane = i % regression_lanes, at = i / regression_lanes, which = at % job.count();
    const Index blocks = job.paths / regression_block, block = at / job.count() % blocks;
    const Index date = at / job.count() / blocks;
    const bool is_square = which > job.variables;
    const Index variable = which == 0 ? 0 : (which - 1) % job.variables;
    const double* const value = job.value + date * job.paths + block * regression_block;
    const double* const x =
        job.variable + (date * job.variables + variable) * job.paths + block * regression_block;
    const double sum = sum_products(
        lane, [&](Index p) { return takes_part(job, value[p]) * (which == 0 ? 1.0 : x[p]); },
        [&](Index p) { return is_square ? x[p] : 1.0; });
    if (lane == 0) job.sums[at] = sum;
  }
};

inline void add_moments(const Executor& executor, const MomentsJob& job) {
  launch(executor, "pricing: moments", job.dates * sum_threads(job.paths, job.count()),
         AddMoment{job});
}

/// Writes the functions of a path, and what they are fitted to, to `work`.
struct StoreFunctions {
  NormalEquationsJob job;

  GSIM_HD void operator()(Index path) const {
    for_each_regressor<double>(job, path,
                               [&](int f, double phi) { job.work[f * job.paths + path] = phi; });
    job.work[job.count() * job.paths + path] = fitted_value<double>(job, path);
  }
};

/// The sums of NormalEquationsJob. 16 threads, one for each lane, form the sums of two functions
/// with two functions together, so that each value that is loaded serves two of them. The last row,
/// after those of the functions, is that of what they are fitted to.
struct AddNormalEquations {
  NormalEquationsJob job;

  /// Pairs of rows, and of a pair of rows with the pairs of columns up to its own.
  static Index pairs(Index functions) { return (functions + 2) / 2; }
  static Index tiles(Index functions) { return pairs(functions) * (pairs(functions) + 1) / 2; }

  __device__ void operator()(Index i) const {
    const Index n = job.count(), all = (n + 2) / 2 * ((n + 2) / 2 + 1) / 2;
    const Index lane = i % regression_lanes, at = i / regression_lanes, block = at / all;
    Index column = at % all, row = 0;
    while (column > row) column -= ++row;
    row *= 2;
    column *= 2;
    // A row or column beyond the last one is computed as the last one, and not stored.
    const Index rows[2] = {row, row < n ? row + 1 : n};
    const Index columns[2] = {column, column < n ? column + 1 : n};
    const double* const work = job.work + block * regression_block;
    double sum[2][2] = {};
    constexpr Index ahead = 8;  // loads that do not wait for one another
    for (Index first = lane; first < regression_block; first += ahead * regression_lanes) {
      double a[2][ahead], b[2][ahead];
      GSIM_UNROLL
      for (int k = 0; k < ahead; ++k)
        for (int m = 0; m < 2; ++m) {
          a[m][k] = work[rows[m] * job.paths + first + k * regression_lanes];
          b[m][k] = work[columns[m] * job.paths + first + k * regression_lanes];
        }
      issue_loads();
      GSIM_UNROLL
      for (int k = 0; k < ahead; ++k)
        for (int r = 0; r < 2; ++r)
          for (int c = 0; c < 2; ++c) sum[r][c] = __builtin_fma(a[r][k], b[c][k], sum[r][c]);
    }
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 2; ++c) {
        const double total = add_threads(sum[r][c]);
        const Index j = row + r, k = column + c;
        if (lane == 0 && j <= n && k < n && k <= j)
          job.sums[block * (n * (n + 3) / 2) + j * (j + 1) / 2 + k] = total;
      }
  }
};

inline void add_normal_equations(const Executor& executor, const NormalEquationsJob& job) {
  const Index n = job.count();
  launch(executor, "pricing: basis", job.paths, StoreFunctions{job});
  launch(executor, "pricing: normal equations",
         sum_threads(job.paths, AddNormalEquations::tiles(n)), AddNormalEquations{job});
}

#else

/// The sum of the lanes, by repeated addition of halves.
inline double add_lanes(double (&lane)[regression_lanes]) {
  for (int half = regression_lanes / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) lane[i] += lane[i + half];
  return lane[0];
}

/// Sums of one block at one date: `i` is the number of the date times that of blocks, plus the
/// number of the block.
struct AddMoments {
  MomentsJob job;

  void operator()(Index i) const {
    using P = RegressionPack;
    const int n = job.variables;
    const Index blocks = job.paths / regression_block, date = i / blocks, block = i % blocks;
    const double* const value = job.value + date * job.paths;
    const double* const variable = job.variable + date * n * job.paths;
    P sum[1 + 2 * max_variables];
    for (P& s : sum) s = P(0.0);
    for (Index path = block * regression_block; path < (block + 1) * regression_block;
         path += regression_lanes) {
      const P factor = takes_part(job, load<P>(value + path));
      sum[0] = sum[0] + factor;
      for (int v = 0; v < n; ++v) {
        const P x = load<P>(variable + v * job.paths + path);
        sum[1 + v] = fma(factor * x, P(1.0), sum[1 + v]);
        sum[1 + n + v] = fma(factor * x, x, sum[1 + n + v]);
      }
    }
    for (int k = 0; k < 1 + 2 * n; ++k) {
      double lane[regression_lanes];
      store(lane, sum[k]);
      job.sums[i * job.count() + k] = add_lanes(lane);
    }
  }
};

inline void add_moments(const Executor& executor, const MomentsJob& job) {
  launch(executor, "pricing: moments", job.dates * (job.paths / regression_block), AddMoments{job},
         1);
}

/// The normal equations of one block. The functions of `groups` packs of paths are computed
/// together, so that a sum is loaded and stored only once for all of them.
struct AddNormalEquations {
  static constexpr int groups = 4;
  static_assert(regression_block % (groups * regression_lanes) == 0);
  NormalEquationsJob job;

  void operator()(Index block) const {
    using P = RegressionPack;
    constexpr Index lanes = regression_lanes;
    const int n = job.count(), count = n * (n + 3) / 2;
    alignas(64) double sum[(max_functions + 1) * (max_functions + 4) / 2 * lanes];
    for (Index i = 0; i < count * lanes; ++i) sum[i] = 0;
    for (Index path = block * regression_block; path < (block + 1) * regression_block;
         path += groups * lanes) {
      P phi[groups][max_functions + 1], payment[groups];
      for (int g = 0; g < groups; ++g) {
        const Index at = path + g * lanes;
        for_each_regressor<P>(job, at, [&](int f, P value) { phi[g][f] = value; });
        payment[g] = fitted_value<P>(job, at);
      }
      double* s = sum;
      const auto add = [&](const auto& factor) __attribute__((always_inline)) {
        P total = load<P>(s);
        for (int g = 0; g < groups; ++g) total = factor(g, total);
        store(s, total);
        s += lanes;
      };
      for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j)
          add([&](int g, P total) { return fma(phi[g][i], phi[g][j], total); });
      for (int i = 0; i < n; ++i)
        add([&](int g, P total) { return fma(phi[g][i], payment[g], total); });
    }
    for (int i = 0; i < count; ++i) {
      double lane[regression_lanes];
      for (Index l = 0; l < lanes; ++l) lane[l] = sum[i * lanes + l];
      job.sums[block * count + i] = add_lanes(lane);
    }
  }
};

inline void add_normal_equations(const Executor& executor, const NormalEquationsJob& job) {
  launch(executor, "pricing: normal equations", job.paths / regression_block,
         AddNormalEquations{job}, 1);
}

#endif

/// The keys of find_not_finite(): 0 for a value that is wanted.
struct NotFiniteKeys {
  const double* value;
  GSIM_HD void operator()(Index i, std::int64_t (&key)[1]) const {
    const double v = value[i];
    const bool is_valid = v - v == 0 || v < 0;  // v - v is not a number for infinity
    key[0] = is_valid ? 1 : 0;
  }
};

inline void find_not_finite(const Executor& executor, const pricing::NotFiniteJob& job) {
  MinimalKey first;
  min_reduce<1>(executor, "find exercise values that are not finite", job.count,
                NotFiniteKeys{job.value}, &first);
  *job.first = first.key == 0 ? first.index : -1;
}

}  // namespace pricing_kernels
GSIM_TARGET_END
