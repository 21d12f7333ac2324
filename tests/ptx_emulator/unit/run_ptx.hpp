#pragma once
// Runs PTX text on an emulated device, for tests.

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "exec/grid.hpp"
#include "program/program.hpp"

namespace ptxemu::test {

/// PTX text of a module with one kernel `k`, which has parameters p0, p1, … of 64 bits and the
/// given body; `declarations` precede the kernel.
std::string kernel_text(int parameters, const std::string& body,
                        const std::string& declarations = "");

/// A device and the allocations of a test.
class EmulatedDevice {
 public:
  EmulatedDevice() : memory(std::uint64_t{1} << 28) {}

  template <class T>
  std::uint64_t upload(const std::vector<T>& values) {
    const std::uint64_t address = memory.allocate(values.size() * sizeof(T));
    std::memcpy(memory.access(address, values.size() * sizeof(T), true), values.data(),
                values.size() * sizeof(T));
    return address;
  }
  template <class T>
  std::vector<T> download(std::uint64_t address, std::size_t count) {
    std::vector<T> values(count);
    std::memcpy(values.data(), memory.access(address, count * sizeof(T), false), count * sizeof(T));
    return values;
  }
  /// Runs kernel `k` of the text. Throws errors of the emulator.
  Counts run(const std::string& text, Extent grid, Extent block,
             const std::vector<std::uint64_t>& arguments, std::uint64_t seed = 0,
             std::uint32_t dynamic_shared = 0);

  DeviceMemory memory;
  Checks checks;
};

/// The results of one instruction for many operands: one thread for each of `count` operands. The
/// instruction reads registers a, b, c of `in_type` and writes d of `out_type` ("f32", "b64", …).
std::vector<std::uint64_t> run_instruction(const std::string& instruction,
                                           const std::string& in_type, const std::string& out_type,
                                           const std::vector<std::uint64_t>& a,
                                           const std::vector<std::uint64_t>& b,
                                           const std::vector<std::uint64_t>& c);

/// `count` operands of `bits` bits, the same for a seed: special values first, then special and
/// random ones.
std::vector<std::uint64_t> operands(int bits, std::uint64_t seed, std::size_t count);
/// Bit patterns of floating-point numbers: zeros, subnormals, infinities, NaN, ties, then random
/// ones.
std::vector<std::uint64_t> float_operands(int bits, std::uint64_t seed, std::size_t count);

}  // namespace ptxemu::test
