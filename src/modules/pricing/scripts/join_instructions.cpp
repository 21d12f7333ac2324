#include "src/modules/pricing/scripts/join_instructions.hpp"

#include <map>
#include <optional>

#include "src/modules/pricing/scripts/script_registers.hpp"

namespace gsim::pricing {
namespace {

using Operation = ScriptOperation;

/// How the second instruction uses the first one's result.
enum class Use { as_a, as_b, as_either };

/// Two operations and the one that joins them: its operands are those of the first one, and the
/// other one of the second.
struct Join {
  Operation first, second;
  Use use;
  Operation joined;
};

constexpr Join joins[] = {
    {Operation::subtract, Operation::at_least, Use::as_a, Operation::difference_at_least},
    {Operation::divide, Operation::subtract, Use::as_a, Operation::quotient_difference},
    {Operation::at_least, Operation::at_most, Use::as_a, Operation::clip},
    {Operation::multiply, Operation::add, Use::as_either, Operation::add_product},
    {Operation::multiply, Operation::minimum, Use::as_b, Operation::minimum_product},
    {Operation::multiply, Operation::maximum, Use::as_b, Operation::maximum_product},
    {Operation::less, Operation::multiply, Use::as_either, Operation::less_and},
    {Operation::less_equal, Operation::multiply, Use::as_either, Operation::less_equal_and},
};

/// The instruction in place of `first`, whose result is a temporary, and `second`.
std::optional<ScriptInstruction> joined(const ScriptInstruction& first,
                                        const ScriptInstruction& second) {
  const std::int32_t t = first.result;
  for (const Join& j : joins) {
    if (j.first != first.operation || j.second != second.operation) continue;
    const bool is_a = second.a == t && j.use != Use::as_b;
    const bool is_b = second.b == t && j.use != Use::as_a;
    if (is_a || is_b)
      return ScriptInstruction{j.joined, second.result, first.a, first.b,
                               is_a ? second.b : second.a};
  }
  if (second.operation != Operation::select || second.b != second.result) return std::nullopt;
  if (second.c == t && first.operation == Operation::less)
    return ScriptInstruction{Operation::set_where_less, second.result, first.a, first.b, second.a};
  if (second.c == t && first.operation == Operation::less_equal)
    return ScriptInstruction{Operation::set_where_less_equal, second.result, first.a, first.b,
                             second.a};
  if (second.a == t && first.operation == Operation::multiply_add && first.c == second.result)
    return ScriptInstruction{Operation::add_where, second.result, first.a, first.b, second.c};
  return std::nullopt;
}

class Joining {
 public:
  Joining(std::vector<ScriptInstruction>& code, std::vector<ScriptPlace>& places)
      : code_(code), places_(places) {
    for (const ScriptInstruction& i : code) {
      const int n = operand_count(i.operation);
      if (n >= 1) ++reads_[i.a];
      if (n >= 2) ++reads_[i.b];
      if (n >= 3 || i.operation == Operation::skip_if_none) ++reads_[i.c];
      if (i.operation != Operation::skip_if_none) ++writes_[i.result];
    }
  }

  void run() {
    std::vector<ScriptInstruction> code;
    std::vector<ScriptPlace> places;
    std::vector<std::int32_t> place_of(code_.size() + 1, 0);  // the new positions
    for (std::size_t k = 0; k < code_.size(); ++k) {
      place_of[k] = static_cast<std::int32_t>(code.size());
      if (is_unread(code_[k])) continue;
      const std::optional<ScriptInstruction> pair = pair_at(k);
      places.push_back(places_[k]);
      code.push_back(pair.value_or(code_[k]));
      if (pair) place_of[++k] = static_cast<std::int32_t>(code.size());
    }
    place_of[code_.size()] = static_cast<std::int32_t>(code.size());
    for (ScriptInstruction& i : code)
      if (i.operation == Operation::skip_if_none) i.a = place_of[static_cast<std::size_t>(i.a)];
    code_ = std::move(code);
    places_ = std::move(places);
  }

 private:
  bool is_unread(const ScriptInstruction& i) {
    return i.operation != Operation::skip_if_none && i.result >= script_first_temporary &&
           reads_[i.result] == 0 && !reads_result(i.operation);
  }

  /// The instruction in place of the k-th and the next one. A skip never ends between them: what
  /// a skipped instruction computes is not read after the skipped part.
  std::optional<ScriptInstruction> pair_at(std::size_t k) {
    if (k + 1 == code_.size()) return std::nullopt;
    const ScriptInstruction& first = code_[k];
    if (first.operation == Operation::skip_if_none || first.result < script_first_temporary ||
        reads_[first.result] != 1 || writes_[first.result] != 1)
      return std::nullopt;
    return joined(first, code_[k + 1]);
  }

  std::vector<ScriptInstruction>& code_;
  std::vector<ScriptPlace>& places_;
  std::map<std::int32_t, int> reads_, writes_;
};

}  // namespace

void join_instructions(std::vector<ScriptInstruction>& code, std::vector<ScriptPlace>& places) {
  Joining(code, places).run();
}

}  // namespace gsim::pricing
