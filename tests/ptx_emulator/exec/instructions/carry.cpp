// Arithmetic with the carry flag: add.cc, addc, sub.cc, subc, mad.cc, madc.

#include "exec/lanes.hpp"
#include "program/by_type.hpp"
#include "program/families.hpp"

namespace ptxemu {
namespace {

/// d = a + b or, if `subtract`, a + ~b + 1. The carry flag is added if `in` (for a subtraction in
/// place of the 1), and set if `out`: after a subtraction it is 1 where there was no borrow. The
/// 128-bit division of nvcc reads it by addc after subc.cc.
template <class T, bool subtract, bool in, bool out>
void run_add(Warp& warp, const Op& op) {
  const T *a = warp.at<T>(op.a), *b = warp.at<T>(op.b);
  const std::uint32_t flag = in ? warp.predicate(op.c) : 0u;
  T values[warp_size];
  std::uint32_t carries = 0;
  for (int n = 0; n < warp_size; ++n) {
    const T lane_carry = static_cast<T>((flag >> n) & 1u);
    if constexpr (subtract) {
      const auto partial = static_cast<T>(a[n] - b[n]);
      const T lane_borrow = in ? static_cast<T>(1 - lane_carry) : T{0};
      values[n] = static_cast<T>(partial - lane_borrow);
      carries |= static_cast<std::uint32_t>((a[n] >= b[n]) & (partial >= lane_borrow)) << n;
    } else {
      const auto partial = static_cast<T>(a[n] + b[n]);
      values[n] = static_cast<T>(partial + lane_carry);
      carries |= static_cast<std::uint32_t>((partial < a[n]) | (values[n] < lane_carry)) << n;
    }
  }
  if constexpr (out) store_predicate(warp.predicate(op.c), carries, warp.mask);
  store(warp.at<T>(op.d), values, warp.mask);
}

/// d = low or high half of a * b, plus c, with the carry flag as for run_add(). The slot of c is
/// Op::extra.
template <class T, bool is_signed, bool high, bool in, bool out>
void run_multiply(Warp& warp, const Op& op) {
  using S = std::make_signed_t<T>;
  const T *a = warp.at<T>(op.a), *b = warp.at<T>(op.b), *c = warp.at<T>(op.extra);
  const std::uint32_t flag = in ? warp.predicate(op.c) : 0u;
  T values[warp_size];
  std::uint32_t carries = 0;
  for (int n = 0; n < warp_size; ++n) {
    const unsigned __int128 product =
        is_signed ? static_cast<unsigned __int128>(static_cast<__int128>(static_cast<S>(a[n])) *
                                                   static_cast<S>(b[n]))
                  : static_cast<unsigned __int128>(a[n]) * b[n];
    const T part = static_cast<T>(high ? product >> (8 * sizeof(T)) : product);
    const auto partial = static_cast<T>(part + c[n]);
    const T lane_carry = static_cast<T>((flag >> n) & 1u);
    values[n] = static_cast<T>(partial + lane_carry);
    carries |= static_cast<std::uint32_t>((partial < part) | (values[n] < lane_carry)) << n;
  }
  if constexpr (out) store_predicate(warp.predicate(op.c), carries, warp.mask);
  store(warp.at<T>(op.d), values, warp.mask);
}

template <class T, bool is_signed, bool high>
Handler multiply(bool carry_in, bool carry_out) {
  if (carry_in)
    return carry_out ? run_multiply<T, is_signed, high, true, true>
                     : run_multiply<T, is_signed, high, true, false>;
  return run_multiply<T, is_signed, high, false, true>;
}

}  // namespace

void select_carry(Lowering& in) {
  const std::string& opcode = in.instruction().opcode;
  in.op.unit = static_cast<std::uint8_t>(Unit::integer);
  const bool carry_out = in.take("cc"), carry_in = opcode.back() == 'c';
  const Type type = in.parse_type();
  const int size = size_of(type);
  if (size < 4) in.unsupported();
  in.op.d = in.result(0, size), in.op.a = in.source(1, size), in.op.b = in.source(2, size);
  in.op.c = in.carry();
  const bool subtract = opcode.starts_with("sub");
  if (opcode.starts_with("mad")) {
    in.op.extra = in.source(3, size);
    const bool high = in.take("hi"), sign = is_signed(type);
    if (!high && !in.take("lo")) in.unsupported();
    in.op.run = by_width(size, [&](auto z) -> Handler {
      using T = decltype(z);
      if (sign)
        return high ? multiply<T, true, true>(carry_in, carry_out)
                    : multiply<T, true, false>(carry_in, carry_out);
      return high ? multiply<T, false, true>(carry_in, carry_out)
                  : multiply<T, false, false>(carry_in, carry_out);
    });
    return;
  }
  in.op.run = by_width(size, [&](auto z) -> Handler {
    using T = decltype(z);
    if (subtract) {
      if (carry_in) return carry_out ? run_add<T, true, true, true> : run_add<T, true, true, false>;
      return run_add<T, true, false, true>;
    }
    if (carry_in) return carry_out ? run_add<T, false, true, true> : run_add<T, false, true, false>;
    return run_add<T, false, false, true>;
  });
}

}  // namespace ptxemu
