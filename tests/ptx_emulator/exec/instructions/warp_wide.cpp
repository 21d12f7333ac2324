// Instructions that exchange values between the lanes of a warp: shfl, vote, match, redux,
// activemask, elect.

#include "exec/lanes.hpp"
#include "program/families.hpp"

namespace ptxemu {
namespace {

using U32 = std::uint32_t;

/// The handler of an instruction with a member mask (Op::extra): `run` is called once all lanes of
/// the mask have arrived, with these lanes in Warp::mask. Lanes that arrive together with other
/// masks, such as those of several groups of a partition, are computed one set after the other.
template <Handler run>
void run_with_members(Warp& warp, const Op& op) {
  const U32* const masks = warp.at<U32>(op.extra);
  const auto members_of = [&](int n) {
    if (((masks[n] >> n) & 1u) == 0)
      throw Fault(Fault::Kind::illegal_instruction,
                  "the thread is not in the mask of the instruction");
    return masks[n];
  };
  warp.lane = std::countr_zero(warp.mask);
  const U32 needed = members_of(warp.lane);
  if (!warp.wait_for_lanes(needed)) return;
  if ((warp.mask & ~needed) == 0) return run(warp, op);
  const U32 arrived = warp.mask;
  for (U32 rest = arrived; rest != 0; rest &= ~warp.mask) {
    warp.lane = std::countr_zero(rest);
    const U32 members = members_of(warp.lane);
    if (!warp.have_arrived(members, arrived))
      throw Fault(
          Fault::Kind::illegal_instruction,
          "threads with different masks arrived together, but not all threads of each mask, "
          "which is not implemented");
    warp.mask = members & rest;
    run(warp, op);
  }
  warp.mask = arrived;
}

enum class Shuffle { up, down, butterfly, index };

/// shfl: each lane reads `a` of another lane at the distance or with the number b, if that lane is
/// in the segment that c gives (PTX ISA manual).
template <Shuffle mode>
void run_shuffle(Warp& warp, const Op& op) {
  const U32 *a = warp.at<U32>(op.a), *b = warp.at<U32>(op.b), *c = warp.at<U32>(op.c);
  U32 values[warp_size] = {};
  U32 valid = 0;
  for (U32 n = 0; n < warp_size; ++n) {
    const U32 by = b[n] & 31u, segment = (c[n] >> 8) & 31u, clamp = c[n] & 31u;
    const auto bound = static_cast<int>((n & segment) | (clamp & ~segment));
    const auto own_lane = static_cast<int>(n);
    int source_lane = own_lane;
    bool is_valid = false;
    if constexpr (mode == Shuffle::up)
      source_lane = own_lane - static_cast<int>(by), is_valid = source_lane >= bound;
    if constexpr (mode == Shuffle::down)
      source_lane = own_lane + static_cast<int>(by), is_valid = source_lane <= bound;
    if constexpr (mode == Shuffle::butterfly)
      source_lane = static_cast<int>(n ^ by), is_valid = source_lane <= bound;
    if constexpr (mode == Shuffle::index)
      source_lane = static_cast<int>((n & segment) | (by & ~segment)),
      is_valid = source_lane <= bound;
    values[n] = a[is_valid ? source_lane : own_lane];
    valid |= (is_valid ? 1u : 0u) << n;
  }
  store(warp.at<U32>(op.d), values, warp.mask);
  if (op.immediate >= 0)
    store_predicate(warp.predicate(static_cast<Slot>(op.immediate)), valid, warp.mask);
}

void select_shuffle(Lowering& in) {
  if (!in.take("sync")) in.unsupported("shuffles without .sync are not implemented");
  in.parse_type();
  in.op.d = in.result(0, 4), in.op.a = in.source(1, 4), in.op.b = in.source(2, 4);
  in.op.c = in.source(3, 4), in.op.extra = in.source(4, 4);
  const int second = in.operand(0).second;
  in.op.immediate = second >= 0 ? std::int64_t{in.predicate_register(second)} : -1;
  if (in.take("up")) in.op.run = run_with_members<run_shuffle<Shuffle::up>>;
  if (in.take("down")) in.op.run = run_with_members<run_shuffle<Shuffle::down>>;
  if (in.take("bfly")) in.op.run = run_with_members<run_shuffle<Shuffle::butterfly>>;
  if (in.take("idx")) in.op.run = run_with_members<run_shuffle<Shuffle::index>>;
}

enum class Vote { all, any, uniform, ballot };

template <Vote mode>
void run_vote(Warp& warp, const Op& op) {
  const U32 p = (warp.predicate(op.a) ^ (op.option != 0 ? all_lanes : 0u)) & warp.mask;
  if constexpr (mode == Vote::ballot) {
    U32* const d = warp.at<U32>(op.d);
    each_lane(warp, [&](int n) { d[n] = p; });
  } else {
    const bool value = mode == Vote::all   ? p == warp.mask
                       : mode == Vote::any ? p != 0
                                           : p == 0 || p == warp.mask;
    store_predicate(warp.predicate(op.d), value ? all_lanes : 0u, warp.mask);
  }
}

void select_vote(Lowering& in) {
  if (!in.take("sync")) in.unsupported("votes without .sync are not implemented");
  bool negated = false, unused = false;
  in.op.a = in.predicate(in.operand(1), negated);
  in.op.option = negated ? 1 : 0;
  in.op.extra = in.source(2, 4);
  if (in.take("ballot")) {
    in.op.d = in.result(0, 4);
    in.op.run = run_with_members<run_vote<Vote::ballot>>;
  } else {
    in.op.d = in.predicate(in.operand(0), unused);
    if (in.take("all")) in.op.run = run_with_members<run_vote<Vote::all>>;
    if (in.take("any")) in.op.run = run_with_members<run_vote<Vote::any>>;
    if (in.take("uni")) in.op.run = run_with_members<run_vote<Vote::uniform>>;
  }
  in.parse_type();
}

/// match.any: the lanes with the same value; match.all: all lanes if all have the same value.
template <class T, bool all>
void run_match(Warp& warp, const Op& op) {
  const T* const a = warp.at<T>(op.a);
  U32* const d = warp.at<U32>(op.d);
  U32 same[warp_size] = {}, all_match = 0;
  each_lane(warp, [&](int n) {
    each_lane(warp, [&](int k) { same[n] |= (a[k] == a[n] ? 1u : 0u) << k; });
    if (all && same[n] != warp.mask) same[n] = 0;
    all_match |= (same[n] == warp.mask ? 1u : 0u) << n;
  });
  each_lane(warp, [&](int n) { d[n] = same[n]; });
  if (all && op.immediate >= 0)
    store_predicate(warp.predicate(static_cast<Slot>(op.immediate)), all_match, warp.mask);
}

void select_match(Lowering& in) {
  const bool all = in.take("all");
  if ((!all && !in.take("any")) || !in.take("sync")) in.unsupported();
  const int size = size_of(in.parse_type());
  in.op.d = in.result(0, 4), in.op.a = in.source(1, size), in.op.extra = in.source(2, 4);
  const int second = in.operand(0).second;
  in.op.immediate = second >= 0 ? std::int64_t{in.predicate_register(second)} : -1;
  if (size == 4)
    in.op.run =
        all ? run_with_members<run_match<U32, true>> : run_with_members<run_match<U32, false>>;
  else
    in.op.run = all ? run_with_members<run_match<std::uint64_t, true>>
                    : run_with_members<run_match<std::uint64_t, false>>;
}

template <class T, auto F>
void run_reduce(Warp& warp, const Op& op) {
  const T* const a = warp.at<T>(op.a);
  T result = a[std::countr_zero(warp.mask)];
  bool first = true;
  each_lane(warp, [&](int n) {
    if (!first) result = F(result, a[n]);
    first = false;
  });
  T* const d = warp.at<T>(op.d);
  each_lane(warp, [&](int n) { d[n] = result; });
}

void select_reduce(Lowering& in) {
  if (!in.take("sync")) in.unsupported();
  using S = std::int32_t;
  in.op.d = in.result(0, 4), in.op.a = in.source(1, 4), in.op.extra = in.source(2, 4);
  const bool sign = is_signed(in.parse_type());
  if (in.take("add"))
    in.op.run = run_with_members<run_reduce<U32, [](U32 a, U32 b) { return a + b; }>>;
  if (in.take("and"))
    in.op.run = run_with_members<run_reduce<U32, [](U32 a, U32 b) { return a & b; }>>;
  if (in.take("or"))
    in.op.run = run_with_members<run_reduce<U32, [](U32 a, U32 b) { return a | b; }>>;
  if (in.take("xor"))
    in.op.run = run_with_members<run_reduce<U32, [](U32 a, U32 b) { return a ^ b; }>>;
  if (in.take("min"))
    in.op.run =
        sign ? Handler{run_with_members<run_reduce<S, [](S a, S b) { return b < a ? b : a; }>>}
             : Handler{
                   run_with_members<run_reduce<U32, [](U32 a, U32 b) { return b < a ? b : a; }>>};
  if (in.take("max"))
    in.op.run =
        sign ? Handler{run_with_members<run_reduce<S, [](S a, S b) { return a < b ? b : a; }>>}
             : Handler{
                   run_with_members<run_reduce<U32, [](U32 a, U32 b) { return a < b ? b : a; }>>};
}

/// elect.sync: the lowest lane of the mask.
void run_elect(Warp& warp, const Op& op) {
  const auto first = static_cast<U32>(std::countr_zero(warp.mask));
  U32* const d = warp.at<U32>(op.d);
  each_lane(warp, [&](int n) { d[n] = first; });
  store_predicate(warp.predicate(static_cast<Slot>(op.immediate)), 1u << first, warp.mask);
}

void select_elect(Lowering& in) {
  if (!in.take("sync")) in.unsupported();
  in.op.d = in.result(0, 4), in.op.extra = in.source(1, 4);
  if (in.operand(0).second < 0) in.unsupported();
  in.op.immediate = in.predicate_register(in.operand(0).second);
  in.op.run = run_with_members<run_elect>;
}

}  // namespace

void select_warp(Lowering& in) {
  const std::string& opcode = in.instruction().opcode;
  in.op.unit = static_cast<std::uint8_t>(Unit::warp);
  if (opcode == "shfl") return select_shuffle(in);
  if (opcode == "vote") return select_vote(in);
  if (opcode == "match") return select_match(in);
  if (opcode == "redux") return select_reduce(in);
  if (opcode == "elect") return select_elect(in);
  in.parse_type();
  in.op.d = in.result(0, 4);
  in.op.run = [](Warp& warp, const Op& op) {  // activemask
    U32* const d = warp.at<U32>(op.d);
    each_lane(warp, [&](int n) { d[n] = warp.mask; });
  };
}

}  // namespace ptxemu
