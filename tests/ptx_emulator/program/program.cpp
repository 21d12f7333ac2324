#include "program/program.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "checks/instrument.hpp"
#include "exec/instructions/control.hpp"
#include "exec/instructions/system_functions.hpp"
#include "exec/profile.hpp"
#include "reader/error.hpp"

namespace ptxemu {
namespace {

std::uint32_t aligned(std::uint32_t offset, std::uint64_t align) {
  const auto step = static_cast<std::uint32_t>(align);
  return (offset + step - 1) / step * step;
}

/// A function that is declared but not defined, such as those of the device runtime.
void run_missing(Warp& warp, const Op&) {
  throw Fault(Fault::Kind::illegal_instruction, "the function " +
                                                    warp.frame().code->function->name +
                                                    " is declared but not defined in this module");
}

/// The code of a function that is not defined in the module: one of the driver, or a fault.
Code declared_function(const Function& function) {
  Code code;
  code.function = &function;
  const auto allocate = [&](const std::vector<Variable>& variables,
                            std::vector<ParameterSlot>& slots) {
    for (const Variable& variable : variables) {
      code.local_bytes = aligned(code.local_bytes, variable.align);
      slots.push_back({code.local_bytes, static_cast<std::uint32_t>(variable.size)});
      code.local_bytes += static_cast<std::uint32_t>(variable.size);
    }
  };
  allocate(function.results, code.results);
  allocate(function.parameters, code.parameters);
  code.local_bytes = aligned(code.local_bytes, 16);
  const Handler system = system_function(function.name);
  for (const Handler handler : {system != nullptr ? system : Handler{run_missing}, run_return}) {
    code.ops.emplace_back();
    code.ops.back().run = handler;
    code.ops.back().unit = static_cast<std::uint8_t>(Unit::control);
  }
  return code;
}

}  // namespace

Program::Program(std::string_view text, DeviceMemory& memory, bool counts, bool checks)
    : module_(parse(text)), memory_(memory), counts_(counts), checks_(checks) {
  for (std::size_t n = 0; n < module_.functions.size(); ++n) {
    Symbol symbol;
    symbol.function = static_cast<int>(n);
    symbols_[module_.functions[n].name] = symbol;
    codes_.push_back(std::make_unique<Code>());
  }
  translated_.resize(codes_.size(), false);
  allocate_variables();
}

void Program::allocate_shared(const Variable& variable, std::uint32_t& end,
                              Symbols& symbols) const {
  end = aligned(end, variable.align);
  symbols[variable.name] = {Space::shared, end, -1};
  end += static_cast<std::uint32_t>(variable.size);
}

void Program::allocate_variables() {
  std::vector<const Variable*> dynamic;
  for (const Variable& variable : module_.variables) {
    if (variable.space == Space::shared) {
      if (variable.size == 0)
        dynamic.push_back(&variable);
      else
        allocate_shared(variable, fixed_shared_, symbols_);
      continue;
    }
    if (variable.external)
      throw PtxError("the variable " + variable.name + " is defined in another module");
    const std::uint64_t address = memory_.allocate(std::max<std::uint64_t>(variable.size, 1));
    if (address == 0) throw std::bad_alloc();
    symbols_[variable.name] = {variable.space, address, -1};
    variables_[variable.name] = {address, variable.size};
  }
  for (const Function& function : module_.functions)
    if (!function.entry)
      for (const Variable& variable : function.variables)
        if (variable.space == Space::shared) allocate_shared(variable, fixed_shared_, symbols_);
  dynamic_shared_offset_ = fixed_shared_;
  for (const Function& function : module_.functions) {
    std::uint32_t end = fixed_shared_;
    Symbols unused;
    for (const Variable& variable : function.variables)
      if (function.entry && variable.space == Space::shared) allocate_shared(variable, end, unused);
    dynamic_shared_offset_ = std::max(dynamic_shared_offset_, end);
  }
  dynamic_shared_offset_ = aligned(dynamic_shared_offset_, 128);
  for (const Variable* variable : dynamic)
    symbols_[variable->name] = {Space::shared, dynamic_shared_offset_, -1};
  for (const Variable& variable : module_.variables)
    if (variable.space != Space::shared) initialise(variable);
}

/// Initialises global and constant variables; they are zero where no value is given.
void Program::initialise(const Variable& variable) {
  if (variable.size == 0) return;
  std::byte* const bytes = memory_.access(variables_[variable.name].start, variable.size, true);
  std::memset(bytes, 0, variable.size);
  const auto width = static_cast<std::size_t>(size_of(variable.type));
  for (std::size_t n = 0; n < variable.values.size(); ++n) {
    const Initialiser& value = variable.values[n];
    std::uint64_t bits = value.bits;
    if (!value.name.empty()) {
      const auto found = symbols_.find(value.name);
      if (found == symbols_.end())
        throw PtxError("the initialiser of " + variable.name + " names " + value.name +
                       ", which is not defined");
      bits += found->second.function >= 0
                  ? code_window + 16u * static_cast<unsigned>(found->second.function)
                  : found->second.address;
    }
    std::memcpy(bytes + n * width, &bits, std::min<std::size_t>(width, 8));
  }
}

void Program::translate(std::size_t number) {
  if (translated_[number]) return;
  const Function& function = module_.functions[number];
  Code translation;
  if (function.defined) {
    Symbols symbols = symbols_;
    std::uint32_t end = fixed_shared_;
    if (function.entry)
      for (const Variable& variable : function.variables)
        if (variable.space == Space::shared) allocate_shared(variable, end, symbols);
    lower(function, symbols, translation, checks_);
    if (checks_) instrument(translation);
    translation.shared_bytes = end;
  } else {
    translation = declared_function(function);
  }
  *codes_[number] = std::move(translation);
  translated_[number] = true;
  Code& code = *codes_[number];
  if (counts_ && function.defined) count_instructions(code);
  for (const Op& op : code.ops) {
    if (op.run != run_call) continue;
    if (op.target == no_pc) {  // indirect call: any function may be called
      for (std::size_t n = 0; n < codes_.size(); ++n)
        if (!module_.functions[n].entry) translate(n);
      continue;
    }
    translate(op.target);
    code.calls[op.extra].callee = codes_[op.target].get();
  }
}

const Code& Program::kernel(const std::string& name) {
  for (std::size_t n = 0; n < codes_.size(); ++n)
    if (module_.functions[n].entry && module_.functions[n].name == name) {
      translate(n);
      return *codes_[n];
    }
  throw PtxError("the module has no kernel " + name);
}

void Program::translate_all() {
  for (std::size_t n = 0; n < codes_.size(); ++n) translate(n);
}

DeviceMemory::Range Program::variable(const std::string& name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? DeviceMemory::Range{} : found->second;
}

}  // namespace ptxemu
