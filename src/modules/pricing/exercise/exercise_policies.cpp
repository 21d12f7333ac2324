#include "src/modules/pricing/exercise/exercise_policies.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/exercise/longstaff_schwartz.hpp"
#include "src/modules/pricing/paths/separate_paths.hpp"

namespace gsim::pricing {
namespace {

/// The simulation of a trade alone, as regressions use it: pseudo-random, without antithetic paths.
PricingSetup regression_setup(const PricingConfig& config, const TradeConfig& trade,
                              const Context& context) {
  PricingConfig alone = portfolio_of_one(config, trade);
  alone.options.sampling = Sampling::pseudo_random;
  alone.options.antithetic = false;
  alone.options.control_variates = ControlVariates::none;
  return set_up(alone, context.arithmetic, context.seed);
}

}  // namespace

ExercisePolicy policy_of(const PricingConfig& config, const TradeConfig& trade,
                         const Context& context, WorkShares& shares, double known_today) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const ExerciseOptions& options = config.options.exercise;
  const PricingSetup setup = regression_setup(config, trade, context);
  const ExerciseSetup& exercise = *setup.simulation.trades.front().exercise;
  const double today = exercise.today ? value_today(setup.simulation, exercise) : known_today;
  const std::vector<double>& dates = trade.exercise.dates;
  ExercisePolicy policy = find_policy(setup.simulation, options, dates, today, context, shares);
  policy.gap = policy.gap_error = none;
  if (exercise.today && !(today < std::numeric_limits<double>::infinity())) policy.failed_at = 0;
  if (!options.upper_bound || policy.has_failed()) return policy;
  TradeConfig decided = trade;
  // The nested simulation follows the policy after today, even if the trade is exercised today.
  auto later = policy;
  later.exercised_today = false;
  decided.exercise.policy = std::make_shared<const ExercisePolicy>(later);
  find_upper_bound(regression_setup(config, decided, context).simulation, options, dates, context,
                   shares, policy);
  return policy;
}

void find_exercise_policies(PricingConfig& config, const Context& context) {
  RegionTimer::Scope scope(context.timer.get(), "exercise");
  WorkShares shares;
  for (TradeConfig& trade : config.trades) {
    if (!trade.exercise.is_early()) continue;
    trade.exercise.policy =
        std::make_shared<const ExercisePolicy>(policy_of(config, trade, context, shares));
  }
}

std::string exercise_problem(const PricingConfig& config, const TradeConfig& trade) {
  const ExercisePolicy* const policy = trade.exercise.policy.get();
  if (policy == nullptr || !policy->has_failed()) return {};
  const std::string place = to_string(trade.source.location());
  return fmt::format(
      "{}trade `{}`: what exercise {} pays is not a finite number on at least one path; check the "
      "trade's amounts, and what its payoff divides by or takes logarithms or roots of",
      place.empty() ? "" : place + ": ", excerpt(trade.id),
      policy->failed_at == 0 ? "today" : "at " + config.market.dates.text_of(policy->failed_at));
}

void check_exercise(const PricingConfig& config, std::string_view advice) {
  for (const TradeConfig& trade : config.trades) {
    const std::string problem = exercise_problem(config, trade);
    if (!problem.empty()) throw NumericalError(fmt::format("{}, or {}", problem, advice));
  }
}

void save_policies(const PricingConfig& config, DatasetWriter& writer) {
  std::vector<std::int64_t> sizes;
  std::vector<double> numbers;
  for (const TradeConfig& trade : config.trades) {
    if (!trade.exercise.is_early()) continue;
    const ExercisePolicy& policy = *trade.exercise.policy;
    numbers.insert(numbers.end(),
                   {policy.threshold, policy.exercised_today ? 1.0 : 0.0, policy.value_today,
                    policy.gap, policy.gap_error, policy.failed_at});
    for (const DatePolicy& date : policy.dates) {
      sizes.push_back(static_cast<std::int64_t>(date.centre.size()));
      sizes.push_back(static_cast<std::int64_t>(date.coefficient.size()));
      for (const auto* list : {&date.centre, &date.scale, &date.coefficient})
        numbers.insert(numbers.end(), list->begin(), list->end());
      numbers.push_back(date.boundary);
    }
  }
  writer.write("exercise/size", sizes);
  writer.write("exercise/number", numbers);
}

void restore_policies(PricingConfig& config, DatasetReader& reader) {
  const auto sizes = reader.read<std::int64_t>("exercise/size");
  const auto numbers = reader.read<double>("exercise/number");
  std::size_t size = 0, number = 0;
  const auto check = [](bool holds) {
    if (!holds) throw IoError("checkpoint: exercise/size and exercise/number are of other trades");
  };
  const auto next = [&] {
    check(number < numbers.size());
    return numbers[number++];
  };
  const auto next_size = [&](std::int64_t largest) {
    check(size < sizes.size() && sizes[size] >= 0 && sizes[size] <= largest);
    return sizes[size++];
  };
  const auto list = [&](std::int64_t count) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < count; ++i) values.push_back(next());
    return values;
  };
  for (TradeConfig& trade : config.trades) {
    if (!trade.exercise.is_early()) continue;
    ExercisePolicy policy;
    policy.threshold = next();
    policy.exercised_today = next() != 0;
    policy.value_today = next();
    policy.gap = next();
    policy.gap_error = next();
    policy.failed_at = next();
    for (std::size_t d = 0; d + 1 < trade.exercise.dates.size(); ++d) {
      const std::int64_t variables = next_size(max_variables), functions = next_size(max_functions);
      DatePolicy date;
      date.centre = list(variables);
      date.scale = list(variables);
      date.coefficient = list(functions);
      date.boundary = next();
      policy.dates.push_back(std::move(date));
    }
    trade.exercise.policy = std::make_shared<const ExercisePolicy>(std::move(policy));
  }
  check(size == sizes.size() && number == numbers.size());
}

}  // namespace gsim::pricing
