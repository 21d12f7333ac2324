#include "src/modules/pricing/exercise/recorded_states.hpp"

#include <memory>
#include <utility>

#include "gsim/core/timer.hpp"
#include "gsim/exec/launch_graph.hpp"
#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/paths/path_engine.hpp"

namespace gsim::pricing {
namespace {

/// Paths of a block of a simulation that threads of a host share.
constexpr Index smallest_block = 512;

/// A part of an array of an executor, which begins at `from`.
std::vector<double> part_to_host(const Executor& executor, const double* from, Index count) {
  std::vector<double> host(static_cast<std::size_t>(count));
  if (count > 0)
    executor.copy_to_host(host.data(), from, static_cast<std::size_t>(count) * sizeof(double));
  return host;
}

}  // namespace

RecordedStates::RecordedStates(const ExerciseSetup& exercise, IndexRange blocks,
                               Index block_samples, const Executor& executor)
    : paths_(blocks.size() * block_samples),
      first_(blocks.first * block_samples),
      dates_(static_cast<Index>(exercise.values.size())),
      variables_(exercise.variables.count()),
      has_value_variable_(exercise.variables.has_exercise_value),
      values_(executor, 0),
      states_(executor, 0),
      controls_(executor, 0) {}

RecordedStates::RecordedStates(const Simulation& simulation, Index first_sample, IndexRange mine,
                               Index block_samples, bool with_control, const Context& context)
    : RecordedStates(std::move(
          of_trades(simulation, first_sample, mine, block_samples, {with_control}, context)
              .front())) {}

std::shared_ptr<const ExerciseSetup> RecordedStates::recording(const ExerciseSetup& exercise,
                                                               Index first_sample,
                                                               bool with_control) {
  values_.resize_uninitialised(dates_ * paths_);
  states_.resize_uninitialised(dates_ * variables_ * paths_);
  if (with_control) controls_.resize_uninitialised(dates_ * paths_);
  auto recording = std::make_shared<ExerciseSetup>(exercise);
  recording->policy = {};
  // Kernels compute the address of the variables even if there are none.
  double* const variables = variables_ > 0 ? states_.view().data : values_.view().data;
  recording->recorded = {values_.view().data, variables,
                         with_control ? controls_.view().data : nullptr, paths_,
                         first_sample + first_};
  return recording;
}

std::vector<RecordedStates> RecordedStates::of_trades(const Simulation& simulation,
                                                      Index first_sample, IndexRange mine,
                                                      Index block_samples,
                                                      const std::vector<bool>& with_control,
                                                      const Context& context) {
  std::vector<RecordedStates> all;
  for (const TradeSetup& trade : simulation.trades)
    all.push_back(RecordedStates(*trade.exercise, mine, block_samples, context.executor));
  context.communicator.agree([&] {
    if (mine.size() == 0) return;
    const Stopwatch stopwatch;
    Simulation recorded = simulation;
    for (std::size_t i = 0; i < all.size(); ++i) {
      TradeSetup& trade = recorded.trades[i];
      trade.exercise = all[i].recording(*trade.exercise, first_sample, with_control[i]);
      trade.control = TradeSetup::Control::none;
    }
    // The threads of a host share blocks; no sum over a block is used.
    const bool is_split = !context.executor.is_cuda() && block_samples % smallest_block == 0 &&
                          simulation.sampling == Sampling::pseudo_random && !simulation.is_nested;
    recorded.block_samples = is_split ? smallest_block : block_samples;
    const Index per_block = block_samples / recorded.block_samples;
    const Index first = first_sample / recorded.block_samples;
    const std::unique_ptr<PathEngine> engine = make_path_engine(context.executor, recorded);
    const std::vector<std::uint8_t> active(all.size(), 1);
    engine->run({first + mine.first * per_block, first + mine.last * per_block}, active);
    context.executor.synchronize();
    for (RecordedStates& states : all) states.seconds_ = stopwatch.seconds();
  });
  return all;
}

std::vector<double> RecordedStates::values_to_host(Index date) const {
  return part_to_host(values_.executor(), value(date), paths_);
}

std::vector<double> RecordedStates::variables_to_host(Index date) const {
  return part_to_host(states_.executor(), variable(date), variables_ * paths_);
}

std::vector<double> RecordedStates::controls_to_host(Index date) const {
  if (controls_.size() == 0) return {};
  return part_to_host(controls_.executor(), control(date), paths_);
}

Index RecordedStates::first_not_finite(const Communicator& communicator) const {
  Index found = dates_;
  communicator.agree([&] {
    if (paths_ == 0) return;
    Index first = -1;
    regression_first_not_finite(values_.executor(), {value(0), dates_ * paths_, &first});
    if (first >= 0) found = first / paths_;
  });
  found = communicator.min(found);
  return found < dates_ ? found : -1;
}

void RecordedStates::replace_values(Index date, const double* values) {
  if (paths_ == 0) return;
  const auto replace = [&](double* at) {
    copy_on_executor(values_.executor(), at, values,
                     static_cast<std::size_t>(paths_) * sizeof(double));
  };
  replace(values_.view().data + date * paths_);
  if (has_value_variable_) replace(states_.view().data + ((date + 1) * variables_ - 1) * paths_);
}

void RecordedStates::replace_first_variable(const RecordedStates& from) {
  for (Index d = 0; d < dates_ && paths_ > 0; ++d)
    copy_on_executor(values_.executor(), states_.view().data + d * variables_ * paths_,
                     from.value(d), static_cast<std::size_t>(paths_) * sizeof(double));
}

}  // namespace gsim::pricing
