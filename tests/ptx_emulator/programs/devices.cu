// Checks what a program sees of the devices: devices NAME=VALUE … [-- EXPECTED …] sets environment
// variables, executes itself with them, and compares lines "name, bytes of memory, UUID" of the
// devices with the expected ones.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cuda_runtime.h>
#include <unistd.h>

std::vector<std::string> visible() {
  std::vector<std::string> lines;
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return lines;
  for (int n = 0; n < count; ++n) {
    cudaDeviceProp p;
    if (const cudaError_t error = cudaGetDeviceProperties(&p, n); error != cudaSuccess) {
      lines.push_back(cudaGetErrorName(error));
      continue;
    }
    std::string uuid;
    for (int b = 0; b < 16; ++b) {
      char digits[3];
      std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(p.uuid.bytes[b]));
      uuid += digits;
    }
    lines.push_back(p.name + (", " + std::to_string(p.totalGlobalMem)) + ", " + uuid);
    if (const cudaError_t error = cudaSetDevice(n); error != cudaSuccess)
      lines.back() += std::string(", ") + cudaGetErrorName(error);
  }
  return lines;
}

int main(int count, char** arguments) {
  int n = 1;
  bool has_settings = false;
  for (; n < count && std::strcmp(arguments[n], "--") != 0; ++n) {
    char* const equals = std::strchr(arguments[n], '=');
    *equals = '\0';
    setenv(arguments[n], equals + 1, 1);
    has_settings = true;
  }
  if (has_settings) {
    arguments[n - 1] = arguments[0];
    execv("/proc/self/exe", arguments + n - 1);
    return 2;
  }
  const std::vector<std::string> expected(arguments + n + 1, arguments + count);
  const auto lines = visible();
  for (const std::string& line : lines) std::printf("%s\n", line.c_str());
  return lines == expected ? 0 : 1;
}
