#include "src/modules/pricing/scripts/script_smoothness.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gsim::pricing {
namespace {

using Operation = ScriptOperation;

bool is_comparison(Operation operation) {
  switch (operation) {
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal:
    case Operation::not_equal:
    case Operation::less_and:
    case Operation::less_equal_and:
    case Operation::set_where_less:
    case Operation::set_where_less_equal:
      return true;
    default:
      return false;
  }
}

bool has_kink(Operation operation) {
  switch (operation) {
    case Operation::minimum:
    case Operation::maximum:
    case Operation::at_least:
    case Operation::at_most:
    case Operation::absolute:
    case Operation::difference_at_least:
    case Operation::clip:
    case Operation::minimum_product:
    case Operation::maximum_product:
      return true;
    default:
      return false;
  }
}

/// Whether an operation of whole numbers may have another result.
bool leaves_whole_numbers(Operation operation) {
  switch (operation) {
    case Operation::divide:
    case Operation::quotient_difference:
    case Operation::exponential:
    case Operation::logarithm:
    case Operation::square_root:
      return true;
    default:
      return false;
  }
}

bool is_whole(double x) { return std::floor(x) == x; }

/// What is known of a value.
struct Value {
  bool varies = false;   ///< by path
  bool is_whole = true;  ///< a whole number or a condition
  bool is_kinked = false;
  bool is_chosen = false;  ///< depends on a condition on the spots, and is not whole

  friend bool operator==(const Value&, const Value&) = default;
  Value with(const Value& other) const {
    return {varies || other.varies, is_whole && other.is_whole, is_kinked || other.is_kinked,
            is_chosen || other.is_chosen};
  }
  Value chosen_by(bool condition_varies) const {
    return {varies || condition_varies, is_whole, is_kinked,
            !is_whole && (is_chosen || condition_varies)};
  }
};

/// The values of the registers while a segment is executed.
class Values {
 public:
  explicit Values(const ScriptListing& program) : program_(program) {
    for (std::size_t s = 0; s < program.initial.size(); ++s)
      registers_[s].is_whole = is_whole(program.initial[s]);
  }

  void execute(const ScriptInstruction& i) {
    if (i.operation != Operation::skip_if_none)
      registers_[static_cast<std::size_t>(i.result)] = result_of(i);
  }
  ScriptComparison comparison_of(const ScriptInstruction& i) const {
    if (i.operation == Operation::square_root && operand(i.a).is_kinked)
      return ScriptComparison::refused;
    if (!is_comparison(i.operation)) return ScriptComparison::none;
    const Value compared = operand(i.a).with(operand(i.b));
    if (!compared.varies) return ScriptComparison::none;
    if (compared.is_whole) return ScriptComparison::whole_numbers;
    const bool is_point = i.operation == Operation::equal || i.operation == Operation::not_equal;
    return is_point || compared.is_chosen ? ScriptComparison::refused : ScriptComparison::smooth;
  }
  /// Adds the states after a segment to those before any segment; whether some are new.
  bool add_states(const Values& after) {
    bool is_new = false;
    for (std::size_t s = 0; s < program_.initial.size(); ++s) {
      const Value all = registers_[s].with(after.registers_[s]);
      is_new = is_new || !(all == registers_[s]);
      registers_[s] = all;
    }
    return is_new;
  }

 private:
  Value operand(std::int32_t which) const {
    const auto at = static_cast<std::size_t>(which);
    if (which < script_first_constant) return registers_[at];
    if (which < script_first_asset)
      return {false, is_whole(program_.constants[at - std::size_t{script_first_constant}])};
    if (which < script_first_table) return {true, false};
    return {false, program_.has_whole_numbers[at - std::size_t{script_first_table}]};
  }

  Value result_of(const ScriptInstruction& i) const {
    const Value a = operand(i.a);
    const int n = operand_count(i.operation);
    if (n == 1) return computed(i.operation, a);
    const Value b = operand(i.b), both = a.with(b);
    if (n == 2)
      return is_comparison(i.operation) ? Value{both.varies} : computed(i.operation, both);
    const Value c = operand(i.c), before = registers_[static_cast<std::size_t>(i.result)];
    switch (i.operation) {
      case Operation::less_and:
      case Operation::less_equal_and:
        return {both.varies || c.varies};
      case Operation::select:
        return both.chosen_by(c.varies);
      case Operation::add_where:
        return both.with(before).chosen_by(c.varies);
      case Operation::set_where_less:
      case Operation::set_where_less_equal:
        return c.with(before).chosen_by(both.varies);
      default:
        return computed(i.operation, both.with(c));
    }
  }
  static Value computed(Operation operation, Value read) {
    read.is_whole = read.is_whole && !leaves_whole_numbers(operation);
    read.is_kinked = read.is_kinked || (read.varies && has_kink(operation));
    return read;
  }

  const ScriptListing& program_;
  std::array<Value, script_max_registers> registers_ = {};
};

}  // namespace

ScriptListing listing_of(const ScriptProgram& p) {
  ScriptListing listing{p.segments, p.initial, p.constants, {}};
  for (const ScriptTable& t : p.tables)
    listing.has_whole_numbers.push_back(!t.is_growth() &&
                                        std::all_of(t.values.begin(), t.values.end(), is_whole));
  return listing;
}

std::vector<ScriptComparison> comparisons_of(const ScriptListing& program) {
  Values before(program);  // any segment, which may follow any other one
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (const auto& segment : program.segments) {
      Values values = before;
      for (const ScriptInstruction& i : segment) values.execute(i);
      has_changed = before.add_states(values) || has_changed;
    }
  }
  std::vector<ScriptComparison> list;
  for (const auto& segment : program.segments) {
    Values values = before;
    for (const ScriptInstruction& i : segment) {
      list.push_back(values.comparison_of(i));
      values.execute(i);
    }
  }
  return list;
}

}  // namespace gsim::pricing
