// Expressions of scripts as instructions.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/scripts/script_compiler.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"

namespace gsim::pricing {
namespace {

// Reductions within reductions evaluate their expressions assets^depth times.
constexpr std::size_t max_evaluations = 100000;

}  // namespace

Index position_in(const std::vector<double>& schedule, double date) {
  const auto found = std::lower_bound(schedule.begin(), schedule.end(), date - same_date);
  return found != schedule.end() && *found <= date + same_date ? found - schedule.begin() : -1;
}

std::size_t SegmentCompiler::current_asset(const ScriptPlace& at, const std::string& what) const {
  if (asset_) return *asset_;
  if (terms_.assets.size() > 1)
    script_.text.fail(at, fmt::format("`{}` is one of {} assets'", what, terms_.assets.size()),
                      "use it in `for each asset` or in worst(…), best(…), sum(…), average(…), "
                      "any(…), all(…) or count(…); spot(NAME) and spot(1) are those of one asset");
  return 0;
}

std::size_t SegmentCompiler::asset_of(const ScriptExpression& e) const {
  if (e.name.empty()) return current_asset(e.at, "spot");
  const auto count = static_cast<double>(terms_.assets.size());
  if (e.number != 0 || e.name == "0") {
    if (e.number >= 1 && e.number <= count && e.number == std::floor(e.number))
      return static_cast<std::size_t>(e.number) - 1;
    script_.text.fail(e.at, fmt::format("there is no asset number {}: the trade has {}", e.name,
                                        terms_.assets.size()));
  }
  const auto found = std::find(terms_.assets.begin(), terms_.assets.end(), e.name);
  if (found == terms_.assets.end())
    script_.text.fail(e.at, fmt::format("`{}` is no asset of the trade", excerpt(e.name)),
                      suggest_known(e.name, terms_.assets, "its assets are"));
  return static_cast<std::size_t>(found - terms_.assets.begin());
}

ScriptTable SegmentCompiler::table_of(std::vector<double> values) const {
  ScriptTable table;
  table.values = std::move(values);
  return table;
}

ScriptValue SegmentCompiler::value(const ScriptExpression& e) {
  using Kind = ScriptExpression::Kind;
  if (++evaluated_ > max_evaluations)
    script_.text.fail(e.at,
                      fmt::format("the statements of one date evaluate more than {} expressions "
                                  "for the {} assets",
                                  max_evaluations, terms_.assets.size()),
                      "use `let` for reductions, such as worst(…), within others");
  const auto operand = [&](std::size_t i) { return value(e.operands[i]); };
  const auto binary = [&](ScriptOperation operation) {
    const ScriptValue a = operand(0);
    return code_.operate(e.at, operation, a, operand(1));
  };
  switch (e.kind) {
    case Kind::number:
      return constant_value(e.number);
    case Kind::symbol:
      return symbol_value(e);
    case Kind::spot:
      return {false, 0, script_first_asset + static_cast<std::int32_t>(asset_of(e))};
    case Kind::asset_count:
      return constant_value(static_cast<double>(terms_.assets.size()));
    case Kind::date:
      return date_value(e);
    case Kind::negate:
      return code_.operate(e.at, ScriptOperation::negate, operand(0));
    case Kind::complement:
      return code_.complement(e.at, operand(0));
    case Kind::add:
      return binary(ScriptOperation::add);
    case Kind::subtract:
      return binary(ScriptOperation::subtract);
    case Kind::multiply:
      return binary(ScriptOperation::multiply);
    case Kind::divide:
      return binary(ScriptOperation::divide);
    case Kind::less:
      return binary(ScriptOperation::less);
    case Kind::less_equal:
      return binary(ScriptOperation::less_equal);
    case Kind::equal:
      return binary(ScriptOperation::equal);
    case Kind::not_equal:
      return binary(ScriptOperation::not_equal);
    case Kind::both: {
      const ScriptValue a = operand(0);
      return a.is_constant && a.constant == 0 ? a : code_.both(e.at, a, operand(1));
    }
    case Kind::either: {
      const ScriptValue a = operand(0);
      return a.is_constant && a.constant != 0 ? a : code_.either(e.at, a, operand(1));
    }
    case Kind::function:
      return function_value(e);
    case Kind::reduction:
      return reduced(e);
  }
  return {};
}

ScriptValue SegmentCompiler::symbol_value(const ScriptExpression& e) {
  const ScriptSymbol& s = script_.symbols[e.symbol];
  const std::vector<double>& given = terms_.parameters[e.symbol];
  if (s.kind == ScriptSymbol::Kind::local) return value_of_[e.symbol];
  if (s.kind == ScriptSymbol::Kind::state) return {false, 0, register_of(e.at, e.symbol)};
  switch (s.shape) {
    case ScriptSymbol::Shape::single:
      return constant_value(given.front());
    case ScriptSymbol::Shape::per_asset:
      return constant_value(given[current_asset(e.at, s.name)]);
    case ScriptSymbol::Shape::per_date:
      break;
  }
  std::vector<double> values;
  for (const double date : terms_.events) {
    const Index k = position_in(terms_.schedules[s.schedule], date);
    values.push_back(k < 0 ? 0.0 : given[static_cast<std::size_t>(k)]);
  }
  return code_.from_table(e.at, table_of(std::move(values)));
}

ScriptValue SegmentCompiler::date_value(const ScriptExpression& e) {
  const std::vector<double>& schedule = terms_.schedules[block_->schedule];
  const Index here = position_in(schedule, terms_.events[event_]);
  const auto last = static_cast<Index>(schedule.size()) - 1;
  const auto by_position = [&](auto value_at) {
    std::vector<double> values;
    for (const double date : terms_.events) {
      const Index k = position_in(schedule, date);
      values.push_back(k < 0 ? 0.0 : value_at(static_cast<std::size_t>(k)));
    }
    return code_.from_table(e.at, table_of(std::move(values)));
  };
  switch (e.quantity) {
    case DateQuantity::first:
      return constant_value(here == 0 ? 1 : 0);
    case DateQuantity::last:
      return constant_value(here == last ? 1 : 0);
    case DateQuantity::dates:
      return constant_value(static_cast<double>(schedule.size()));
    case DateQuantity::index:
      return by_position([](std::size_t k) { return static_cast<double>(k + 1); });
    case DateQuantity::time:
      return by_position([&](std::size_t k) { return schedule[k]; });
  }
  return {};
}

ScriptValue SegmentCompiler::function_value(const ScriptExpression& e) {
  const ScriptValue a = value(e.operands[0]);
  switch (e.function) {
    case ScriptFunction::absolute:
      return code_.operate(e.at, ScriptOperation::absolute, a);
    case ScriptFunction::exponential:
      return code_.operate(e.at, ScriptOperation::exponential, a);
    case ScriptFunction::logarithm:
      return code_.operate(e.at, ScriptOperation::logarithm, a);
    case ScriptFunction::square_root:
      return code_.operate(e.at, ScriptOperation::square_root, a);
    case ScriptFunction::minimum:
      return code_.smaller(e.at, a, value(e.operands[1]));
    case ScriptFunction::maximum:
      return code_.larger(e.at, a, value(e.operands[1]));
    case ScriptFunction::clip:
      return clipped(e, a);
    case ScriptFunction::where:
      break;
  }
  if (a.is_constant) return value(e.operands[a.constant != 0 ? 1 : 2]);
  const ScriptValue b = value(e.operands[1]);
  return code_.chosen(e.at, a, b, value(e.operands[2]));
}

ScriptValue SegmentCompiler::clipped(const ScriptExpression& e, const ScriptValue& x) {
  const ScriptValue low = value(e.operands[1]);
  const ScriptValue raised = code_.larger(e.at, x, low);
  const ScriptValue high = value(e.operands[2]);
  if (low.is_constant && high.is_constant && low.constant > high.constant)
    script_.text.fail(e.at, fmt::format("the lower bound {} of `clip` is above the upper bound {}",
                                        low.constant, high.constant));
  return code_.smaller(e.at, raised, high);
}

ScriptValue SegmentCompiler::reduced(const ScriptExpression& e) {
  const std::optional<std::size_t> outer = asset_;
  ScriptValue result;
  for (std::size_t a = 0; a < terms_.assets.size(); ++a) {
    asset_ = a;
    const ScriptValue v = value(e.operands[0]);
    if (a == 0) {
      result = v;
      continue;
    }
    switch (e.reduction) {
      case AssetReduction::worst:
        result = code_.smaller(e.at, result, v);
        break;
      case AssetReduction::best:
        result = code_.larger(e.at, result, v);
        break;
      case AssetReduction::all:
        result = code_.both(e.at, result, v);
        break;
      case AssetReduction::any:
        result = code_.either(e.at, result, v);
        break;
      case AssetReduction::sum:
      case AssetReduction::average:
      case AssetReduction::count:
        result = code_.operate(e.at, ScriptOperation::add, result, v);
        break;
    }
  }
  asset_ = outer;
  if (e.reduction != AssetReduction::average) return result;
  return code_.operate(e.at, ScriptOperation::divide, result,
                       constant_value(static_cast<double>(terms_.assets.size())));
}

}  // namespace gsim::pricing
