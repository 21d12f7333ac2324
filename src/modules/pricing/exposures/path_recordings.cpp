#include "src/modules/pricing/exposures/path_recordings.hpp"

#include <map>
#include <tuple>
#include <utility>

#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/exposures/path_measure.hpp"

namespace gsim::pricing {
namespace {

/// What the paths of a recording depend on: whether they are those of the regressions and, of the
/// others, the measure.
using KindOfPaths = std::tuple<bool, Index, Index, std::vector<std::pair<Index, double>>>;

KindOfPaths paths_of(const PathRecording& recording) {
  if (recording.of_regression) return {true, -1, -1, {}};
  const BaseMeasure& measure = *recording.measure;
  if (measure.is_own()) return {false, -1, -1, {}};
  std::vector<std::pair<Index, double>> legs;
  for (const CurrencyLeg& leg : measure.legs)
    legs.emplace_back(leg.pair, static_cast<double>(leg.sign));
  return {false, measure.own_numeraire, measure.numeraire, std::move(legs)};
}

}  // namespace

double PathRecording::bytes(const UnitSamples& samples) const {
  const ExerciseSetup& exercise = *trade.exercise;
  const Index columns = 1 + exercise.variables.count() + (with_control ? 1 : 0);
  const Index paths = of_regression ? samples.regression_paths : samples.paths;
  return sizeof(double) * static_cast<double>(columns) *
         static_cast<double>(exercise.values.size()) * static_cast<double>(paths);
}

PathRecorder::PathRecorder(const PricingSetup& setup, const MarketView& view, const Context& alone)
    : setup_(setup), view_(view), alone_(alone) {}

Simulation PathRecorder::simulation_of(const std::vector<const PathRecording*>& recordings) const {
  Simulation simulation = setup_.simulation;
  simulation.unused.assign(simulation.assets.size(), 1);
  simulation.trades.clear();
  for (const PathRecording* const recording : recordings) {
    for (const Index i : recording->trade.assets)
      simulation.unused[static_cast<std::size_t>(i)] = 0;
    simulation.trades.push_back(recording->trade);
  }
  const PathRecording& first = *recordings.front();
  if (first.of_regression || first.measure->is_own()) return simulation;
  return under_measure(std::move(simulation), *first.measure, view_, setup_.assets);
}

std::vector<RecordedStates> PathRecorder::record(const std::vector<PathRecording>& recordings,
                                                 const UnitSamples& samples) const {
  std::map<KindOfPaths, std::vector<std::size_t>> together;
  for (std::size_t i = 0; i < recordings.size(); ++i)
    together[paths_of(recordings[i])].push_back(i);
  std::vector<std::unique_ptr<RecordedStates>> recorded(recordings.size());
  for (const auto& [paths, members] : together) {
    std::vector<const PathRecording*> list;
    std::vector<bool> with_control;
    for (const std::size_t i : members) {
      list.push_back(&recordings[i]);
      with_control.push_back(recordings[i].with_control);
    }
    const bool of_regression = list.front()->of_regression;
    const Index first = of_regression ? samples.first_regression : samples.first;
    const Index count = of_regression ? samples.regression_paths : samples.paths;
    std::vector<RecordedStates> states =
        RecordedStates::of_trades(simulation_of(list), first, {0, count / regression_block},
                                  regression_block, with_control, alone_);
    for (std::size_t k = 0; k < members.size(); ++k)
      recorded[members[k]] = std::make_unique<RecordedStates>(std::move(states[k]));
  }
  std::vector<RecordedStates> all;
  all.reserve(recorded.size());
  for (const auto& states : recorded) all.push_back(std::move(*states));
  return all;
}

}  // namespace gsim::pricing
