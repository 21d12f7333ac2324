#include "src/modules/pricing/exercise/recorded_states.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include "gsim/domain/replicated.hpp"
#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/paths/path_engine.hpp"

namespace gsim::pricing {
namespace {

/// A part of an array of an executor, which begins at `from`.
std::vector<double> part_to_host(const Executor& executor, const double* from, Index count) {
  std::vector<double> host(static_cast<std::size_t>(count));
  if (count > 0)
    executor.copy_to_host(host.data(), from, static_cast<std::size_t>(count) * sizeof(double));
  return host;
}

}  // namespace

RecordedStates::RecordedStates(const Simulation& simulation, Index first_sample, Index blocks,
                               Index block_samples, bool with_control, const Context& context)
    : values_(context.executor, 0), states_(context.executor, 0), controls_(context.executor, 0) {
  const ExerciseSetup& exercise = *simulation.trades.front().exercise;
  const ReplicatedDecomposition parts({0, blocks}, context.communicator.size());
  const IndexRange mine = parts.range(context.communicator.rank());
  paths_ = mine.size() * block_samples;
  first_ = mine.first * block_samples;
  dates_ = static_cast<Index>(exercise.values.size());
  variables_ = exercise.variables.count();
  has_value_variable_ = exercise.variables.has_exercise_value;
  context.communicator.agree([&] {
    if (paths_ == 0) return;
    values_.resize_uninitialised(dates_ * paths_);
    states_.resize_uninitialised(dates_ * variables_ * paths_);
    if (with_control) controls_.resize_uninitialised(dates_ * paths_);
    auto recording = std::make_shared<ExerciseSetup>(exercise);
    recording->policy = {};
    recording->recorded = {values_.view().data, states_.view().data,
                           with_control ? controls_.view().data : nullptr, paths_,
                           first_sample + first_};
    Simulation recorded = simulation;
    recorded.block_samples = block_samples;
    recorded.trades.front().exercise = recording;
    recorded.trades.front().control = TradeSetup::Control::none;
    const std::unique_ptr<PathEngine> engine = make_path_engine(context.executor, recorded);
    const Index first_block = first_sample / block_samples;
    const std::array<std::uint8_t, 1> active{1};
    engine->run({first_block + mine.first, first_block + mine.last}, active);
  });
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

void RecordedStates::replace_values(const std::vector<double>& values) {
  if (paths_ == 0) return;
  values_.assign(std::span<const double>(values));
  if (!has_value_variable_) return;
  std::vector<double> states = states_.to_host();
  for (Index d = 0; d < dates_; ++d)
    std::copy_n(values.begin() + d * paths_, paths_,
                states.begin() + ((d + 1) * variables_ - 1) * paths_);
  states_.assign(std::span<const double>(states));
}

}  // namespace gsim::pricing
