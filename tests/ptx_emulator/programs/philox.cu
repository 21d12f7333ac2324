// Compares cuRAND's Philox4x32-10 on the device with published vectors (Random123, kat_vectors).
#include <cstdio>

#include <curand_kernel.h>

__global__ void draw(unsigned long long seed, unsigned long long subsequence,
                     unsigned long long offset, uint4* out) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, subsequence, offset, &state);
  *out = curand4(&state);
}
__global__ void rounds(uint4 counter, uint2 key, uint4* out) {
  *out = curand_Philox4x32_10(counter, key);
}

int main() {
  uint4 *device = nullptr, result;
  cudaMalloc(&device, sizeof result);
  int mismatches = 0;
  const auto check = [&](unsigned x, unsigned y, unsigned z, unsigned w) {
    if (cudaMemcpy(&result, device, sizeof result, cudaMemcpyDeviceToHost) != cudaSuccess)
      ++mismatches;
    std::printf("%08x %08x %08x %08x\n", result.x, result.y, result.z, result.w);
    mismatches += result.x != x || result.y != y || result.z != z || result.w != w;
  };
  draw<<<1, 1>>>(0, 0, 0, device);
  check(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8);
  const unsigned ones = 0xffffffffu;
  rounds<<<1, 1>>>(make_uint4(ones, ones, ones, ones), make_uint2(ones, ones), device);
  check(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd);
  rounds<<<1, 1>>>(make_uint4(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344),
                   make_uint2(0xa4093822, 0x299f31d0), device);
  check(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1);
  return mismatches == 0 ? 0 : 1;
}
