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

/// Translates the addresses of lanes in any memory; fastest for device memory.
class AnyMemory {
 public:
  explicit AnyMemory(Warp& warp) : warp_(warp), view_(warp.memory().view()) {}
  template <int size, bool write>
  std::byte* at(int lane, std::uint64_t address) const {
    std::byte* const found = view_.find<size, write>(address);
    return found != nullptr ? found : warp_.generic<size, write>(lane, address);
  }

 private:
  Warp& warp_;
  const DeviceMemory::View view_;
};

/// Translates the addresses of lanes in local memory.
class LocalMemory {
 public:
  explicit LocalMemory(Warp& warp) : warp_(warp), memory_(warp.local_memory()) {}
  template <int size, bool write>
  std::byte* at(int lane, std::uint64_t address) const {
    const std::uint64_t offset = address - local_window;
    if (offset >= memory_.end || size > memory_.end - offset || offset % size != 0)
      return warp_.generic<size, write>(lane, address);
    return memory_.start + static_cast<std::size_t>(lane) * memory_.stride + offset;
  }

 private:
  Warp& warp_;
  const Warp::LocalMemory memory_;
};

/// The host address of all elements of a lane's access: vectors are read and written as a whole.
template <bool write, class Memory>
std::byte* host_address(Warp& warp, const Memory& memory, int lane, std::uint64_t address,
                        int bytes) {
  switch (bytes) {
    case 1:
      return memory.template at<1, write>(lane, address);
    case 2:
      return memory.template at<2, write>(lane, address);
    case 4:
      return memory.template at<4, write>(lane, address);
    case 8:
      return memory.template at<8, write>(lane, address);
    case 16:
      return memory.template at<16, write>(lane, address);
    default:
      warp.lane = lane;
      if (address % 32 != 0)
        throw Fault(Fault::Kind::misaligned_address,
                    "the address is not a multiple of the size of the access");
      return warp.memory().access(address, 32, write);
  }
}

/// Whether all lanes read the same kernel parameter.
bool is_uniform(const Op& op) {
  return (op.option & AddressMode::indexed) == 0 &&
         static_cast<std::uint64_t>(op.immediate) / window_size == param_window / window_size;
}

/// Reads a kernel parameter once and writes it to the active lanes.
template <int size>
void run_load_uniform(Warp& warp, const Op& op) {
  const Shape shape = unpack(op.c);
  warp.lane = std::countr_zero(warp.mask);
  const std::byte* const from = warp.param(static_cast<std::uint64_t>(op.immediate) - param_window,
                                           static_cast<std::uint64_t>(size * shape.count));
  const Slot* const slots = &warp.frame().code->slots[op.extra];
  for (int k = 0; k < shape.count; ++k) {
    WordOf<size> value;
    std::memcpy(&value, from + k * size, size);
    std::byte* const registers = warp.at<std::byte>(slots[k]);
    each_lane(warp,
              [&](int n) { put<size>(registers, n, shape.register_size, shape.sign, value); });
  }
}

template <int size, class Memory>
void run_load(Warp& warp, const Op& op) {
  std::uint64_t addresses[warp_size];
  generic_addresses(warp, op, addresses);
  const Memory memory(warp);
  const Shape shape = unpack(op.c);
  const Slot* const slots = &warp.frame().code->slots[op.extra];
  if (shape.count == 1 && shape.register_size == size) {
    using T = WordOf<size>;
    T* const d = warp.at<T>(slots[0]);
    each_lane(warp, [&](int n) {
      std::memcpy(&d[n], memory.template at<size, false>(n, addresses[n]), size);
    });
    return;
  }
  each_lane(warp, [&](int n) {
    std::byte buffer[32];
    const auto bytes = static_cast<std::size_t>(size * shape.count);
    std::memcpy(buffer, host_address<false>(warp, memory, n, addresses[n], size * shape.count),
                bytes);
    for (int k = 0; k < shape.count; ++k) {
      WordOf<size> value;
      std::memcpy(&value, buffer + k * size, size);
      put<size>(warp.at<std::byte>(slots[k]), n, shape.register_size, shape.sign, value);
    }
  });
}

template <int size, class Memory>
void run_store(Warp& warp, const Op& op) {
  std::uint64_t addresses[warp_size];
  generic_addresses(warp, op, addresses);
  const Memory memory(warp);
  const Shape shape = unpack(op.c);
  const Slot* const slots = &warp.frame().code->slots[op.extra];
  if (shape.count == 1 && shape.register_size == size) {
    using T = WordOf<size>;
    const T* const values = warp.at<T>(slots[0]);
    each_lane(warp, [&](int n) {
      std::memcpy(memory.template at<size, true>(n, addresses[n]), &values[n], size);
    });
    return;
  }
  each_lane(warp, [&](int n) {
    std::byte* const to = host_address<true>(warp, memory, n, addresses[n], size * shape.count);
    for (int k = 0; k < shape.count; ++k)
      std::memcpy(to + k * size, warp.at<std::byte>(slots[k]) + n * shape.register_size, size);
  });
}

template <int size>
Handler load_or_store(const Op& op, bool load, bool local) {
  if (load && is_uniform(op)) return run_load_uniform<size>;
  if (load) return local ? run_load<size, LocalMemory> : run_load<size, AnyMemory>;
  return local ? run_store<size, LocalMemory> : run_store<size, AnyMemory>;
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
  const bool local = space == Space::local || (in.op.option & AddressMode::in_frame) != 0;
  switch (size) {
    case 1:
      in.op.run = load_or_store<1>(in.op, load, local);
      return;
    case 2:
      in.op.run = load_or_store<2>(in.op, load, local);
      return;
    case 4:
      in.op.run = load_or_store<4>(in.op, load, local);
      return;
    case 8:
      in.op.run = load_or_store<8>(in.op, load, local);
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
