#pragma once
// Solves the normal equations of a regression where their sums are, without a copy to the host
// (SolveJob). The result has the bits of Superaccumulator and solve_normal_equations()
// (src/modules/pricing/exercise/least_squares.hpp): every element passes through the same
// operations in the same order. What this form cannot solve is left to the host.

#include "gsim/core/superaccumulator.hpp"
#include "gsim/math/pack.hpp"
#include "kernels/pricing/exercise/regression_job.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The sum of `count` <= 2^16 numbers at x, `stride` apart, rounded to the nearest double, in
/// `total`. False, and no sum, if a number is not finite, or if the numbers other than 0 are not
/// between 1e-240 and 1e260 and within a factor of 2^50 of one another.
GSIM_HD bool exact_sum(const double* x, Index count, Index stride, double& total) {
  constexpr int lowest = 200, highest = 1900, reach = 50;  // RealParts::position
  int first = highest, last = lowest;
  for (Index i = 0; i < count; ++i) {
    const double value = x[i * stride];
    if (value == 0) continue;
    const int position = parts_of(value).position;
    if (!(position > lowest && position < highest)) return false;
    first = position < first ? position : first;
    last = position > last ? position : last;
  }
  total = 0;
  if (last - first > reach) return false;
  WideInteger sum = 0;  // in units of 2^(first - 1074), below 2^(53 + 50 + 16)
  for (Index i = 0; i < count; ++i) {
    const double value = x[i * stride];
    if (value == 0) continue;
    const RealParts p = parts_of(value);
    sum += WideInteger{p.mantissa} * (WideInteger{1} << (p.position - first));
  }
  if (sum == 0) return true;
  const bool is_negative = sum < 0;
  auto magnitude = static_cast<unsigned __int128>(is_negative ? -sum : sum);
  int dropped = 0;  // bits of the magnitude below the last one that is kept
  for (int step = 64; step > 0; step /= 2)
    if ((magnitude >> (dropped + step)) >> 52 != 0) dropped += step;
  const auto kept = static_cast<std::int64_t>(magnitude >> dropped);
  std::int64_t rounded = kept;
  if (dropped > 0) {
    const unsigned __int128 rest = magnitude - (static_cast<unsigned __int128>(kept) << dropped),
                            half = static_cast<unsigned __int128>(1) << (dropped - 1);
    if (rest > half || (rest == half && kept % 2 != 0)) ++rounded;
  }
  // 2^exponent is a normal number.
  const auto exponent = static_cast<std::uint64_t>(first + dropped - 1074 + 1023);
  const double value = static_cast<double>(rounded) * __builtin_bit_cast(double, exponent << 52);
  total = is_negative ? -value : value;
  return true;
}

/// The working memory of a solution.
struct SolveMemory {
  static constexpr int most = max_functions + 1;
  double matrix[most * most];  ///< its lower triangle is used
  double right[most], scale[most], diagonal[most];
  int failed;

  GSIM_HD double& at(int i, int j) { return matrix[i * most + j]; }
};

/// Solves with a team of threads, which call this together. Thread `row` of Team::rows and `column`
/// of Team::columns takes part in loops over rows and columns; sync() waits for all of them.
template <class Team>
struct SolveRegression {
  const SolveJob& job;
  SolveMemory& m;
  Team team;

  GSIM_HD void run() const {
    if (*job.stopped >= 0) return;
    if (team.is_first()) m.failed = 0;
    team.sync();
    add_blocks();
    team.sync();
    if (m.failed == 0 && factorise()) {
      substitute();
      for (int i = team.index(); i < job.functions; i += team.size())
        job.coefficient[i] = m.right[i] * m.scale[i];
    } else if (team.is_first()) {
      *job.stopped = job.date;
    }
  }

 private:
  /// Adds the sums of all blocks, and scales the matrix to a unit diagonal.
  GSIM_HD void add_blocks() const {
    const int n = job.count, sums = n * (n + 3) / 2;
    for (int i = team.row(); i <= n; i += team.rows())  // row n is the right side
      for (int j = team.column(); j <= i && j < n; j += team.columns())
        if (!exact_sum(job.sums + i * (i + 1) / 2 + j, job.blocks, sums,
                       i < n ? m.at(i, j) : m.right[j]))
          m.failed = 1;
    team.sync();
    for (int i = team.index(); i < n; i += team.size()) {
      const double square = m.at(i, i);
      m.scale[i] = square > 0 ? 1 / sqrt(square) : 0;
      m.right[i] = m.right[i] * m.scale[i];
    }
    team.sync();
    for (int i = team.row(); i < n; i += team.rows())
      for (int j = team.column(); j <= i; j += team.columns())
        m.at(i, j) = m.at(i, j) * m.scale[i] * m.scale[j];
  }

  /// Replaces the matrix by its Cholesky factor, column by column; false if a pivot is too small.
  GSIM_HD bool factorise() const {
    const int n = job.count;
    for (int k = 0; k < n; ++k) {
      const double pivot = m.at(k, k);
      if (!(pivot > smallest_pivot)) return false;
      const double root = sqrt(pivot);
      for (int i = k + 1 + team.index(); i < n; i += team.size()) m.at(i, k) = m.at(i, k) / root;
      if (team.is_first()) m.diagonal[k] = root;
      team.sync();
      for (int i = k + 1 + team.row(); i < n; i += team.rows())
        for (int j = k + 1 + team.column(); j <= i; j += team.columns())
          m.at(i, j) = m.at(i, j) - m.at(i, k) * m.at(j, k);
      team.sync();
    }
    return true;
  }

  /// Replaces the right side by the solution.
  GSIM_HD void substitute() const {
    const int n = job.count;
    for (int k = 0; k < n; ++k) {
      if (team.is_first()) m.right[k] = m.right[k] / m.diagonal[k];
      team.sync();
      for (int i = k + 1 + team.index(); i < n; i += team.size())
        m.right[i] = m.right[i] - m.at(i, k) * m.right[k];
      team.sync();
    }
    for (int i = n - 1; i >= 0; --i) {
      // The elements below the diagonal are already multiplied by the solution.
      if (team.is_first()) {
        double x = m.right[i];
        for (int k = i + 1; k < n; ++k) x = x - m.at(k, i);
        m.right[i] = x / m.diagonal[i];
      }
      team.sync();
      for (int j = team.index(); j < i; j += team.size()) m.at(i, j) = m.at(i, j) * m.right[i];
      team.sync();
    }
  }
};

#if defined(__CUDACC__)

/// The threads of one block: 32 columns.
struct BlockTeam {
  __device__ int index() const { return static_cast<int>(threadIdx.x); }
  __device__ int size() const { return static_cast<int>(blockDim.x); }
  __device__ int row() const { return index() / 32; }
  __device__ int rows() const { return size() / 32; }
  __device__ int column() const { return index() % 32; }
  __device__ int columns() const { return 32; }
  __device__ bool is_first() const { return threadIdx.x == 0; }
  __device__ void sync() const { __syncthreads(); }
};

struct Solve {
  static constexpr int threads = 512;
  SolveJob job;

  __device__ void operator()(Index) const {
    __shared__ SolveMemory memory;
    SolveRegression<BlockTeam>{job, memory, {}}.run();
  }
};

inline void solve_regression(const Executor& executor, const SolveJob& job) {
  launch(executor, "pricing: solve", Solve::threads, Solve{job}, Solve::threads);
}

#else

struct OneThread {
  int index() const { return 0; }
  int size() const { return 1; }
  int row() const { return 0; }
  int rows() const { return 1; }
  int column() const { return 0; }
  int columns() const { return 1; }
  bool is_first() const { return true; }
  void sync() const {}
};

inline void solve_regression(const Executor&, const SolveJob& job) {
  SolveMemory memory;
  SolveRegression<OneThread>{job, memory, {}}.run();
}

#endif

}  // namespace pricing_kernels
GSIM_TARGET_END
