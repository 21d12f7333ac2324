#pragma once
// A script after parsing: declarations and statements, whose names and types have been checked.

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gsim/core/types.hpp"
#include "src/modules/pricing/scripts/script_text.hpp"

namespace gsim::pricing {

/// A quantity of the date at which a statement is executed, the same on all paths.
enum class DateQuantity { first, last, index, dates, time };

enum class ScriptFunction {
  minimum,
  maximum,
  absolute,
  exponential,
  logarithm,
  square_root,
  where,
  clip
};

/// Reduction of an expression over the trade's assets.
enum class AssetReduction { worst, best, sum, average, any, all, count };

struct ScriptExpression {
  enum class Kind {
    number,  ///< `number`; a condition is 1 or 0
    symbol,  ///< Script::symbols[symbol]
    spot,    ///< of the current asset, or of the asset named `name`
    asset_count,
    date,  ///< `quantity`
    negate,
    complement,  ///< not
    add,
    subtract,
    multiply,
    divide,
    less,
    less_equal,
    equal,
    not_equal,
    both,      ///< and
    either,    ///< or
    function,  ///< `function` of the operands
    reduction  ///< `reduction` of the operand
  };
  Kind kind = Kind::number;
  ScriptPlace at;
  bool is_condition = false;
  int depth = 1;  ///< of the tree
  double number = 0;
  std::size_t symbol = 0;
  std::string name;
  DateQuantity quantity = DateQuantity::first;
  ScriptFunction function = ScriptFunction::minimum;
  AssetReduction reduction = AssetReduction::worst;
  std::vector<ScriptExpression> operands;
};

struct ScriptStatement {
  enum class Kind {
    let,        ///< defines symbol as expression
    assign,     ///< sets symbol to expression
    pay,        ///< pays the expression, see `payment`
    call,       ///< ends the trade
    exercise,   ///< gives the holder the right to end the trade for the expression
    condition,  ///< if expression, body, else other
    each_asset  ///< body for each asset
  };
  enum class Payment { with_lag, after, at_maturity };
  Kind kind = Kind::pay;
  ScriptPlace at;
  std::size_t symbol = 0;
  Payment payment = Payment::with_lag;
  std::vector<ScriptExpression> expressions;  ///< the expression and, for Payment::after, the lag
  std::vector<ScriptStatement> body, other;
};

struct ScriptSymbol {
  enum class Kind { parameter, state, local };
  enum class Shape { single, per_asset, per_date };
  std::string name;
  ScriptPlace at;
  Kind kind = Kind::local;
  Shape shape = Shape::single;
  bool is_condition = false;
  std::size_t schedule = 0;               ///< Shape::per_date
  std::optional<double> default_value;    ///< of a parameter
  std::vector<ScriptExpression> initial;  ///< of a state, one expression
  bool is_read = false, is_assigned = false;
};

/// Statements that are executed at the dates of a schedule.
struct ScriptBlock {
  std::size_t schedule = 0;
  std::vector<ScriptStatement> statements;
  bool reads_first = false, reads_last = false;
};

struct Script {
  /// The schedules `fixings` and `maturity`, then those of the script in order of appearance.
  static constexpr std::size_t fixings = 0, maturity = 1;
  ScriptText text;
  std::string name;  ///< for tables; empty: written within the trade
  std::vector<std::string> schedules;
  std::vector<ScriptSymbol> symbols;
  std::vector<ScriptBlock> blocks;
  bool calls = false;      ///< whether it has a `call`
  bool exercises = false;  ///< whether it has an `exercise`

  bool has_block_of(std::size_t schedule) const {
    for (const ScriptBlock& b : blocks)
      if (b.schedule == schedule) return true;
    return false;
  }
};

/// Reads a script. ConfigError at the first error, with its line and column.
std::shared_ptr<const Script> parse_script(ScriptText text, std::string name);

}  // namespace gsim::pricing
