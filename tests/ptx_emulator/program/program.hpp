#pragma once
// A PTX module loaded on a device.

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exec/code.hpp"
#include "memory/device_memory.hpp"
#include "program/lowering.hpp"

namespace ptxemu {

class Program {
 public:
  /// Parses `text` and allocates its variables in `memory`, which must outlive the program. Throws
  /// PtxError for invalid text. With `counts`, launches can count the executions of instructions
  /// and memory traffic (Launch::profile), which makes them slower. With
  /// `checks`, they perform those of Launch::checks.
  Program(std::string_view text, DeviceMemory& memory, bool counts = false, bool checks = false);

  /// A kernel in executable form, with all functions that it calls. Throws PtxError if there is no
  /// such kernel or it contains an instruction that is not implemented.
  const Code& kernel(const std::string& name);
  /// Translates every function, for tests of the parser.
  void translate_all();

  /// Address and size of a variable in global or constant memory; size 0 if there is none.
  DeviceMemory::Range variable(const std::string& name) const;
  const Module& module() const { return module_; }
  /// Offset of dynamic shared memory in the shared memory of a block.
  std::uint32_t dynamic_shared_offset() const { return dynamic_shared_offset_; }
  /// All functions, by their number in the module; those not yet translated are empty.
  const std::vector<std::unique_ptr<Code>>& functions() const { return codes_; }

 private:
  void allocate_variables();
  void initialise(const Variable& variable);
  void allocate_shared(const Variable& variable, std::uint32_t& end, Symbols& symbols) const;
  void translate(std::size_t number);

  Module module_;
  DeviceMemory& memory_;
  bool counts_, checks_;
  Symbols symbols_;
  std::unordered_map<std::string, DeviceMemory::Range> variables_;
  std::vector<std::unique_ptr<Code>> codes_;
  std::vector<bool> translated_;
  /// bytes of the shared variables of the module and of its device functions; those of a kernel
  /// follow
  std::uint32_t fixed_shared_ = 0;
  std::uint32_t dynamic_shared_offset_ = 0;
};

}  // namespace ptxemu
