#include "src/modules/pricing/greeks/script_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "kernels/pricing/payoffs/script_operations.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/scripts/script_smoothness.hpp"
#include "src/modules/pricing/scripts/scripted_trade.hpp"

namespace gsim::pricing {
namespace {

using pricing_kernels::ScriptView;

constexpr std::string_view product = "scripted";
/// Instructions at all fixings: the memory of a thread that keeps their values.
constexpr Index most_steps = Index{1} << 15;
/// Numbers change by about the size of a pathwise bump; by more, where a condition of an event
/// today is no longer met.
constexpr double largest_change = 1e-3;

/// The program of a trade.
class Program {
 public:
  explicit Program(const TradeSetup& t)
      : view_(t.numbers.data(), static_cast<std::int32_t>(t.records.size())),
        first_state_(view_.initial - t.numbers.data()),
        first_table_(view_.table - t.numbers.data()),
        end_(view_.code - t.numbers.data()) {}

  const ScriptView<double>& view() const { return view_; }
  /// Whether a number is a state before the first fixing or in a table.
  bool may_change(Index position) const {
    return is_state(position) || (position >= first_table_ && position < end_);
  }
  /// Whether a change of a number may change the payoff: those of tables are read at some fixings.
  bool is_read(Index position) const {
    if (is_state(position)) return true;
    const Index in_table = position - first_table_;
    const auto operand = static_cast<std::int32_t>(script_first_table + in_table / view_.fixings);
    bool found = false;
    for_all_steps_at(static_cast<std::int32_t>(in_table % view_.fixings),
                     [&](const ScriptInstruction& i) {
                       found = found || i.a == operand || i.b == operand || i.c == operand;
                     });
    return found;
  }
  template <class Use>
  void for_all_steps_at(std::int32_t fixing, const Use& use) const {
    const std::int32_t segment = view_.segment_at(fixing);
    for (std::int32_t n = view_.first_instruction(segment);
         n < view_.first_instruction(segment + 1); ++n) {
      const ScriptInstruction i = view_.instruction(n);
      if (i.operation != ScriptOperation::skip_if_none) use(i);
    }
  }
  template <class Use>
  void for_all_steps(const Use& use) const {
    for (std::int32_t k = 0; k < view_.fixings; ++k) for_all_steps_at(k, use);
  }
  Index steps() const {
    Index count = 0;
    for_all_steps([&](const ScriptInstruction&) { ++count; });
    return count;
  }

 private:
  bool is_state(Index position) const {
    return position >= first_state_ && position < first_state_ + view_.states;
  }

  ScriptView<double> view_;
  Index first_state_, first_table_, end_;
};

}  // namespace

ScriptDerivatives script_derivatives(const TradeConfig& t) {
  if (t.script == nullptr || product != t.payoff->name || t.exercise.is_early())
    return ScriptDerivatives::none;
  const std::vector<ScriptComparison> comparisons = comparisons_of(listing_of(t.script->program));
  const auto has = [&](ScriptComparison c) {
    return std::find(comparisons.begin(), comparisons.end(), c) != comparisons.end();
  };
  if (has(ScriptComparison::refused)) return ScriptDerivatives::none;
  return has(ScriptComparison::smooth) || has(ScriptComparison::whole_numbers)
             ? ScriptDerivatives::smoothed
             : ScriptDerivatives::own;
}

bool has_script_sweep(const TradeSetup& t) {
  return t.payoff == PayoffFormula::launched && t.kind != nullptr && product == t.kind->name &&
         t.exercise == nullptr && Program(t).steps() <= most_steps;
}

bool has_same_program(const TradeSetup& base, const TradeSetup& bumped) {
  if (base.numbers.size() != bumped.numbers.size()) return false;
  const Program program(base);
  for (std::size_t i = 0; i < base.numbers.size(); ++i) {
    const double change = std::fabs(bumped.numbers[i] - base.numbers[i]);
    if (change == 0) continue;
    if (!program.may_change(static_cast<Index>(i)) ||
        !(change <= largest_change * (1 + std::fabs(base.numbers[i]))))
      return false;
  }
  return true;
}

std::vector<double> add_changes_of_program(const TradeSetup& base,
                                           const std::vector<const TradeSetup*>& bumped, int& sums,
                                           Terms& terms) {
  const Program program(base);
  std::vector<double> numbers = {0};
  for (std::size_t i = 0; i < base.numbers.size(); ++i) {
    std::vector<double> changes;
    bool has_any = false;
    for (const TradeSetup* t : bumped) {
      changes.push_back(without_rounding(t->numbers[i] - base.numbers[i]));
      has_any = has_any || changes.back() != 0;
    }
    if (!has_any || !program.is_read(static_cast<Index>(i))) continue;
    ++numbers.front();
    numbers.insert(numbers.end(), {static_cast<double>(i), static_cast<double>(sums)});
    for (std::size_t k = 0; k < bumped.size(); ++k) add_term(terms[k], sums, changes[k]);
    ++sums;
  }
  return numbers;
}

void append_program(const TradeSetup& t, const std::vector<double>& ramps,
                    std::vector<double>& numbers) {
  const std::size_t comparisons = ramps.size() / 2;
  numbers.push_back(static_cast<double>(comparisons));
  numbers.insert(numbers.end(), ramps.begin(), ramps.end());
  numbers.insert(numbers.end(), t.numbers.begin(), t.numbers.end());
}

ScriptSize script_size(const TradeSetup& t, const std::vector<double>& numbers) {
  const Program program(t);
  ScriptSize size;
  size.derivatives =
      static_cast<Index>(t.assets.size() * t.records.size()) + static_cast<Index>(numbers.front());
  size.steps = program.steps();
  size.states = program.view().states;
  size.registers = program.view().registers;
  size.given = program.view().constants;
  program.for_all_steps([&](const ScriptInstruction& i) {
    for (const std::int32_t operand : {i.a, i.b, i.c})
      if (operand >= script_first_table) ++size.given;
  });
  return size;
}

}  // namespace gsim::pricing
