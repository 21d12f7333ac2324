#pragma once
// Early exercise: the keys of trades and of [pricing.exercise].

#include <memory>
#include <vector>

#include "gsim/config/section.hpp"

namespace gsim::pricing {

struct ExercisePolicy;
struct TradeConfig;
struct TradeInput;

/// When a trade may be exercised (the styles of Hull, "Options, Futures and Other Derivatives").
enum class ExerciseStyle { european, american, bermudan };

/// The exercise rights of a trade.
struct ExerciseTerms {
  ExerciseStyle style = ExerciseStyle::european;
  std::vector<double> dates;  ///< early exercise: years after today, increasing; the last is the
                              ///< maturity
  bool today = false;         ///< whether the trade may also be exercised today
  /// Of bonds: what is repaid at exercise per unit of notional, without accrued interest, at today
  /// (if `today`) and each of the dates, or one number for all of them.
  std::vector<double> prices;
  /// Of bonds: the issuer has the right. What the trade pays then has the opposite sign, and so has
  /// its quantity.
  bool by_issuer = false;
  /// Of a bond whose maturity was brought forward (matured_at()): the price at which it is repaid
  /// then; 0: others.
  double redemption = 0;
  /// Early exercise: set before the first sample (exercise/exercise_policies.hpp).
  std::shared_ptr<const ExercisePolicy> policy;

  bool is_early() const { return style != ExerciseStyle::european; }
};

/// The [pricing.exercise] table.
struct ExerciseOptions {
  double dates_per_year = 50;  ///< exercise dates of American trades
  Index paths = Index{1} << 15;
  Index degree = 0;  ///< of the polynomials; 0: chosen by the number of variables
  bool in_the_money = true;
  bool upper_bound = true;
  Index outer_paths = 256, inner_paths = 128;
};

/// Describes the keys of [pricing.exercise].
void describe_exercise_options(Section& section, ExerciseOptions& options);

/// Describes the keys of a trade's exercise rights.
void describe_exercise(Section& section, TradeInput& trade);
/// Sets the exercise dates of a trade whose other keys are validated. American exercise takes place
/// at the dates of the product's schedule or, without one, at equally spaced dates.
void validate_exercise(const Section& section, const ExerciseOptions& options, TradeInput& trade);

}  // namespace gsim::pricing
