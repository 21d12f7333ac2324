// mov, cvta, isspacep and special registers.

#include <ctime>

#include "exec/block.hpp"
#include "exec/lanes.hpp"
#include "program/by_type.hpp"
#include "program/families.hpp"

namespace ptxemu {
namespace {

using U32 = std::uint32_t;

/// Writes F(warp, lane) to each active lane of the result.
template <auto F>
void run_special(Warp& warp, const Op& op) {
  U32 values[warp_size];
  for (int n = 0; n < warp_size; ++n) values[n] = F(warp, n);
  if (op.option == 4) return store(warp.at<U32>(op.d), values, warp.mask);
  std::uint64_t* const d = warp.at<std::uint64_t>(op.d);
  each_lane(warp, [&](int n) { d[n] = values[n]; });
}

template <int axis>
U32 thread_axis(Warp& warp, int n) {
  return warp.thread[axis][n];
}
template <int axis>
U32 block_axis(Warp& warp, int) {
  return warp.block().coordinate(axis);
}
U32 extent_axis(const Extent& extent, int axis) {
  return axis == 0 ? extent.x : axis == 1 ? extent.y : extent.z;
}
template <int axis>
U32 block_extent(Warp& warp, int) {
  return extent_axis(warp.block().launch().block, axis);
}
template <int axis>
U32 grid_extent(Warp& warp, int) {
  return extent_axis(warp.block().launch().grid, axis);
}

struct SpecialRow {
  const char* name;
  Handler run;
};
template <int axis>
constexpr SpecialRow axis_rows[] = {{"%tid", run_special<thread_axis<axis>>},
                                    {"%ntid", run_special<block_extent<axis>>},
                                    {"%ctaid", run_special<block_axis<axis>>},
                                    {"%nctaid", run_special<grid_extent<axis>>}};

constexpr SpecialRow plain_rows[] = {
    {"%laneid", run_special<[](Warp&, int n) { return static_cast<U32>(n); }>},
    {"%warpid", run_special<[](Warp& w, int) { return static_cast<U32>(w.index()); }>},
    {"%nwarpid", run_special<[](Warp& w, int) {
       return static_cast<U32>((w.block().launch().block.count() + 31) / 32);
     }>},
    {"%smid", run_special<[](Warp&, int) { return U32{0}; }>},
    {"%nsmid", run_special<[](Warp&, int) { return U32{1}; }>},
    {"%envreg1", run_special<[](Warp& w, int) {
       return static_cast<U32>(w.block().launch().grid_workspace >> 32);
     }>},
    {"%envreg2",
     run_special<[](Warp& w, int) { return static_cast<U32>(w.block().launch().grid_workspace); }>},
    {"%gridid", run_special<[](Warp&, int) { return U32{0}; }>},
    {"%lanemask_eq", run_special<[](Warp&, int n) { return U32{1} << n; }>},
    {"%lanemask_lt", run_special<[](Warp&, int n) { return (U32{1} << n) - 1; }>},
    {"%lanemask_le", run_special<[](Warp&, int n) { return (U32{2} << n) - 1; }>},
    {"%lanemask_gt", run_special<[](Warp&, int n) { return ~((U32{2} << n) - 1); }>},
    {"%lanemask_ge", run_special<[](Warp&, int n) { return ~((U32{1} << n) - 1); }>},
    {"%clock",
     run_special<[](Warp& w, int) { return static_cast<U32>(w.counts.warp_instructions); }>},
    {"%dynamic_smem_size",
     run_special<[](Warp& w, int) { return w.block().launch().dynamic_shared; }>},
    {"%total_smem_size", run_special<[](Warp& w, int) {
       return w.block().launch().kernel->shared_bytes + w.block().launch().dynamic_shared;
     }>}};

/// Time: the number of instructions of the warp for %clock64, nanoseconds for %globaltimer.
template <bool instructions>
void run_time(Warp& warp, const Op& op) {
  std::uint64_t now = warp.counts.warp_instructions;
  if (!instructions) {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    now = static_cast<std::uint64_t>(time.tv_sec) * 1000000000u +
          static_cast<std::uint64_t>(time.tv_nsec);
  }
  std::uint64_t* const d = warp.at<std::uint64_t>(op.d);
  each_lane(warp, [&](int n) { d[n] = now; });
}

void select_special(Lowering& in, const std::string& name) {
  int size = 4;
  in.op.d = in.wide_result(in.operand(0), size);
  in.op.option = static_cast<std::uint8_t>(size);
  if (size == 8 && name == "%clock64") in.op.run = run_time<true>;
  if (size == 8 && name == "%globaltimer") in.op.run = run_time<false>;
  if (in.op.run != nullptr) return;
  if (size < 4) in.unsupported();
  for (const SpecialRow& row : plain_rows)
    if (name == row.name) in.op.run = row.run;
  for (std::size_t n = 0; n < 4; ++n) {
    if (name == std::string(axis_rows<0>[n].name) + ".x") in.op.run = axis_rows<0>[n].run;
    if (name == std::string(axis_rows<1>[n].name) + ".y") in.op.run = axis_rows<1>[n].run;
    if (name == std::string(axis_rows<2>[n].name) + ".z") in.op.run = axis_rows<2>[n].run;
  }
  if (in.op.run == nullptr) in.unsupported("the special register " + name + " is not implemented");
}

void copy_width(Lowering& in, int size) {
  in.op.run = by_width(size, [](auto z) -> Handler {
    using T = decltype(z);
    return map1<T, T, [](T a) { return a; }>;
  });
}

/// The address of a variable of the function: its offset and the base of the frame.
void run_frame_address(Warp& warp, const Op& op) {
  const auto value = static_cast<std::uint64_t>(op.immediate) + warp.frame().local_base;
  if (op.option == 4) {
    U32* const d = warp.at<U32>(op.d);
    return each_lane(warp, [&](int n) { d[n] = static_cast<U32>(value); });
  }
  std::uint64_t* const d = warp.at<std::uint64_t>(op.d);
  each_lane(warp, [&](int n) { d[n] = value; });
}

void select_address(Lowering& in, int size) {
  Operand named = in.operand(1);
  named.kind = Operand::Kind::address;
  in.op.d = in.result(0, size);
  if (const auto found = in.symbols().find(named.name);
      found != in.symbols().end() && found->second.function >= 0) {
    in.op.a = in.constant(code_window + 16u * static_cast<unsigned>(found->second.function), size);
    return copy_width(in, size);
  }
  const Lowering::Address address = in.address(named, Space::generic);
  if (address.in_frame) {
    in.op.immediate = address.offset;
    in.op.option = static_cast<std::uint8_t>(size);
    in.op.run = run_frame_address;
    return;
  }
  in.op.a = in.constant(static_cast<std::uint64_t>(address.offset), size);
  copy_width(in, size);
}

/// mov from one value to the parts of a vector, or from the parts of a vector to one value.
/// The slots of the Op::immediate parts, of Op::option bytes each, begin at Code::slots[Op::extra].
template <bool unpack>
void run_parts(Warp& warp, const Op& op) {
  const Slot* const slots = &warp.frame().code->slots[op.extra];
  const auto part_size = static_cast<std::size_t>(op.option);
  const auto count = static_cast<std::size_t>(op.immediate), value_size = part_size * count;
  std::byte* const values = warp.at<std::byte>(unpack ? op.a : op.d);
  each_lane(warp, [&](int n) {
    std::byte buffer[16];
    std::byte* const value = values + static_cast<std::size_t>(n) * value_size;
    if (unpack) std::memcpy(buffer, value, value_size);
    for (std::size_t k = 0; k < count; ++k) {
      std::byte* const at = warp.at<std::byte>(slots[k]) + static_cast<std::size_t>(n) * part_size;
      if (unpack)
        std::memcpy(at, buffer + k * part_size, part_size);
      else
        std::memcpy(buffer + k * part_size, at, part_size);
    }
    if (!unpack) std::memcpy(value, buffer, value_size);
  });
}

void select_parts(Lowering& in, int size, bool unpack) {
  const Operand& vector = in.operand(unpack ? 0 : 1);
  const int count = static_cast<int>(vector.elements.size()), part = count > 0 ? size / count : 0;
  if (part < 2) in.unsupported();
  in.op.extra = static_cast<U32>(in.code().slots.size());
  in.op.immediate = count;
  in.op.option = static_cast<std::uint8_t>(part);
  std::vector<Slot> slots;
  for (const Operand& element : vector.elements)
    slots.push_back(unpack ? in.result(element, part) : in.source(element, part));
  in.code().slots.insert(in.code().slots.end(), slots.begin(), slots.end());
  if (unpack) {
    in.op.a = in.source(1, size);
    in.op.run = run_parts<true>;
  } else {
    in.op.d = in.result(0, size);
    in.op.run = run_parts<false>;
  }
}

void select_mov(Lowering& in) {
  const Type type = in.parse_type();
  const int size = size_of(type);
  if (type == Type::pred) {
    bool negated = false, unused = false;
    in.op.d = in.predicate(in.operand(0), unused), in.op.a = in.predicate(in.operand(1), negated);
    in.op.option = negated ? 1 : 0;
    in.op.run = [](Warp& warp, const Op& op) {
      const U32 value = warp.predicate(op.a) ^ (op.option != 0 ? all_lanes : 0u);
      store_predicate(warp.predicate(op.d), value, warp.mask);
    };
    return;
  }
  if (in.operand(0).kind == Operand::Kind::vector) return select_parts(in, size, true);
  const Operand& from = in.operand(1);
  if (from.kind == Operand::Kind::vector) return select_parts(in, size, false);
  if (from.kind == Operand::Kind::special) return select_special(in, from.name);
  if (from.kind == Operand::Kind::name) return select_address(in, size);
  in.op.d = in.result(0, size), in.op.a = in.source(1, size);
  if (size == 16) {
    in.op.run = [](Warp& warp, const Op& op) {
      each_lane(warp, [&](int n) {
        std::memmove(warp.at<std::byte>(op.d) + 16 * n, warp.at<std::byte>(op.a) + 16 * n, 16);
      });
    };
    return;
  }
  copy_width(in, size);
}

/// Adds the window base of a state space to an address, or subtracts it.
void select_cvta(Lowering& in) {
  const bool to_space = in.take("to");
  std::uint64_t window = 0;
  const bool constant = in.take("const");
  if (in.take("shared") || in.take("shared::cta"))
    window = shared_window;
  else if (in.take("local"))
    window = local_window;
  else if (in.take("param"))
    window = param_window;
  else if (!constant && !in.take("global"))
    in.unsupported();
  if (in.parse_type() != Type::u64) in.unsupported();
  in.op.d = in.result(0, 8);
  if (in.operand(1).kind == Operand::Kind::name) {
    // select_address() gives the address within the state space, as an immediate or a constant.
    select_address(in, 8);
    if (in.op.run == run_frame_address)
      in.op.immediate += static_cast<std::int64_t>(window);
    else
      in.op.a = in.constant(*reinterpret_cast<const std::uint64_t*>(
                                &in.code().constants[(in.op.a & ~constant_slot) / 8]) +
                                window,
                            8);
    return;
  }
  in.op.a = in.source(1, 8);
  if (window == 0) return copy_width(in, 8);
  in.op.b = in.constant(to_space ? 0 - window : window, 8);
  in.op.run = map2<std::uint64_t, std::uint64_t, std::uint64_t,
                   [](std::uint64_t a, std::uint64_t b) { return a + b; }>;
}

void select_isspacep(Lowering& in) {
  std::uint64_t window = 0;
  if (in.take("shared") || in.take("shared::cta"))
    window = shared_window;
  else if (in.take("local"))
    window = local_window;
  else if (in.take("param"))
    window = param_window;
  else if (!in.take("global") && !in.take("const"))
    in.unsupported();
  bool negated = false;
  in.op.d = in.predicate(in.operand(0), negated);
  in.op.a = in.source(1, 8);
  in.op.immediate = static_cast<std::int64_t>(window / window_size);
  in.op.run = [](Warp& warp, const Op& op) {
    U32 bits = 0;
    for (int n = 0; n < warp_size; ++n) {
      const std::uint64_t number = warp.at<std::uint64_t>(op.a)[n] / window_size;
      const bool is_global = number == 0 || number > param_window / window_size;
      bits |= (op.immediate == 0 ? is_global : number == static_cast<std::uint64_t>(op.immediate))
                  ? U32{1} << n
                  : 0u;
    }
    store_predicate(warp.predicate(op.d), bits, warp.mask);
  };
}

}  // namespace

void select_move(Lowering& in) {
  const std::string& opcode = in.instruction().opcode;
  in.op.unit = static_cast<std::uint8_t>(Unit::integer);
  if (opcode == "mov") return select_mov(in);
  if (opcode == "cvta") return select_cvta(in);
  select_isspacep(in);
}

}  // namespace ptxemu
