// Logic, shifts, bit fields and permutations of bytes.

#include <type_traits>

#include "exec/lanes.hpp"
#include "program/by_type.hpp"
#include "program/families.hpp"

namespace ptxemu {
namespace {

using U32 = std::uint32_t;

enum class Logic { conjunction, disjunction, exclusive };

template <Logic logic>
constexpr auto combine(auto a, decltype(a) b) {
  if constexpr (logic == Logic::conjunction) return a & b;
  if constexpr (logic == Logic::disjunction) return a | b;
  return a ^ b;
}

template <Logic logic>
void run_predicate_logic(Warp& warp, const Op& op) {
  const U32 a = warp.predicate(op.a) ^ ((op.option & 1) != 0 ? all_lanes : 0u);
  const U32 b = warp.predicate(op.b) ^ ((op.option & 2) != 0 ? all_lanes : 0u);
  store_predicate(warp.predicate(op.d), combine<logic>(a, b), warp.mask);
}

template <Logic logic>
void select_logic(Lowering& in, Type type) {
  if (type == Type::pred) {
    bool not_a = false, not_b = false, unused = false;
    in.op.d = in.predicate(in.operand(0), unused);
    in.op.a = in.predicate(in.operand(1), not_a), in.op.b = in.predicate(in.operand(2), not_b);
    in.op.option = static_cast<std::uint8_t>((not_a ? 1 : 0) | (not_b ? 2 : 0));
    in.op.run = run_predicate_logic<logic>;
    return;
  }
  const int size = size_of(type);
  in.op.d = in.result(0, size), in.op.a = in.source(1, size), in.op.b = in.source(2, size);
  in.op.run = by_width(size, [](auto z) -> Handler {
    using T = decltype(z);
    return map2<T, T, T, [](T a, T b) { return static_cast<T>(combine<logic>(a, b)); }>;
  });
}

void select_not(Lowering& in, Type type, bool logical) {
  if (type == Type::pred) {
    bool negated = false, unused = false;
    in.op.d = in.predicate(in.operand(0), unused), in.op.a = in.predicate(in.operand(1), negated);
    in.op.b = in.constant(negated ? 0 : all_lanes, 4);
    in.op.run = run_predicate_logic<Logic::exclusive>;
    return;
  }
  const int size = size_of(type);
  in.op.d = in.result(0, size), in.op.a = in.source(1, size);
  in.op.run = by_width(size, [&](auto z) -> Handler {
    using T = decltype(z);
    if (logical) return map1<T, T, [](T a) { return static_cast<T>(a == 0 ? 1 : 0); }>;
    return map1<T, T, [](T a) { return static_cast<T>(~a); }>;
  });
}

/// Shifts by the width of the type or more give 0, or copies of the sign bit.
template <class T>
T shift_left(T a, U32 by) {
  constexpr U32 width = 8 * sizeof(T);
  const auto shifted = static_cast<T>(static_cast<std::uint64_t>(a) << (by & 63u));
  return by >= width ? T{0} : shifted;
}
template <class T>
T shift_right(T a, U32 by) {
  constexpr U32 width = 8 * sizeof(T);
  if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> (by >= width ? width - 1 : by));
  const auto shifted = static_cast<T>(a >> (by & (width - 1)));
  return by >= width ? T{0} : shifted;
}

void select_shift(Lowering& in, Type type, bool left) {
  const int size = size_of(type);
  in.op.d = in.result(0, size), in.op.a = in.source(1, size), in.op.b = in.source(2, 4);
  in.op.run = by_integer(type, [&](auto z) -> Handler {
    using T = decltype(z);
    if (left) return map2<T, T, U32, [](T a, U32 by) { return shift_left(a, by); }>;
    return map2<T, T, U32, [](T a, U32 by) { return shift_right(a, by); }>;
  });
}

/// shf: 32 bits of the 64-bit value with the upper half b and the lower half a, shifted by c.
void select_funnel(Lowering& in) {
  const bool left = in.take("l"), clamp = in.take("clamp");
  if (!left && !in.take("r")) in.unsupported();
  if (!clamp && !in.take("wrap")) in.unsupported();
  in.op.d = in.result(0, 4), in.op.a = in.source(1, 4), in.op.b = in.source(2, 4);
  in.op.c = in.source(3, 4);
  in.op.option = static_cast<std::uint8_t>((left ? 1 : 0) | (clamp ? 2 : 0));
  in.op.run = [](Warp& warp, const Op& op) {
    const bool to_left = (op.option & 1) != 0, clamped = (op.option & 2) != 0;
    const U32 *a = warp.at<U32>(op.a), *b = warp.at<U32>(op.b), *c = warp.at<U32>(op.c);
    compute(warp, warp.at<U32>(op.d), [&](int n) {
      const U32 by = clamped ? (c[n] > 32 ? 32 : c[n]) : c[n] & 31u;
      const std::uint64_t both = (std::uint64_t{b[n]} << 32) | a[n];
      return static_cast<U32>(to_left ? both >> (32 - by) : both >> by);
    });
  };
}

/// lop3: any function of three bits; its eight values are the bits of Op::immediate.
void select_lop3(Lowering& in) {
  if (in.take("BOOL")) in.unsupported();
  in.op.d = in.result(0, 4), in.op.a = in.source(1, 4), in.op.b = in.source(2, 4);
  in.op.c = in.source(3, 4);
  if (in.operand(4).kind != Operand::Kind::integer) in.unsupported();
  in.op.immediate = static_cast<std::int64_t>(in.operand(4).bits);
  in.op.run = [](Warp& warp, const Op& op) {
    const U32 *a = warp.at<U32>(op.a), *b = warp.at<U32>(op.b), *c = warp.at<U32>(op.c);
    U32 values[warp_size] = {};
    for (int k = 0; k < 8; ++k) {
      if (((op.immediate >> k) & 1) == 0) continue;
      const U32 x = (k & 4) != 0 ? 0u : all_lanes, y = (k & 2) != 0 ? 0u : all_lanes;
      const U32 z = (k & 1) != 0 ? 0u : all_lanes;
      for (int n = 0; n < warp_size; ++n) values[n] |= (a[n] ^ x) & (b[n] ^ y) & (c[n] ^ z);
    }
    store(warp.at<U32>(op.d), values, warp.mask);
  };
}

/// prmt: four of the eight bytes of b (upper half) and a (lower half), selected by the nibbles of
/// c. In `mode` 1 to 6 (f4e to rc16) only the lowest two bits of c are used, and the mode derives
/// the nibbles from them.
U32 permute(U32 a, U32 b, U32 c, int mode) {
  const std::uint64_t both = (std::uint64_t{b} << 32) | a;
  U32 result = 0;
  for (U32 k = 0; k < 4; ++k) {
    const U32 s = c & 3u;
    U32 nibble = (c >> (4 * k)) & 15u;
    switch (mode) {
      case 1:
        nibble = s + k;
        break;  // f4e
      case 2:
        nibble = (8 + s - k) & 7u;
        break;  // b4e
      case 3:
        nibble = s;
        break;  // rc8
      case 4:
        nibble = k > s ? k : s;
        break;  // ecl
      case 5:
        nibble = k < s ? k : s;
        break;  // ecr
      case 6:
        nibble = (s & 1u) * 2 + (k & 1u);
        break;  // rc16
      default:
        break;
    }
    auto byte = static_cast<U32>(both >> (8 * (nibble & 7u))) & 255u;
    if (mode == 0 && (nibble & 8u) != 0) byte = (byte & 128u) != 0 ? 255u : 0u;
    result |= byte << (8 * k);
  }
  return result;
}

void select_permute(Lowering& in) {
  in.op.d = in.result(0, 4), in.op.a = in.source(1, 4), in.op.b = in.source(2, 4);
  in.op.c = in.source(3, 4);
  constexpr const char* modes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
  for (std::uint8_t n = 0; n < 6; ++n)
    if (in.take(modes[n])) in.op.option = static_cast<std::uint8_t>(n + 1);
  in.op.run = [](Warp& warp, const Op& op) {
    const U32 *a = warp.at<U32>(op.a), *b = warp.at<U32>(op.b), *c = warp.at<U32>(op.c);
    compute(warp, warp.at<U32>(op.d), [&](int n) { return permute(a[n], b[n], c[n], op.option); });
  };
}

/// bfe: the `length` bits of a from `position` on, sign- or zero-extended.
template <class T>
T extract(T a, U32 position, U32 length) {
  using U = std::make_unsigned_t<T>;
  constexpr U32 width = 8 * sizeof(T);
  position &= 255u, length &= 255u;
  const U32 top = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
  const bool negative = std::is_signed_v<T> && length != 0 && ((static_cast<U>(a) >> top) & 1) != 0;
  U result = negative ? static_cast<U>(~U{0}) : U{0};
  for (U32 k = 0; k < width && k < length; ++k) {
    if (position + k >= width) break;
    const U bit = static_cast<U>(static_cast<U>(a) >> (position + k)) & 1u;
    result = static_cast<U>((result & ~(U{1} << k)) | (bit << k));
  }
  return static_cast<T>(result);
}
/// bfi: b with its `length` bits from `position` on replaced by the lowest bits of a.
template <class T>
T insert(T a, T b, U32 position, U32 length) {
  constexpr U32 width = 8 * sizeof(T);
  position &= 255u, length &= 255u;
  if (position >= width || length == 0) return b;
  const auto ones = static_cast<T>(length >= width ? ~T{0} : static_cast<T>((T{1} << length) - 1));
  return static_cast<T>((b & ~(ones << position)) | ((a & ones) << position));
}

void select_extract(Lowering& in, Type type) {
  const int size = size_of(type);
  in.op.d = in.result(0, size), in.op.a = in.source(1, size);
  in.op.b = in.source(2, 4), in.op.c = in.source(3, 4);
  in.op.run = by_integer(type, [](auto z) -> Handler {
    using T = decltype(z);
    return map3<T, T, U32, U32, [](T a, U32 p, U32 l) { return extract(a, p, l); }>;
  });
}

void select_insert(Lowering& in, Type type) {
  const int size = size_of(type);
  in.op.d = in.result(0, size), in.op.a = in.source(1, size), in.op.b = in.source(2, size);
  in.op.c = in.source(3, 4);
  in.op.extra = in.source(4, 4);
  in.op.run = by_width(size, [](auto z) -> Handler {
    using T = decltype(z);
    if constexpr (sizeof(T) == 2)
      return nullptr;
    else
      return [](Warp& warp, const Op& op) {
        T values[warp_size];
        for (int n = 0; n < warp_size; ++n)
          values[n] = insert(warp.at<T>(op.a)[n], warp.at<T>(op.b)[n], warp.at<U32>(op.c)[n],
                             warp.at<U32>(op.extra)[n]);
        store(warp.at<T>(op.d), values, warp.mask);
      };
  });
}

/// bmsk: `length` ones, starting at bit `position`.
void select_mask(Lowering& in) {
  const bool clamp = in.take("clamp");
  if (!clamp && !in.take("wrap")) in.unsupported();
  in.op.d = in.result(0, 4), in.op.a = in.source(1, 4), in.op.b = in.source(2, 4);
  in.op.run = clamp ? map2<U32, U32, U32,
                           [](U32 position, U32 length) {
                             const std::uint64_t ones =
                                 length >= 32 ? 0xffffffffu : (std::uint64_t{1} << length) - 1;
                             return position >= 32 ? 0u : static_cast<U32>(ones << position);
                           }>
                    : map2<U32, U32, U32, [](U32 position, U32 length) {
                        return static_cast<U32>(((std::uint64_t{1} << (length & 31u)) - 1)
                                                << (position & 31u));
                      }>;
}

/// szext: the lowest `length` bits of a, sign- or zero-extended.
void select_extend(Lowering& in) {
  const bool clamp = in.take("clamp");
  if (!clamp && !in.take("wrap")) in.unsupported();
  in.op.d = in.result(0, 4), in.op.a = in.source(1, 4), in.op.b = in.source(2, 4);
  in.op.option = clamp ? 1 : 0;
  in.op.run = by_integer(in.parse_type(), [](auto z) -> Handler {
    using T = decltype(z);
    return [](Warp& warp, const Op& op) {
      T values[warp_size];
      for (int n = 0; n < warp_size; ++n) {
        const U32 length = warp.at<U32>(op.b)[n];
        values[n] = extract(warp.at<T>(op.a)[n], 0u,
                            op.option == 0 ? length & 31u
                            : length > 32  ? 32u
                                           : length);
      }
      store(warp.at<T>(op.d), values, warp.mask);
    };
  });
}

/// fns: the position of the offset-th bit that is set, from `base` on upwards (offset > 0) or
/// downwards; all ones if there is none.
U32 find_nth_set(U32 mask, U32 base, std::int32_t offset) {
  if (offset == 0) return base < 32 && ((mask >> base) & 1u) != 0 ? base : all_lanes;
  const int step = offset > 0 ? 1 : -1;
  std::int64_t remaining = offset > 0 ? std::int64_t{offset} : -std::int64_t{offset};
  for (std::int64_t at = base; at >= 0 && at < 32; at += step)
    if (((mask >> at) & 1u) != 0 && --remaining == 0) return static_cast<U32>(at);
  return all_lanes;
}

template <class T>
T reverse(T a) {
  T result = 0;
  for (U32 k = 0; k < 8 * sizeof(T); ++k) result = static_cast<T>((result << 1) | ((a >> k) & 1u));
  return result;
}

/// popc, clz and brev.
void select_count(Lowering& in, Type type) {
  const std::string& opcode = in.instruction().opcode;
  const int size = size_of(type);
  in.op.d = in.result(0, opcode == "brev" ? size : 4), in.op.a = in.source(1, size);
  in.op.run = by_width(size, [&](auto z) -> Handler {
    using T = decltype(z);
    if constexpr (sizeof(T) == 2) return nullptr;
    if (opcode == "popc")
      return map1<U32, T, [](T a) { return static_cast<U32>(std::popcount(a)); }>;
    if (opcode == "clz")
      return map1<U32, T, [](T a) { return static_cast<U32>(std::countl_zero(a)); }>;
    return map1<T, T, [](T a) { return reverse(a); }>;
  });
}

/// bfind: the position of the highest bit that differs from the sign bit, all ones if there is
/// none; with .shiftamt the left shift that moves this bit to the highest position.
void select_find(Lowering& in, Type type) {
  const bool amount = in.take("shiftamt");
  const int size = size_of(type);
  if (size < 4) in.unsupported();
  in.op.d = in.result(0, 4), in.op.a = in.source(1, size);
  in.op.option = amount ? 1 : 0;
  in.op.run = by_integer(type, [](auto z) -> Handler {
    using T = decltype(z);
    return [](Warp& warp, const Op& op) {
      using U = std::make_unsigned_t<T>;
      U32 values[warp_size];
      for (int n = 0; n < warp_size; ++n) {
        const T a = warp.at<T>(op.a)[n];
        const auto bits = static_cast<U>(a < 0 ? ~a : a);
        const int shift = std::countl_zero(bits), top = static_cast<int>(8 * sizeof(T)) - 1 - shift;
        values[n] = static_cast<U32>(bits == 0 ? -1 : op.option != 0 ? shift : top);
      }
      store(warp.at<U32>(op.d), values, warp.mask);
    };
  });
}

}  // namespace

void select_bits(Lowering& in) {
  const std::string& opcode = in.instruction().opcode;
  in.op.unit = static_cast<std::uint8_t>(Unit::integer);
  if (opcode == "bmsk") {
    select_mask(in);
    in.parse_type();
    return;
  }
  if (opcode == "szext") return select_extend(in);
  const Type type = in.parse_type();
  if (opcode == "fns") {
    in.op.d = in.result(0, 4), in.op.a = in.source(1, 4), in.op.b = in.source(2, 4);
    in.op.c = in.source(3, 4);
    in.op.run = map3<U32, U32, U32, std::int32_t, find_nth_set>;
    return;
  }
  if (opcode == "and") return select_logic<Logic::conjunction>(in, type);
  if (opcode == "or") return select_logic<Logic::disjunction>(in, type);
  if (opcode == "xor") return select_logic<Logic::exclusive>(in, type);
  if (opcode == "not" || opcode == "cnot") return select_not(in, type, opcode == "cnot");
  if (opcode == "shl" || opcode == "shr") return select_shift(in, type, opcode == "shl");
  if (opcode == "shf") return select_funnel(in);
  if (opcode == "lop3") return select_lop3(in);
  if (opcode == "prmt") return select_permute(in);
  if (opcode == "bfe") return select_extract(in, type);
  if (opcode == "bfi") return select_insert(in, type);
  if (opcode == "bfind") return select_find(in, type);
  select_count(in, type);
}

}  // namespace ptxemu
