#include "src/modules/pricing/scripts/script_registers.hpp"

#include <algorithm>

namespace gsim::pricing {
namespace {

/// Gives registers to temporaries: each keeps its register from the instruction that first sets it
/// to the last one that reads or sets it.
class RegisterAllocation {
 public:
  RegisterAllocation(std::vector<ScriptInstruction>& code, std::int32_t states, std::int32_t count)
      : code_(code),
        last_use_(static_cast<std::size_t>(count), 0),
        register_(static_cast<std::size_t>(count), -1) {
    for (std::int32_t r = script_max_registers - 1; r >= states; --r) free_.push_back(r);
    for (std::size_t k = 0; k < code.size(); ++k)
      for_each_operand(code[k], [&](std::int32_t& operand) {
        if (operand >= script_first_temporary) last_use_[index(operand)] = k;
      });
  }

  std::int32_t run(std::int32_t states, const std::function<void(std::size_t)>& fail) {
    std::int32_t used = states;
    for (std::size_t k = 0; k < code_.size(); ++k) {
      ScriptInstruction& i = code_[k];
      const std::int32_t result = i.result;
      const bool sets = i.operation != ScriptOperation::skip_if_none;
      for_each_source(i, [&](std::int32_t& operand) { replace(operand, k, result); });
      if (!sets || result < script_first_temporary) continue;
      std::int32_t& assigned = register_[index(result)];
      if (assigned < 0) {
        if (free_.empty()) fail(k);
        assigned = free_.back();
        free_.pop_back();
      }
      i.result = assigned;
      used = std::max(used, assigned + 1);
      if (last_use_[index(result)] == k) release(result);
    }
    return used;
  }

 private:
  static std::size_t index(std::int32_t temporary) {
    return static_cast<std::size_t>(temporary - script_first_temporary);
  }
  template <class F>
  static void for_each_source(ScriptInstruction& i, const F& f) {
    const int n = operand_count(i.operation);
    if (n >= 1) f(i.a);
    if (n >= 2) f(i.b);
    if (n == 3 || i.operation == ScriptOperation::skip_if_none) f(i.c);
  }
  template <class F>
  static void for_each_operand(ScriptInstruction& i, const F& f) {
    for_each_source(i, f);
    if (i.operation != ScriptOperation::skip_if_none) f(i.result);
  }

  void replace(std::int32_t& operand, std::size_t k, std::int32_t result) {
    if (operand < script_first_temporary) return;
    const std::int32_t temporary = operand;
    operand = register_[index(temporary)];
    if (last_use_[index(temporary)] == k && temporary != result) release(temporary);
  }
  void release(std::int32_t temporary) {
    std::int32_t& assigned = register_[index(temporary)];
    if (std::find(free_.begin(), free_.end(), assigned) == free_.end()) free_.push_back(assigned);
  }

  std::vector<ScriptInstruction>& code_;
  std::vector<std::size_t> last_use_;
  std::vector<std::int32_t> register_;
  std::vector<std::int32_t> free_;
};

}  // namespace

std::int32_t allocate_registers(std::vector<ScriptInstruction>& code, std::int32_t states,
                                std::int32_t temporaries,
                                const std::function<void(std::size_t)>& fail) {
  return RegisterAllocation(code, states, temporaries).run(states, fail);
}

}  // namespace gsim::pricing
