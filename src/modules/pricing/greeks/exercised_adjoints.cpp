#include "src/modules/pricing/greeks/exercised_adjoints.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "kernels/pricing/greeks/adjoint/payoff_gradients.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/greeks/rate_claim_changes.hpp"

namespace gsim::pricing {
namespace {

class ExercisePlanner {
 public:
  ExercisePlanner(const TradeSetup& base, const std::vector<const TradeSetup*>& bumped,
                  const std::vector<AssetChanges>& changes, PlannedAdjoint& adjoint, Terms& payoff,
                  Terms& control)
      : base_(base),
        exercise_(*base.exercise),
        bumped_(bumped),
        changes_(changes),
        sums_(adjoint.sums),
        payoff_(payoff),
        control_(control),
        has_control_(base.control == TradeSetup::Control::at_exercise) {}

  PlannedExercise plan() {
    plan_.records = records_of_exercise(base_);
    plan_.dates = static_cast<Index>(exercise_.values.size());
    plan_.assets = static_cast<Index>(base_.assets.size());
    add_payments();
    add_log_spots();
    if (exercise_.values.front().payoff == PayoffFormula::rate_claims) add_claims();
    if (has_control_) add_control();
    for (std::size_t a = 0; a < base_.assets.size(); ++a)
      for (std::size_t b = 0; b < base_.assets.size(); ++b) add_column(a, b);
    add_tangents();
    return std::move(plan_);
  }

 private:
  int take(Index count) {
    const int first = sums_;
    sums_ += static_cast<int>(count);
    return first;
  }
  const ExerciseSetup& bumped(std::size_t k) const { return *bumped_[k]->exercise; }
  /// The change of the log-spot of an asset from today until a record, apart from slopes.
  double shift(std::size_t k, std::size_t asset, Index record) const {
    const AssetChange& change = *changes_[k][asset];
    return change.shift(-1, record) + change.spot_change();
  }

  /// Of the discount factors.
  void add_payments() {
    plan_.value = take(plan_.dates);
    for (std::size_t k = 0; k < bumped_.size(); ++k)
      for (std::size_t d = 0; d < exercise_.values.size(); ++d)
        add_term(payoff_[k], plan_.value + static_cast<int>(d),
                 relative_change(exercise_.values[d].discount, bumped(k).values[d].discount));
  }

  void add_log_spots() {
    const std::size_t slots = plan_.records.size();
    plan_.spot = take(static_cast<Index>(base_.assets.size() * slots));
    for (std::size_t k = 0; k < bumped_.size(); ++k)
      for (std::size_t a = 0; a < base_.assets.size(); ++a)
        for (std::size_t r = 0; r < slots; ++r)
          add_term(payoff_[k], plan_.spot + static_cast<int>(a * slots + r),
                   shift(k, a, plan_.records[r]));
  }

  void add_claims() {
    const int first = sums_;
    for (std::size_t d = 0; d < exercise_.values.size(); ++d) {
      const TradeSetup& value = exercise_.values[d];
      plan_.claims.push_back(take(number_of_terms(value)));
      for (std::size_t k = 0; k < bumped_.size(); ++k)
        for (Index t = 0; t < number_of_terms(value); ++t)
          add_term(
              payoff_[k], plan_.claims.back() + static_cast<int>(t),
              without_rounding(amount_of_term(bumped(k).values[d], t) - amount_of_term(value, t)));
    }
    plan_.claim_count = sums_ - first;
  }

  void add_control() {
    const std::size_t assets = base_.assets.size(), dates = exercise_.values.size();
    plan_.control_value = take(plan_.assets);
    plan_.control_spot = take(plan_.assets * plan_.dates);
    if (exercise_.control.kind == ExerciseControl::vanilla)
      plan_.control_sd = take(plan_.assets * plan_.dates);
    const ControlAtExercise& from = exercise_.control;
    for (std::size_t k = 0; k < bumped_.size(); ++k) {
      const ControlAtExercise& to = bumped(k).control;
      for (std::size_t a = 0; a < assets; ++a) {
        add_term(control_[k], plan_.control_value + static_cast<int>(a),
                 relative_change(from.weight[a], to.weight[a]));
        for (std::size_t d = 0; d < dates; ++d) {
          const std::size_t at = d * assets + a;
          const int sum = static_cast<int>(a * dates + d);
          add_term(
              control_[k], plan_.control_spot + sum,
              shift(k, a, exercise_.records[d]) + relative_change(from.growth[at], to.growth[at]));
          if (plan_.control_sd >= 0)
            add_term(control_[k], plan_.control_sd + sum,
                     without_rounding(to.sd[at] - from.sd[at]));
        }
      }
    }
  }

  double slope(std::size_t k, std::size_t asset, std::size_t read, Index record) const {
    const AssetChange& change = *changes_[k][asset];
    return asset == read ? change.slope(record) : change.slope_of_other(record, read);
  }

  /// The derivatives by asset `a` times the changes of the log-spot of asset `b`, in segments in
  /// which no slope changes.
  void add_column(std::size_t a, std::size_t b) {
    PlannedExercisedColumn column;
    bool has_slopes = false;
    std::vector<Index> first;  // record of each segment
    for (std::size_t r = 0; r < plan_.records.size(); ++r) {
      const Index record = plan_.records[r];
      bool is_same = r > 0;
      for (std::size_t k = 0; k < changes_.size(); ++k) {
        const double s = slope(k, a, b, record);
        has_slopes = has_slopes || s != 0;
        is_same = is_same && is_near(s, slope(k, a, b, plan_.records[r - 1]), slope_rounding);
      }
      if (is_same) {
        column.last.back() = record;
      } else {
        first.push_back(record);
        column.last.push_back(record);
      }
    }
    if (!has_slopes) return;
    column.position = static_cast<Index>(a);
    column.asset = base_.assets[b];
    const auto segments = static_cast<Index>(first.size());
    column.sum = take(segments);
    if (has_control_) column.control_sum = take(segments);
    for (std::size_t k = 0; k < changes_.size(); ++k)
      for (std::size_t s = 0; s < first.size(); ++s)
        add_product(column, static_cast<int>(s), k, slope(k, a, b, first[s]));
    plan_.columns.push_back(std::move(column));
  }

  void add_product(const PlannedExercisedColumn& column, int segment, std::size_t k, double by) {
    add_term(payoff_[k], column.sum + segment, by);
    if (has_control_) add_term(control_[k], column.control_sum + segment, by);
  }

  void add_tangents() {
    for (std::size_t k = 0; k < changes_.size(); ++k)
      for (std::size_t a = 0; a < base_.assets.size(); ++a) {
        const std::optional<std::size_t>& tangent = changes_[k][a]->tangent();
        if (!tangent) continue;
        PlannedExercisedColumn column;
        column.position = static_cast<Index>(a);
        column.asset = base_.assets[a];
        column.tangent = tangent;
        column.last = {plan_.records.back()};
        column.sum = take(1);
        if (has_control_) column.control_sum = take(1);
        add_product(column, 0, k, 1);
        plan_.columns.push_back(std::move(column));
      }
  }

  const TradeSetup& base_;
  const ExerciseSetup& exercise_;
  const std::vector<const TradeSetup*>& bumped_;
  const std::vector<AssetChanges>& changes_;
  int& sums_;
  Terms &payoff_, &control_;
  bool has_control_;
  PlannedExercise plan_;
};

}  // namespace

bool has_swept_exercise(const TradeSetup& t) {
  using Control = TradeSetup::Control;
  if (t.exercise == nullptr || t.continuous ||
      (t.control != Control::none && t.control != Control::at_exercise))
    return false;
  const ExerciseSetup& exercise = *t.exercise;
  // A policy whose variables are sorted spots does not know which asset is the largest one: it is
  // too far from the best policy where the assets differ.
  const bool is_sorted = exercise.variables.kind == SpotVariables::largest ||
                         exercise.variables.kind == SpotVariables::smallest;
  if (exercise.policy.exercised_today || exercise.policy.has_failed() ||
      (is_sorted && t.assets.size() > 1))
    return false;
  return std::all_of(exercise.values.begin(), exercise.values.end(), [&](const TradeSetup& value) {
    return !value.continuous && pricing_kernels::has_gradient(value.payoff) &&
           value.payoff == exercise.values.front().payoff && value.assets == t.assets &&
           !value.records.empty() && value.discount > 0;
  });
}

bool has_same_exercise(const TradeSetup& a, const TradeSetup& b) {
  if (b.exercise == nullptr || a.control != b.control) return false;
  const ExerciseSetup &from = *a.exercise, &to = *b.exercise;
  if (from.records != to.records || from.values.size() != to.values.size() ||
      from.control.kind != to.control.kind || from.control.strike != to.control.strike)
    return false;
  for (std::size_t d = 0; d < from.values.size(); ++d)
    if (!has_same_payoff(from.values[d], to.values[d])) return false;
  return true;
}

std::vector<Index> records_of_exercise(const TradeSetup& trade) {
  std::set<Index> records(trade.exercise->records.begin(), trade.exercise->records.end());
  for (const TradeSetup& value : trade.exercise->values) {
    const std::vector<Index> of_value = fixings_of(value);
    records.insert(of_value.begin(), of_value.end());
  }
  return {records.begin(), records.end()};
}

void plan_exercise(const TradeSetup& base, const std::vector<const TradeSetup*>& bumped,
                   const std::vector<AssetChanges>& changes, PlannedAdjoint& adjoint, Terms& payoff,
                   Terms& control) {
  adjoint.exercise = ExercisePlanner(base, bumped, changes, adjoint, payoff, control).plan();
}

}  // namespace gsim::pricing
