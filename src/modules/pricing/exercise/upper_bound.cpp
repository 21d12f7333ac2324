// Upper bounds of prices with early exercise (Andersen and Broadie 2004). Along an outer path, with
// discounted values of exercise h_k and of the policy L_k (h_k where the policy exercises, else the
// value of continuation Q_k), the martingale is M_1 = L_1, M_k = M_k-1 + L_k - Q_k-1, and the price
// is at most E[max_k (h_k - M_k)] + L_0 (their eq. 11 to 14). Q_k is the mean over inner paths that
// leave the outer path at date k. With C_k = M_k - L_k, which changes only where the policy
// exercises,
//   C_k+1 = C_k + (h_k - Q_k) if it exercises at k, else C_k,
//   h_k - M_k = -C_k if it exercises at k, else h_k - Q_k - C_k,
// so that no inner paths are needed at dates where there is no right to exercise, nor, if no
// payment is less than nothing, where exercise pays nothing: the next date at which the policy
// exercises has a larger h_k - M_k.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "gsim/core/superaccumulator.hpp"
#include "src/modules/pricing/exercise/longstaff_schwartz.hpp"
#include "src/modules/pricing/exercise/policy_constants.hpp"
#include "src/modules/pricing/paths/path_engine.hpp"

namespace gsim::pricing {
namespace {

constexpr Index outer_block = 64;  // paths; a multiple of regression_lanes
/// Inner simulations whose branches and means are in memory together.
constexpr Index branches_at_once = 1 << 12;

Index rounded_up(Index n, Index unit) { return (n + unit - 1) / unit * unit; }

/// Whether the policy exercises each path at a date; `function` as in PolicyConstants.
std::vector<double> exercised_at(Index d, const RecordedStates& states,
                                 const ExerciseSetup& exercise, const DatePolicy& policy,
                                 const BasisFunction* function, const Executor& executor) {
  Array<double> exercised(executor, states.paths());
  if (policy.coefficient.empty()) return exercised.to_host();
  const PolicyConstants constants(executor, exercise, policy);
  DecisionJob job = constants.decisions(states, d, function);
  job.exercised = exercised.view().data;
  regression_decisions(executor, job);
  return exercised.to_host();
}

/// An inner simulation: from which outer path, and at which date.
struct Inner {
  Index path, date;
};

/// The outer paths of this rank.
class OuterPaths {
 public:
  OuterPaths(const Simulation& simulation, const ExerciseOptions& options, const Context& context,
             const WorkShares& shares, const ExercisePolicy& policy)
      : simulation_(simulation),
        exercise_(*simulation.trades.front().exercise),
        context_(context),
        inner_paths_(rounded_up(options.inner_paths, 64)),
        states_(simulation, first_outer_sample,
                shares
                    .divide(context.communicator,
                            {0, rounded_up(options.outer_paths, outer_block) / outer_block})
                    .range(context.communicator.rank()),
                outer_block, has_control(), context) {
    context.communicator.agree([&] {
      values_ = states_.values_to_host();
      controls_ = states_.controls_to_host();
      const Array<BasisFunction> functions(context.executor,
                                           std::span<const BasisFunction>(exercise_.functions));
      for (Index d = 0; d + 1 < states_.dates(); ++d)
        exercised_.push_back(exercised_at(d, states_, exercise_,
                                          policy.dates[static_cast<std::size_t>(d)],
                                          functions.view().data, context.executor));
    });
  }

  /// RecordedStates::first_not_finite().
  Index first_not_finite() const { return states_.first_not_finite(context_.communicator); }

  /// The excess of the largest h_k - M_k over M_0 = L_0 of each path.
  std::vector<double> gaps() {
    std::vector<Inner> inner;
    context_.communicator.agree([&] { inner = inner_simulations(); });
    const std::vector<double> continuation = continuation_values(inner);
    std::vector<double> gaps;
    std::size_t next = 0;  // the simulations of a path are contiguous, in the order of their dates
    for (Index p = 0; p < states_.paths(); ++p) {
      double c = 0, largest = -std::numeric_limits<double>::infinity();
      for (; next < inner.size() && inner[next].path == p; ++next) {
        const Index d = inner[next].date;
        const double excess = value(d, p) - continuation[next];
        largest = std::fmax(largest, is_exercised(d, p) ? -c : excess - c);
        if (is_exercised(d, p)) c += excess;
      }
      gaps.push_back(std::fmax(largest, -c));  // at the maturity
    }
    return gaps;
  }

 private:
  double value(Index d, Index p) const {
    return values_[static_cast<std::size_t>(d * states_.paths() + p)];
  }
  bool is_exercised(Index d, Index p) const {
    return exercised_[static_cast<std::size_t>(d)][static_cast<std::size_t>(p)] != 0;
  }

  std::vector<Inner> inner_simulations() const {
    std::vector<Inner> list;
    const double least = exercise_.may_pay_less_than_nothing ? below_all_values : 0;
    for (Index p = 0; p < states_.paths(); ++p)
      for (Index d = 0; d + 1 < states_.dates(); ++d)
        if (value(d, p) > least) list.push_back({p, d});
    return list;
  }

  PathBranch branch(const Inner& inner) const {
    const std::vector<Index>& record_of_step = simulation_.grid.record_of_step;
    const Index record = exercise_.records[static_cast<std::size_t>(inner.date)];
    const auto step = std::find(record_of_step.begin(), record_of_step.end(), record);
    const Index path = states_.first_path() + inner.path;
    return {static_cast<std::uint64_t>(first_outer_sample + path),
            static_cast<std::uint64_t>(first_inner_sample +
                                       (path * states_.dates() + inner.date) * inner_paths_),
            static_cast<std::int32_t>(step - record_of_step.begin() + 1),
            static_cast<std::int32_t>(inner.date)};
  }

  bool has_control() const { return exercise_.control.kind != ExerciseControl::none; }

  /// The mean payment over the inner paths of each inner simulation, corrected by the control
  /// variate, whose expectation is its value on the outer path at the date.
  std::vector<double> continuation_values(const std::vector<Inner>& inner) const {
    std::vector<BlockStatistics> statistics;
    context_.communicator.agree([&] { statistics = simulate(inner); });
    const std::vector<double> beta = coefficients(inner, statistics);
    std::vector<double> means;
    for (std::size_t i = 0; i < inner.size(); ++i) {
      const auto d = static_cast<std::size_t>(inner[i].date);
      const auto at = static_cast<std::size_t>(inner[i].date * states_.paths() + inner[i].path);
      double mean = statistics[i].mean_x;
      if (has_control()) mean -= beta[d] * (statistics[i].mean_y - controls_[at]);
      means.push_back(mean);
    }
    return means;
  }

  /// The statistics of the inner paths of each inner simulation.
  std::vector<BlockStatistics> simulate(const std::vector<Inner>& inner) const {
    Simulation nested = simulation_;
    nested.is_nested = true;
    nested.block_samples = inner_paths_;
    if (has_control()) nested.trades.front().control = TradeSetup::Control::at_exercise;
    const std::unique_ptr<NestedPathEngine> engine = make_nested_engine(context_.executor, nested);
    std::vector<BlockStatistics> inner_statistics;
    const std::array<std::uint8_t, 1> active{1};
    for (std::size_t first = 0; first < inner.size(); first += branches_at_once) {
      std::vector<PathBranch> branches;
      for (std::size_t i = first; i < std::min(inner.size(), first + branches_at_once); ++i)
        branches.push_back(branch(inner[i]));
      engine->set_branches(branches);
      const auto blocks = engine->run({0, static_cast<Index>(branches.size())}, active);
      inner_statistics.insert(inner_statistics.end(), blocks.begin(), blocks.end());
    }
    return inner_statistics;
  }

  /// The coefficient of the control variate at each date: that of all inner simulations at the date
  /// on all ranks, so that it hardly depends on any one of them.
  std::vector<double> coefficients(const std::vector<Inner>& inner,
                                   const std::vector<BlockStatistics>& statistics) const {
    const auto dates = static_cast<std::size_t>(states_.dates());
    std::vector<Superaccumulator> sums(2 * dates);
    for (std::size_t i = 0; i < inner.size(); ++i) {
      const auto d = static_cast<std::size_t>(inner[i].date);
      sums[2 * d].add(statistics[i].m_xy);
      sums[2 * d + 1].add(statistics[i].m_yy);
    }
    context_.communicator.sum(sums);
    std::vector<double> beta;
    for (std::size_t d = 0; d < dates; ++d) {
      const double variance = sums[2 * d + 1].value();
      beta.push_back(variance > 0 ? sums[2 * d].value() / variance : 0);
    }
    return beta;
  }

  const Simulation& simulation_;
  const ExerciseSetup& exercise_;
  const Context& context_;
  Index inner_paths_;
  RecordedStates states_;
  std::vector<double> values_, controls_;       ///< [date][path]
  std::vector<std::vector<double>> exercised_;  ///< [date][path]
};

}  // namespace

void find_upper_bound(const Simulation& simulation, const ExerciseOptions& options,
                      const std::vector<double>& dates, const Context& context,
                      const WorkShares& shares, ExercisePolicy& policy) {
  Superaccumulator sum, squares;
  std::int64_t paths = 0;
  OuterPaths outer(simulation, options, context, shares, policy);
  if (const Index failed = outer.first_not_finite(); failed >= 0) {
    policy.failed_at = dates[static_cast<std::size_t>(failed)];
    return;
  }
  for (const double gap : outer.gaps()) {
    sum.add(gap);
    squares.add_product(gap, gap);
    ++paths;
  }
  context.communicator.sum(sum);
  context.communicator.sum(squares);
  const auto n = static_cast<double>(context.communicator.sum(paths));
  policy.gap = sum.value() / n;
  const double variance = std::fmax(0.0, squares.value() / n - policy.gap * policy.gap);
  policy.gap_error = std::sqrt(variance / (n - 1));
}

}  // namespace gsim::pricing
