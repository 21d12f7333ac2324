// Converts an ExerciseSetup to the tables that kernels read.

#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"

namespace gsim::pricing {
namespace {

std::vector<std::int32_t> narrowed(const std::vector<Index>& indices) {
  return {indices.begin(), indices.end()};
}

template <class T>
VariableView<T> pack_variables(TablePacker& packer, const TradeSetup& trade,
                               const RegressionVariables& variables) {
  VariableView<T> view{};
  view.kind = variables.spots > 0 ? variables.kind : SpotVariables::none;
  view.spots = static_cast<std::int32_t>(variables.spots);
  view.assets = static_cast<std::int32_t>(trade.assets.size());
  view.asset = packer.add(narrowed(trade.assets));
  view.weight = packer.add_rounded<T>(trade.weights);
  view.variances = static_cast<std::int32_t>(variables.variances.size());
  view.variance = packer.add(narrowed(variables.variances));
  view.has_exercise_value = variables.has_exercise_value;
  view.count = static_cast<std::int32_t>(variables.count());
  return view;
}

template <class T>
ControlView<T> pack_control(TablePacker& packer, const TradeSetup& trade,
                            const ControlAtExercise& control) {
  ControlView<T> view{};
  view.kind = control.kind;
  view.assets = static_cast<std::int32_t>(trade.assets.size());
  view.asset = packer.add(narrowed(trade.assets));
  view.weight = packer.add_rounded<T>(control.weight);
  view.growth = packer.add_rounded<T>(control.growth);
  view.strike = packer.add_rounded<T>(control.strike);
  view.sd = packer.add_rounded<T>(control.sd);
  view.sign = static_cast<T>(trade.sign);
  return view;
}

template <class T>
void (*exercise_launcher(Arithmetic arithmetic))(const Executor&, const ExerciseJob<T>&) {
  using Job = ExerciseJob<T>;
  const bool strict = arithmetic == Arithmetic::strict;
  if constexpr (sizeof(T) == 8)
    return strict ? [](const Executor& e, const Job& j) { exercise_f64_strict(e, j); }
                  : [](const Executor& e, const Job& j) { exercise_f64_fast(e, j); };
  else
    return strict ? [](const Executor& e, const Job& j) { exercise_f32_strict(e, j); }
                  : [](const Executor& e, const Job& j) { exercise_f32_fast(e, j); };
}

/// The values of exercise of a payoff that has launchers, at the dates at which they are needed;
/// empty for other payoffs.
template <class T>
std::vector<LaunchedValue<T>> launched_values(TablePacker& packer, const Simulation& simulation,
                                              const TradeSetup& trade) {
  const ExerciseSetup& exercise = *trade.exercise;
  std::vector<LaunchedValue<T>> values;
  if (trade.payoff != PayoffFormula::launched) return values;
  for (std::size_t d = 0; d < exercise.values.size(); ++d) {
    const bool is_needed = exercise.recorded.value != nullptr ||
                           d >= exercise.policy.dates.size() ||
                           !exercise.policy.dates[d].coefficient.empty();
    const LaunchedTrade<T> value =
        pack_launched<T>(packer, exercise.values[d], simulation.arithmetic);
    values.push_back({is_needed ? value.sample : nullptr, value.job});
  }
  return values;
}

/// ExerciseJob::is_vanilla of a trade.
bool is_vanilla(const Simulation& simulation, const TradeSetup& trade) {
  const ExerciseSetup& exercise = *trade.exercise;
  const RegressionVariables& v = exercise.variables;
  const bool has_plain_fit = exercise.degree <= 2 && !v.has_exercise_value &&
                             (v.spots == 0 || v.kind == SpotVariables::in_order) &&
                             !exercise.adds_control();
  if (!(exercise.side != 0 || has_plain_fit) || simulation.conditional ||
      exercise.control.kind == ExerciseControl::vanilla)
    return false;
  for (std::size_t d = 0; d < exercise.values.size(); ++d) {
    const TradeSetup& value = exercise.values[d];
    if (value.payoff != PayoffFormula::vanilla || value.combination == Combination::geometric ||
        value.records.back() != exercise.records[d])
      return false;
  }
  return true;
}

}  // namespace

template <class T>
LaunchedTrade<T> pack_exercise(TablePacker& packer, const Simulation& simulation,
                               const TradeSetup& trade, std::vector<LaunchedValue<T>>& values) {
  const ExerciseSetup& exercise = *trade.exercise;
  LaunchedTrade<T> launched{};
  values = launched_values<T>(packer, simulation, trade);
  launched.exercise = exercise_launcher<T>(simulation.arithmetic);
  launched.exercise_job.recorded = exercise.recorded;
  ExerciseTable<T> table{};
  table.dates = static_cast<std::int32_t>(exercise.values.size());
  table.degree = static_cast<std::int32_t>(exercise.degree);
  table.threshold = static_cast<T>(exercise.threshold);
  table.exercised_today = exercise.policy.exercised_today;
  table.value_today = exercise.policy.value_today;
  table.variables = pack_variables<T>(packer, trade, exercise.variables);
  table.control = pack_control<T>(packer, trade, exercise.control);
  if (exercise.adds_control())
    table.decision_control = pack_control<T>(packer, trade, exercise.decision_control);
  launched.samples_control = trade.control == TradeSetup::Control::at_exercise;
  table.function = packer.add(exercise.functions);
  std::vector<ExerciseDate<T>> dates;
  for (std::size_t d = 0; d < exercise.values.size(); ++d) {
    const TradeSetup& value = exercise.values[d];
    ExerciseDate<T> date{};
    date.payoff = pack_trade<T>(packer, simulation, value).payoff;
    date.decision_discount = exercise.decision_discount[d];
    date.record = static_cast<std::int32_t>(exercise.records[d]);
    if (d < exercise.policy.dates.size()) {
      const DatePolicy& policy = exercise.policy.dates[d];
      std::vector<double> inverse;
      for (const double scale : policy.scale) inverse.push_back(1 / scale);
      date.functions = static_cast<std::int32_t>(policy.coefficient.size());
      date.boundary = static_cast<T>(policy.boundary);
      date.side = exercise.side;
      date.centre = packer.add_rounded<T>(policy.centre);
      date.inverse_scale = packer.add_rounded<T>(inverse);
      date.coefficient = packer.add_rounded<T>(policy.coefficient);
    }
    dates.push_back(date);
  }
  table.date = packer.add(dates);
  ExerciseJob<T>& job = launched.exercise_job;
  job.table = packer.add(std::vector<ExerciseTable<T>>{table});
  job.dates = table.dates;
  job.exercised_today = table.exercised_today;
  job.is_vanilla = is_vanilla(simulation, trade);
  return launched;
}

template LaunchedTrade<double> pack_exercise(TablePacker&, const Simulation&, const TradeSetup&,
                                             std::vector<LaunchedValue<double>>&);
template LaunchedTrade<float> pack_exercise(TablePacker&, const Simulation&, const TradeSetup&,
                                            std::vector<LaunchedValue<float>>&);

}  // namespace gsim::pricing
