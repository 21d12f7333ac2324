// Functions of the driver in device code (printf, malloc, assert), managed memory, asynchronous
// copies to shared memory, and synchronisation of a whole grid.

#include <cassert>
#include <cstdio>
#include <cstring>
#include <string>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <unistd.h>

#include "check.hpp"

namespace cg = cooperative_groups;

__global__ void print_values(int value) {
  if (threadIdx.x < 2)
    printf("%u: %-4d|%5.2f|%s|%llx|%c|%%|%*d\n", threadIdx.x, value, 1.5, "text", 0x123456789abull,
           'z', 3, 7);
}

__global__ void allocate(int** lists) {
  int* const list = static_cast<int*>(malloc(4 * sizeof(int)));
  for (int n = 0; n < 4; ++n) list[n] = static_cast<int>(threadIdx.x) + n;
  lists[threadIdx.x] = list;
}
__global__ void sum_and_free(int** lists, int* sums) {
  int sum = 0;
  for (int n = 0; n < 4; ++n) sum += lists[threadIdx.x][n];
  free(lists[threadIdx.x]);
  sums[threadIdx.x] = sum;
}

/// Every block reads the values that all blocks wrote before the synchronisation.
__global__ void sum_over_grid(int* values, int* sums) {
  const cg::grid_group grid = cg::this_grid();
  for (int round = 1; round <= 3; ++round) {
    if (threadIdx.x == 0) values[blockIdx.x] = round * static_cast<int>(blockIdx.x + 1);
    grid.sync();
    int sum = 0;
    for (unsigned n = 0; n < gridDim.x; ++n) sum += values[n];
    if (threadIdx.x == 0) sums[blockIdx.x] += sum;
    grid.sync();
  }
}

__global__ void reverse_by_copy(const int4* in, int4* out) {
  __shared__ int4 tile[64];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof tile);
  cg::wait(block);
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void fail(const int* zero) { assert(*zero == 1); }

/// The standard output of the process while f() runs.
template <class F>
std::string output_of(const F& f) {
  std::fflush(stdout);
  FILE* const file = std::tmpfile();
  const int saved = dup(1);
  dup2(fileno(file), 1);
  f();
  std::fflush(stdout);
  dup2(saved, 1);
  close(saved);
  std::rewind(file);
  std::string text(1000, '\0');
  text.resize(std::fread(&text[0], 1, text.size(), file));
  std::fclose(file);
  return text;
}

int main() {
  CHECK(output_of([] {
          print_values<<<1, 32>>>(-5);
          cudaDeviceSynchronize();
        }) == "0: -5  | 1.50|text|123456789ab|z|%|  7\n1: -5  | 1.50|text|123456789ab|z|%|  7\n");

  int *sums = nullptr, **lists = nullptr;
  cudaMallocManaged(&sums, 64 * sizeof(int));
  cudaMalloc(&lists, 64 * sizeof(int*));
  allocate<<<1, 64>>>(lists);
  sum_and_free<<<1, 64>>>(lists, sums);
  cudaDeviceSynchronize();
  for (int n = 0; n < 64; ++n) CHECK(sums[n] == 4 * n + 6);

  int* values = nullptr;
  cudaMalloc(&values, 8 * sizeof(int));
  std::memset(sums, 0, 64 * sizeof(int));
  void* arguments[] = {&values, &sums};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(sum_over_grid), dim3(8), dim3(64),
                                    arguments, 0, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  for (int n = 0; n < 8; ++n) CHECK(sums[n] == 6 * 36);
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(sum_over_grid), dim3(100000),
                                    dim3(64), arguments, 0,
                                    nullptr) == cudaErrorCooperativeLaunchTooLarge);
  cudaGetLastError();

  int4 *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, 64 * sizeof(int4));
  cudaMallocManaged(&out, 64 * sizeof(int4));
  for (int n = 0; n < 64; ++n) in[n] = make_int4(n, 2 * n, 3 * n, 4 * n);
  reverse_by_copy<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  for (int n = 0; n < 64; ++n) CHECK(out[n].w == 4 * (63 - n));
  CHECK(cudaFree(in) == cudaSuccess && cudaFree(in) == cudaErrorInvalidValue);
  cudaGetLastError();

  std::memset(sums, 0, sizeof(int));
  fail<<<1, 32>>>(sums);
  CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
  return check::exit_code();
}
