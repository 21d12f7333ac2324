// atom and red: lanes are processed in ascending order.

#include <type_traits>

#include "exec/address.hpp"
#include "exec/instructions/rounding.hpp"
#include "program/by_type.hpp"
#include "program/families.hpp"

namespace ptxemu {
namespace {

enum class Operation {
  add,
  minimum,
  maximum,
  exchange,
  conjunction,
  disjunction,
  exclusive_or,
  increment,
  decrement,
  compare_and_swap
};

template <class T, Operation operation>
T apply(T old, T b, T c) {
  if constexpr (operation == Operation::exchange) return b;
  if constexpr (operation == Operation::compare_and_swap) return old == b ? c : old;
  if constexpr (operation == Operation::minimum) return b < old ? b : old;
  if constexpr (operation == Operation::maximum) return old < b ? b : old;
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr (operation == Operation::add) return canonical(old + b);
  } else {
    using U = std::make_unsigned_t<T>;
    if constexpr (operation == Operation::add)
      return static_cast<T>(static_cast<U>(old) + static_cast<U>(b));
    if constexpr (operation == Operation::conjunction) return old & b;
    if constexpr (operation == Operation::disjunction) return old | b;
    if constexpr (operation == Operation::exclusive_or) return old ^ b;
    if constexpr (operation == Operation::increment)
      return old >= b ? T{0} : static_cast<T>(old + 1);
    if constexpr (operation == Operation::decrement)
      return old == 0 || old > b ? b : static_cast<T>(old - 1);
  }
  return old;
}

/// add.f32: flushes subnormal numbers to zero in global memory, and does not in shared memory.
float add_float(std::uint64_t address, float old, float operand) {
  if (address / window_size == shared_window / window_size) return canonical(old + operand);
  return flush_subnormal(canonical(flush_subnormal(old) + flush_subnormal(operand)));
}

/// d is the old value; b is the operand, or for cas the comparison value with c as the new value.
template <class T, Operation operation>
void run_atomic(Warp& warp, const Op& op) {
  std::uint64_t addresses[warp_size];
  generic_addresses(warp, op, addresses);
  const T *b = warp.at<T>(op.b), *c = warp.at<T>(op.c);
  T* const d = warp.at<T>(op.d);
  each_lane(warp, [&](int n) {
    const T operand = b[n], new_value = operation == Operation::compare_and_swap ? c[n] : T{};
    std::byte* const at = warp.generic<sizeof(T), false>(n, addresses[n]);
    T old;
    std::memcpy(&old, at, sizeof(T));
    T value;
    if constexpr (std::is_same_v<T, float> && operation == Operation::add)
      value = add_float(addresses[n], old, operand);
    else
      value = apply<T, operation>(old, operand, new_value);
    std::memcpy(warp.generic<sizeof(T), true>(n, addresses[n]), &value, sizeof(T));
    d[n] = old;
  });
}

template <class T>
Handler choose_operation(Lowering& in) {
  if (in.take("add")) return run_atomic<T, Operation::add>;
  if (in.take("min")) return run_atomic<T, Operation::minimum>;
  if (in.take("max")) return run_atomic<T, Operation::maximum>;
  if (in.take("exch")) return run_atomic<T, Operation::exchange>;
  if (in.take("cas")) return run_atomic<T, Operation::compare_and_swap>;
  if constexpr (std::is_integral_v<T>) {
    if (in.take("and")) return run_atomic<T, Operation::conjunction>;
    if (in.take("or")) return run_atomic<T, Operation::disjunction>;
    if (in.take("xor")) return run_atomic<T, Operation::exclusive_or>;
    if (in.take("inc")) return run_atomic<T, Operation::increment>;
    if (in.take("dec")) return run_atomic<T, Operation::decrement>;
  }
  return nullptr;
}

}  // namespace

void select_atomic(Lowering& in) {
  const bool has_result = in.instruction().opcode == "atom";
  in.op.unit = static_cast<std::uint8_t>(Unit::memory);
  parse_memory_ordering(in);
  in.take("noftz");
  const Space space = parse_space(in);
  const Type type = in.parse_type();
  const int size = size_of(type);
  const std::size_t first = has_result ? 1 : 0;
  select_address_mode(in, first, space);
  in.op.d = has_result ? in.result(0, size) : in.scratch(size);
  in.op.b = in.source(first + 1, size);
  if (in.operand_count() > first + 2) in.op.c = in.source(first + 2, size);
  in.op.run = is_float(type)
                  ? by_float(type, [&](auto z) { return choose_operation<decltype(z)>(in); })
                  : by_integer(type, [&](auto z) { return choose_operation<decltype(z)>(in); });
}

}  // namespace ptxemu
