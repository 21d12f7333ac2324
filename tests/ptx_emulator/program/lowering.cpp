#include "program/lowering.hpp"

#include <bit>

#include "exec/warp.hpp"
#include "program/register_slots.hpp"
#include "reader/error.hpp"

namespace ptxemu {

Slot Lowering::reserve(int bytes) {
  code_.register_bytes = (code_.register_bytes + 63) / 64 * 64;
  const Slot slot = code_.register_bytes;
  code_.register_bytes += static_cast<std::uint32_t>(bytes);
  return slot;
}

/// Assigns slots to registers, and allocates each variable of the function outside shared memory.
void Lowering::prepare(const ControlFlow& flow) {
  const Function& function = *code_.function;
  register_slots_ = assign_register_slots(function, flow, code_);
  const auto allocate_local = [&](const Variable& variable) {
    const auto align = static_cast<std::uint32_t>(variable.align);
    code_.local_bytes = (code_.local_bytes + align - 1) / align * align;
    const std::uint32_t offset = code_.local_bytes;
    local_offsets_[variable.name] = offset;
    code_.local_bytes += static_cast<std::uint32_t>(variable.size);
    return ParameterSlot{offset, static_cast<std::uint32_t>(variable.size)};
  };
  for (const Variable& variable : function.results)
    code_.results.push_back(allocate_local(variable));
  for (const Variable& variable : function.parameters) {
    if (!function.entry) {
      code_.parameters.push_back(allocate_local(variable));
      continue;
    }
    const auto align = static_cast<std::uint32_t>(variable.align);
    code_.parameter_bytes = (code_.parameter_bytes + align - 1) / align * align;
    parameter_offsets_[variable.name] = code_.parameter_bytes;
    code_.parameters.push_back({code_.parameter_bytes, static_cast<std::uint32_t>(variable.size)});
    code_.parameter_bytes += static_cast<std::uint32_t>(variable.size);
  }
  for (const Variable& variable : function.variables)
    if (variable.space == Space::local || variable.space == Space::param) allocate_local(variable);
  code_.local_bytes = (code_.local_bytes + 15) / 16 * 16;
}

void Lowering::begin(std::uint32_t index) {
  in_ = &code_.function->body[index];
  taken_.assign(in_->suffixes.size(), false);
  op = Op{};
  op.source = index;
  if (in_->guard >= 0) {
    op.guarded = true;
    op.guard_negated = in_->guard_negated;
    op.guard = slot_of(in_->guard);
  }
}

void Lowering::end() {
  if (op.run == nullptr) unsupported();
  for (std::size_t n = 0; n < taken_.size(); ++n)
    if (!taken_[n]) unsupported("the suffix ." + in_->suffixes[n] + " is not implemented");
}

void Lowering::unsupported(const std::string& why) const {
  throw PtxError("the instruction '" + to_string(*in_, *code_.function) + "' (PTX line " +
                 std::to_string(in_->line) + ", " +
                 (code_.function->entry ? "kernel " : "function ") + code_.function->name +
                 ") is not implemented by the emulator" + (why.empty() ? "" : ": " + why));
}

const Operand& Lowering::operand(std::size_t n) const {
  if (n >= in_->operands.size()) unsupported("it has too few operands");
  return in_->operands[n];
}

bool Lowering::take(std::string_view suffix) {
  for (std::size_t n = 0; n < taken_.size(); ++n)
    if (!taken_[n] && in_->suffixes[n] == suffix) return taken_[n] = true;
  return false;
}

Type Lowering::parse_type() {
  for (std::size_t n = 0; n < taken_.size(); ++n) {
    if (taken_[n]) continue;
    if (const auto type = type_of(in_->suffixes[n])) {
      taken_[n] = true;
      return *type;
    }
  }
  return Type::none;
}

Slot Lowering::constant(std::uint64_t bits, int size) {
  if (size < 8) bits &= (std::uint64_t{1} << (8 * size)) - 1;
  const auto [found, added] = constants_.try_emplace({bits, size}, 0);
  if (!added) return found->second;
  found->second = constant_slot | static_cast<Slot>(code_.constants.size() * 8);
  std::uint64_t pattern = bits;
  for (int width = size; width < 8; width *= 2) pattern |= pattern << (8 * width);
  code_.constants.resize(code_.constants.size() + static_cast<unsigned>(size) * warp_size / 8,
                         pattern);
  if (size == 16)  // the high half is zero
    for (std::size_t n = code_.constants.size() - 63; n < code_.constants.size(); n += 2)
      code_.constants[n] = 0;
  return found->second;
}

Slot Lowering::scratch(int size) {
  const auto [found, added] = scratch_.try_emplace(size, 0);
  if (added) found->second = reserve(size * warp_size);
  return found->second;
}

Slot Lowering::carry() {
  if (!has_carry_) carry_ = reserve(4);
  has_carry_ = true;
  return carry_;
}

Slot Lowering::wide_source(const Operand& operand, int& size) {
  switch (operand.kind) {
    case Operand::Kind::reg: {
      const Type type = code_.function->registers[static_cast<unsigned>(operand.reg)].type;
      if (type == Type::pred) unsupported("an operand is a predicate, but a number is needed");
      size = size_of(type);
      return slot_of(operand.reg);
    }
    case Operand::Kind::integer:
      return constant(operand.bits, size);
    case Operand::Kind::f32:
      if (size != 4) unsupported("a constant has 32 bits, but another size is needed");
      return constant(operand.bits, 4);
    case Operand::Kind::f64:
      if (size == 4) {  // decimal constants are in double precision
        const auto single = static_cast<float>(std::bit_cast<double>(operand.bits));
        return constant(std::bit_cast<std::uint32_t>(single), 4);
      }
      return constant(operand.bits, 8);
    default:
      unsupported("an operand is neither a register nor a constant");
  }
}

Slot Lowering::source(const Operand& operand, int size) {
  int actual = size;
  const Slot slot = wide_source(operand, actual);
  if (actual != size) unsupported("a register has another size than the instruction");
  return slot;
}

Slot Lowering::wide_result(const Operand& operand, int& size) {
  if (operand.kind == Operand::Kind::sink) return scratch(size);
  if (operand.kind != Operand::Kind::reg) unsupported("the result is not a register");
  const Type type = code_.function->registers[static_cast<unsigned>(operand.reg)].type;
  if (type == Type::pred) unsupported("the result is a predicate where a number is needed");
  size = size_of(type);
  return slot_of(operand.reg);
}

Slot Lowering::result(const Operand& operand, int size) {
  int actual = size;
  const Slot slot = wide_result(operand, actual);
  if (actual != size) unsupported("the result has another size than the instruction");
  return slot;
}

Slot Lowering::predicate(const Operand& operand, bool& negated) {
  negated = operand.negated;
  if (operand.kind == Operand::Kind::sink) return scratch(4);
  if (operand.kind == Operand::Kind::integer)
    return constant(operand.bits != 0 ? all_lanes : 0u, 4);
  if (operand.kind != Operand::Kind::reg ||
      code_.function->registers[static_cast<unsigned>(operand.reg)].type != Type::pred)
    unsupported("an operand must be a predicate");
  return slot_of(operand.reg);
}

std::int64_t Lowering::local_offset(const std::string& name) const {
  const auto found = local_offsets_.find(name);
  return found == local_offsets_.end() ? -1 : std::int64_t{found->second};
}

Lowering::Address Lowering::address(const Operand& operand, Space space) {
  if (operand.kind != Operand::Kind::address) unsupported("an operand must be an address");
  Address address;
  address.space = space;
  address.offset = operand.offset;
  if (operand.reg >= 0) {
    address.indexed = true;
    Operand index;
    index.kind = Operand::Kind::reg;
    index.reg = operand.reg;
    address.slot = wide_source(index, address.size);
    if (address.size != 4 && address.size != 8)
      unsupported("an address has neither 32 nor 64 bits");
    return address;
  }
  if (operand.name.empty()) return address;
  if (const std::int64_t local = local_offset(operand.name); local >= 0) {
    address.space = Space::local;
    address.in_frame = true;
    address.offset += local;
  } else if (const auto found = parameter_offsets_.find(operand.name);
             found != parameter_offsets_.end()) {
    address.space = Space::param;
    address.offset += found->second;
  } else if (const auto symbol = symbols_.find(operand.name); symbol != symbols_.end()) {
    address.space = symbol->second.space;
    address.offset += static_cast<std::int64_t>(symbol->second.address);
  } else {
    unsupported("the name " + operand.name + " is not defined");
  }
  return address;
}

}  // namespace ptxemu
