#include "run_ptx.hpp"

#include <bit>
#include <random>

namespace ptxemu::test {

std::string kernel_text(int parameters, const std::string& body, const std::string& declarations) {
  std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n" + declarations + "\n.visible .entry k(";
  for (int n = 0; n < parameters; ++n)
    text += (n == 0 ? ".param .u64 p" : ", .param .u64 p") + std::to_string(n);
  return text + ")\n{\n" + body + "\nret;\n}\n";
}

Counts EmulatedDevice::run(const std::string& text, Extent grid, Extent block,
                           const std::vector<std::uint64_t>& arguments, std::uint64_t seed,
                           std::uint32_t dynamic_shared) {
  Program program(text, memory, false, checks.any());
  Launch launch;
  launch.kernel = &program.kernel("k");
  launch.grid = grid;
  launch.block = block;
  launch.memory = &memory;
  launch.functions = &program.functions();
  launch.seed = seed;
  launch.checks = checks;
  launch.dynamic_shared = dynamic_shared;
  launch.dynamic_shared_offset = program.dynamic_shared_offset();
  launch.parameters.resize(arguments.size() * 8);
  if (!arguments.empty())
    std::memcpy(launch.parameters.data(), arguments.data(), launch.parameters.size());
  return run_grid(launch);
}

std::vector<std::uint64_t> run_instruction(const std::string& instruction,
                                           const std::string& in_type, const std::string& out_type,
                                           const std::vector<std::uint64_t>& a,
                                           const std::vector<std::uint64_t>& b,
                                           const std::vector<std::uint64_t>& c) {
  EmulatedDevice device;
  // t0 is the number of the thread in the grid, and r4 the byte offset of its elements.
  const std::string in_size = in_type.substr(1), out_size = out_type.substr(1);
  std::string body = ".reg ." + in_type + " a, b, c;\n.reg ." + out_type +
                     " d, e;\n.reg .pred p, q;\n.reg .b32 t<4>;\n.reg .u64 r<8>;\n"
                     "mov.u32 t0, %tid.x; mov.u32 t1, %ctaid.x; mov.u32 t2, %ntid.x;\n"
                     "mad.lo.s32 t0, t1, t2, t0; mul.wide.u32 r4, t0, 8;\n";
  for (const char* name : {"a", "b", "c"}) {
    const std::string n = std::to_string(name[0] - 'a');
    body += "ld.param.u64 r" + n + ", [p" + n + "]; add.u64 r5, r" + n + ", r4; ld.global." +
            (in_type[0] == 'f' ? in_type : "b" + in_size) + " " + name + ", [r5];\n";
  }
  body += instruction + "\nld.param.u64 r3, [p3]; add.u64 r3, r3, r4; st.global." +
          (out_type[0] == 'f' ? out_type : "b" + out_size) + " [r3], d;";
  const std::uint32_t count = static_cast<std::uint32_t>(a.size()), threads = 128;
  const std::uint32_t blocks = (count + threads - 1) / threads;
  const auto padded = [&](std::vector<std::uint64_t> values) {
    values.resize(std::size_t{blocks} * threads);
    return values;
  };
  const std::uint64_t result = device.upload(std::vector<std::uint64_t>(blocks * threads));
  device.run(
      kernel_text(4, body), {blocks, 1, 1}, {threads, 1, 1},
      {device.upload(padded(a)), device.upload(padded(b)), device.upload(padded(c)), result});
  return device.download<std::uint64_t>(result, count);
}

namespace {
std::vector<std::uint64_t> special_and_random(const std::vector<std::uint64_t>& special,
                                              std::uint64_t mask, std::uint64_t seed,
                                              std::size_t count) {
  std::mt19937_64 engine(seed);
  std::vector<std::uint64_t> values(count);
  for (std::size_t n = 0; n < count; ++n) {
    const bool is_special = n < 2 * special.size() || engine() % 3 == 0;
    values[n] = (is_special ? special[engine() % special.size()] : engine()) & mask;
  }
  return values;
}
}  // namespace

std::vector<std::uint64_t> operands(int bits, std::uint64_t seed, std::size_t count) {
  const std::uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1, top = 1ull << (bits - 1);
  return special_and_random(
      {0, 1, 2, 3, 5, 31, 32, 33, 63, 64, 65, 255, mask, mask - 1, top, top - 1, top + 1, 0x55},
      mask, seed, count);
}

std::vector<std::uint64_t> float_operands(int bits, std::uint64_t seed, std::size_t count) {
  std::vector<std::uint64_t> special;
  const std::vector<double> numbers = {0.0,  1.0,   1.5,     2.0,       0.5,  3.0,  1e-3,
                                       10.0, 255.5, 65536.5, 8388608.5, 1e10, 1e30, 1.0 / 3.0};
  for (const double number : numbers)
    for (const double sign : {1.0, -1.0})
      special.push_back(bits == 64
                            ? std::bit_cast<std::uint64_t>(sign * number)
                            : std::bit_cast<std::uint32_t>(static_cast<float>(sign * number)));
  // Subnormals, the smallest and largest normal numbers, infinities, NaN, and numbers whose last
  // bit is set, so that results need rounding.
  if (bits == 64)
    special.insert(special.end(), {1, 0x000fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff,
                                   0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
                                   0x8000000000000001, 0x3ff0000000000001});
  else
    special.insert(special.end(), {1, 0x007fffff, 0x00800000, 0x7f7fffff, 0x7f800000, 0xff800000,
                                   0x7fc00000, 0x80000001, 0x3f800001, 0x4b000001});
  return special_and_random(special, bits == 64 ? ~0ull : 0xffffffffu, seed, count);
}

}  // namespace ptxemu::test
