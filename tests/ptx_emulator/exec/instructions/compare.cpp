// Comparisons and selections: setp, set, selp, slct.

#include <optional>

#include "exec/instructions/rounding.hpp"
#include "exec/lanes.hpp"
#include "program/by_type.hpp"
#include "program/families.hpp"

namespace ptxemu {
namespace {

enum class Relation : std::uint8_t {
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};
constexpr const char* relations[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                     "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

std::optional<Relation> parse_relation(Lowering& in) {
  for (int n = 0; n < 14; ++n)
    if (in.take(relations[n])) return static_cast<Relation>(n);
  if (in.take("lo")) return Relation::lt;
  if (in.take("ls")) return Relation::le;
  if (in.take("hi")) return Relation::gt;
  if (in.take("hs")) return Relation::ge;
  return std::nullopt;
}

template <class T, Relation relation>
bool holds(T a, T b) {
  switch (relation) {
    case Relation::eq:
      return a == b;
    case Relation::ne:
      return a < b || a > b;  // false for NaN
    case Relation::lt:
      return a < b;
    case Relation::le:
      return a <= b;
    case Relation::gt:
      return a > b;
    case Relation::ge:
      return a >= b;
    case Relation::equ:
      return !(a < b || a > b);
    case Relation::neu:
      return a != b;
    case Relation::ltu:
      return !(a >= b);
    case Relation::leu:
      return !(a > b);
    case Relation::gtu:
      return !(a <= b);
    case Relation::geu:
      return !(a < b);
    case Relation::num:
      return a == a && b == b;
    case Relation::nan:
      return a != a || b != b;
  }
  return false;
}

/// Flags in Op::option of setp and set. The bits from boolean_shift on select the operation that
/// combines the comparison with c: 0 and, 1 or, 2 xor.
constexpr std::uint8_t flush = 1, use_c = 2, negate_c = 4, boolean_shift = 3;

template <class T, Relation relation>
std::uint32_t compare(Warp& warp, const Op& op) {
  if constexpr (std::is_same_v<T, float>)
    if ((op.option & flush) != 0) {
      T a[warp_size], b[warp_size];
      for (int n = 0; n < warp_size; ++n) {
        a[n] = flush_subnormal(warp.at<T>(op.a)[n]);
        b[n] = flush_subnormal(warp.at<T>(op.b)[n]);
      }
      return compare_lanes<T, holds<T, relation>>(a, b, warp.mask);
    }
  return compare_lanes<T, holds<T, relation>>(warp.at<T>(op.a), warp.at<T>(op.b), warp.mask);
}

std::uint32_t combine(std::uint32_t value, std::uint32_t c, const Op& op) {
  if ((op.option & use_c) == 0) return value;
  if ((op.option & negate_c) != 0) c = ~c;
  switch (op.option >> boolean_shift) {
    case 0:
      return value & c;
    case 1:
      return value | c;
    default:
      return value ^ c;
  }
}

template <class T, Relation relation>
void run_setp(Warp& warp, const Op& op) {
  const std::uint32_t value = compare<T, relation>(warp, op);
  const std::uint32_t c = (op.option & use_c) != 0 ? warp.predicate(op.c) : 0;
  store_predicate(warp.predicate(op.d), combine(value, c, op), warp.mask);
  if (op.immediate != 0)  // the second result: the negated comparison
    store_predicate(warp.predicate(op.extra), combine(~value, c, op), warp.mask);
}

template <class T, Relation relation>
void run_set(Warp& warp, const Op& op) {
  const std::uint32_t c = (op.option & use_c) != 0 ? warp.predicate(op.c) : 0;
  const std::uint32_t value = combine(compare<T, relation>(warp, op), c, op);
  const auto true_value = static_cast<std::uint32_t>(op.immediate);
  std::uint32_t* const d = warp.at<std::uint32_t>(op.d);
  each_lane(warp, [&](int n) { d[n] = ((value >> n) & 1u) != 0 ? true_value : 0u; });
}

template <class T, bool is_set, int n = 0>
Handler by_relation(Relation relation) {
  if constexpr (n < 14) {
    if constexpr (n >= static_cast<int>(Relation::equ) && std::is_integral_v<T>) {
      return nullptr;
    } else {
      if (relation == static_cast<Relation>(n))
        return is_set ? run_set<T, static_cast<Relation>(n)>
                      : run_setp<T, static_cast<Relation>(n)>;
      return by_relation<T, is_set, n + 1>(relation);
    }
  }
  return nullptr;
}

template <bool is_set>
void select_relation(Lowering& in) {
  const auto relation = parse_relation(in);
  if (!relation) in.unsupported();
  std::uint8_t flags = 0;
  const bool conjunction = in.take("and"), disjunction = in.take("or"), exclusive = in.take("xor");
  if (in.take("ftz")) flags |= flush;
  if (conjunction || disjunction || exclusive) {
    bool negated = false;
    in.op.c = in.predicate(in.operand(3), negated);
    flags |= static_cast<std::uint8_t>(use_c | (negated ? negate_c : 0) |
                                       ((exclusive     ? 2
                                         : disjunction ? 1
                                                       : 0)
                                        << boolean_shift));
  }
  const Type result = is_set ? in.parse_type() : Type::pred, type = in.parse_type();
  const int size = size_of(type);
  in.op.option = flags;
  in.op.unit = static_cast<std::uint8_t>(type == Type::f64   ? Unit::fp64
                                         : type == Type::f32 ? Unit::fp32
                                                             : Unit::integer);
  in.op.a = in.source(1, size), in.op.b = in.source(2, size);
  if (is_set) {
    if (size_of(result) != 4) in.unsupported();
    in.op.d = in.result(0, 4);
    in.op.immediate = result == Type::f32 ? 0x3f800000 : 0xffffffff;  // 1.0f or all bits
  } else {
    bool negated = false;
    in.op.d = in.predicate(in.operand(0), negated);
    if (in.operand(0).second >= 0) {
      in.op.immediate = 1;
      in.op.extra = in.predicate_register(in.operand(0).second);
    }
  }
  if (is_float(type))
    in.op.run = by_float(type, [&](auto z) { return by_relation<decltype(z), is_set>(*relation); });
  else
    in.op.run =
        by_integer(type, [&](auto z) { return by_relation<decltype(z), is_set>(*relation); });
}

void select_selp(Lowering& in) {
  const Type type = in.parse_type();
  const int size = size_of(type);
  bool negated = false;
  in.op.unit = static_cast<std::uint8_t>(Unit::integer);
  in.op.d = in.result(0, size), in.op.a = in.source(1, size), in.op.b = in.source(2, size);
  in.op.c = in.predicate(in.operand(3), negated);
  if (negated) std::swap(in.op.a, in.op.b);
  in.op.run = by_width(size, [](auto z) -> Handler {
    using T = decltype(z);
    return [](Warp& warp, const Op& op) {
      const T *a = warp.at<T>(op.a), *b = warp.at<T>(op.b);
      const std::uint32_t p = warp.predicate(op.c);
      compute(warp, warp.at<T>(op.d), [&](int n) { return ((p >> n) & 1u) != 0 ? a[n] : b[n]; });
    };
  });
}

/// slct: a where c >= 0, else b, also where c is NaN.
void select_slct(Lowering& in) {
  in.op.option = in.take("ftz") ? 1 : 0;
  const Type type = in.parse_type(), type_of_c = in.parse_type();
  const int size = size_of(type);
  in.op.unit = static_cast<std::uint8_t>(Unit::integer);
  in.op.d = in.result(0, size), in.op.a = in.source(1, size), in.op.b = in.source(2, size);
  in.op.c = in.source(3, 4);
  in.op.immediate = type_of_c == Type::f32 ? 1 : 0;
  in.op.run = by_width(size, [](auto z) -> Handler {
    using T = decltype(z);
    return [](Warp& warp, const Op& op) {
      T values[warp_size];
      for (int n = 0; n < warp_size; ++n) {
        const bool takes_a = op.immediate != 0
                                 ? (op.option != 0 ? flush_subnormal(warp.at<float>(op.c)[n])
                                                   : warp.at<float>(op.c)[n]) >= 0.0f
                                 : warp.at<std::int32_t>(op.c)[n] >= 0;
        values[n] = takes_a ? warp.at<T>(op.a)[n] : warp.at<T>(op.b)[n];
      }
      store(warp.at<T>(op.d), values, warp.mask);
    };
  });
}

}  // namespace

void select_compare(Lowering& in) {
  const std::string& opcode = in.instruction().opcode;
  if (opcode == "setp") return select_relation<false>(in);
  if (opcode == "set") return select_relation<true>(in);
  if (opcode == "selp") return select_selp(in);
  select_slct(in);
}

}  // namespace ptxemu
