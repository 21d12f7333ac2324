#pragma once
// The policies of all trades of a portfolio with early exercise.

#include <limits>
#include <string>
#include <string_view>

#include "gsim/domain/work_shares.hpp"
#include "gsim/engine/module.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/pricing_config.hpp"

namespace gsim::pricing {

/// Finds the policies, and the upper bounds where they are requested, of all trades with early
/// exercise, each on paths of its own assets and dates, and sets them in `config.trades`. Of a
/// trade whose value of exercise is not a finite number the policy has only
/// ExercisePolicy::failed_at. Collective.
void find_exercise_policies(PricingConfig& config, const Context& context);

/// The policy of one trade in the market of `config`, as find_exercise_policies() finds it.
/// The ranks have paths by `shares`, which are measured. `known_today` is what exercise today pays
/// where the fixing of today is a past one; NaN: there is no right to it. Collective.
ExercisePolicy policy_of(const PricingConfig& config, const TradeConfig& trade,
                         const Context& context, WorkShares& shares,
                         double known_today = std::numeric_limits<double>::quiet_NaN());

/// Place and reason of a trade that cannot be priced because its value of exercise is not a finite
/// number; empty for others.
std::string exercise_problem(const PricingConfig& config, const TradeConfig& trade);
/// Throws NumericalError with exercise_problem() of the first trade that has one, and `advice`,
/// what else than its terms can be changed.
void check_exercise(const PricingConfig& config, std::string_view advice);

/// Writes the policies of all trades to a checkpoint, and reads them from one.
void save_policies(const PricingConfig& config, DatasetWriter& writer);
void restore_policies(PricingConfig& config, DatasetReader& reader);

}  // namespace gsim::pricing
