// ld and st.

#include "exec/address.hpp"
#include "program/by_type.hpp"
#include "program/families.hpp"

namespace ptxemu {
namespace {

template <int size>
using WordOf = std::conditional_t<
    size == 1, std::uint8_t,
    std::conditional_t<size == 2, std::uint16_t,
                       std::conditional_t<size == 4, std::uint32_t, std::uint64_t>>>;

/// Number of elements, register size in bytes and whether elements are signed; packed into Op::c.
struct Shape {
  int count, register_size;
  bool sign;
};
Slot pack(Shape shape) {
  return static_cast<Slot>(shape.count | (shape.register_size << 8) | (shape.sign ? 1 << 16 : 0));
}
Shape unpack(Slot c) {
  return {static_cast<int>(c & 255u), static_cast<int>((c >> 8) & 255u), ((c >> 16) & 1u) != 0};
}

/// Writes an element to lane n of a register, sign- or zero-extended.
template <int size>
void put(std::byte* registers, int n, int register_size, bool sign, WordOf<size> value) {
  if (register_size == size) {
    std::memcpy(registers + n * size, &value, size);
    return;
  }
  using Signed = std::make_signed_t<WordOf<size>>;
  const std::uint64_t wide =
      sign ? static_cast<std::uint64_t>(std::int64_t{static_cast<Signed>(value)}) : value;
  std::memcpy(registers + n * register_size, &wide, static_cast<std::size_t>(register_size));
}

/// The host address of all elements of a lane's access: vectors are read and written as a whole.
template <bool write>
std::byte* host_address(Warp& warp, int lane, std::uint64_t address, int bytes) {
  switch (bytes) {
    case 1:
      return warp.generic<1, write>(lane, address);
    case 2:
      return warp.generic<2, write>(lane, address);
    case 4:
      return warp.generic<4, write>(lane, address);
    case 8:
      return warp.generic<8, write>(lane, address);
    case 16:
      return warp.generic<16, write>(lane, address);
    default:
      warp.lane = lane;
      if (address % 32 != 0)
        throw Fault(Fault::Kind::misaligned_address,
                    "the address is not a multiple of the size of the access");
      return warp.memory().access(address, 32, write);
  }
}

/// If the address is that of a kernel parameter, and thus the same for all lanes, reads the value
/// once, writes it to the active lanes and returns true.
template <int size>
bool load_uniform(Warp& warp, const Op& op, std::uint64_t address) {
  if ((op.option & AddressMode::indexed) != 0 ||
      address / window_size != param_window / window_size)
    return false;
  const Shape shape = unpack(op.c);
  warp.lane = std::countr_zero(warp.mask);
  const std::byte* const from =
      warp.param(address - param_window, static_cast<std::uint64_t>(size * shape.count));
  const Slot* const slots = &warp.frame().code->slots[op.extra];
  for (int k = 0; k < shape.count; ++k) {
    WordOf<size> value;
    std::memcpy(&value, from + k * size, size);
    std::byte* const registers = warp.at<std::byte>(slots[k]);
    each_lane(warp,
              [&](int n) { put<size>(registers, n, shape.register_size, shape.sign, value); });
  }
  return true;
}

template <int size>
void run_load(Warp& warp, const Op& op) {
  std::uint64_t addresses[warp_size];
  generic_addresses(warp, op, addresses);
  if (load_uniform<size>(warp, op, addresses[0])) return;
  const Shape shape = unpack(op.c);
  const Slot* const slots = &warp.frame().code->slots[op.extra];
  if (shape.count == 1 && shape.register_size == size) {
    using T = WordOf<size>;
    T* const d = warp.at<T>(slots[0]);
    each_lane(warp,
              [&](int n) { std::memcpy(&d[n], warp.generic<size, false>(n, addresses[n]), size); });
    return;
  }
  each_lane(warp, [&](int n) {
    std::byte buffer[32];
    const auto bytes = static_cast<std::size_t>(size * shape.count);
    std::memcpy(buffer, host_address<false>(warp, n, addresses[n], size * shape.count), bytes);
    for (int k = 0; k < shape.count; ++k) {
      WordOf<size> value;
      std::memcpy(&value, buffer + k * size, size);
      put<size>(warp.at<std::byte>(slots[k]), n, shape.register_size, shape.sign, value);
    }
  });
}

template <int size>
void run_store(Warp& warp, const Op& op) {
  std::uint64_t addresses[warp_size];
  generic_addresses(warp, op, addresses);
  const Shape shape = unpack(op.c);
  const Slot* const slots = &warp.frame().code->slots[op.extra];
  if (shape.count == 1 && shape.register_size == size) {
    using T = WordOf<size>;
    const T* const values = warp.at<T>(slots[0]);
    each_lane(warp, [&](int n) {
      std::memcpy(warp.generic<size, true>(n, addresses[n]), &values[n], size);
    });
    return;
  }
  each_lane(warp, [&](int n) {
    std::byte* const to = host_address<true>(warp, n, addresses[n], size * shape.count);
    for (int k = 0; k < shape.count; ++k)
      std::memcpy(to + k * size, warp.at<std::byte>(slots[k]) + n * shape.register_size, size);
  });
}

void select_access(Lowering& in, bool load) {
  parse_memory_ordering(in);
  const Space space = parse_space(in);
  int count = 1;
  if (in.take("v2")) count = 2;
  if (in.take("v4")) count = 4;
  if (in.take("v8")) count = 8;
  const Type type = in.parse_type();
  if (type == Type::none || type == Type::pred) in.unsupported();
  int size = size_of(type);
  select_address_mode(in, load ? 1 : 0, space);
  const Operand& values = in.operand(load ? 0 : 1);
  std::vector<Slot> slots;
  int register_size = size;
  const auto add = [&](const Operand& value) {
    int actual = register_size;
    slots.push_back(load ? in.wide_result(value, actual) : in.wide_source(value, actual));
    if (value.kind == Operand::Kind::reg) register_size = actual;
  };
  if (values.kind == Operand::Kind::vector) {
    for (const Operand& element : values.elements)  // determine the size of the registers first
      if (element.kind == Operand::Kind::reg) add(element);
    slots.clear();
    for (const Operand& element : values.elements) add(element);
  } else {
    add(values);
  }
  if (static_cast<int>(slots.size()) != count || register_size < size) in.unsupported();
  if (size == 16) {  // a register of 128 bits
    if (count != 1) in.unsupported();
    in.op.c = pack({16, 16, false});
  } else {
    in.op.c = pack({count, register_size, is_signed(type)});
  }
  in.op.extra = static_cast<Slot>(in.code().slots.size());
  in.code().slots.insert(in.code().slots.end(), slots.begin(), slots.end());
  switch (size) {
    case 1:
      in.op.run = load ? run_load<1> : run_store<1>;
      return;
    case 2:
      in.op.run = load ? run_load<2> : run_store<2>;
      return;
    case 4:
      in.op.run = load ? run_load<4> : run_store<4>;
      return;
    case 8:
      in.op.run = load ? run_load<8> : run_store<8>;
      return;
    default:
      break;
  }
  in.op.run = load ? Handler{[](Warp& warp, const Op& op) {
    std::uint64_t addresses[warp_size];
    generic_addresses(warp, op, addresses);
    std::byte* const d = warp.at<std::byte>(warp.frame().code->slots[op.extra]);
    each_lane(warp, [&](int n) {
      std::memcpy(d + 16 * n, warp.generic<16, false>(n, addresses[n]), 16);
    });
  }}
                   : Handler{[](Warp& warp, const Op& op) {
                       std::uint64_t addresses[warp_size];
                       generic_addresses(warp, op, addresses);
                       const std::byte* const a =
                           warp.at<std::byte>(warp.frame().code->slots[op.extra]);
                       each_lane(warp, [&](int n) {
                         std::memcpy(warp.generic<16, true>(n, addresses[n]), a + 16 * n, 16);
                       });
                     }};
}

}  // namespace

void select_memory(Lowering& in) {
  const std::string& opcode = in.instruction().opcode;
  in.op.unit = static_cast<std::uint8_t>(Unit::memory);
  if (opcode == "ld" || opcode == "ldu") return select_access(in, true);
  if (opcode == "st") return select_access(in, false);
  // prefetch, prefetchu, discard, applypriority: cache hints
  for (const char* suffix : {"L1", "L2", "global", "local", "L2::evict_last", "L2::evict_normal"})
    in.take(suffix);
  in.op.run = [](Warp&, const Op&) {};
}

}  // namespace ptxemu
