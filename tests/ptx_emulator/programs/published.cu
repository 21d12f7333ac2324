// Kernels whose speed on H100 or H200 is published. validation/performance/gpu_model.py compares
// the figures with those that scripts/gpu_model computes from the counts.
// Usage: published init|read|scale|triad ELEMENTS THREADS BLOCKS_PER_MULTIPROCESSOR LAUNCHES
//        published fma COUNT BLOCKS ITERATIONS
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

/// STREAM and parts of it, one element a thread.
__global__ void init(double* a, const double*, const double*, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.25;
}
__global__ void read(double* a, const double* b, const double*, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double value = b[i];
  if (value == 123) a[i] = value;
}
__global__ void scale(double* a, const double* b, const double*, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 1.25 * b[i];
}
__global__ void triad(double* a, const double* b, const double* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 1.25 * b[i] + c[i];
}

/// `count` multiplications with addition for each pair of elements.
template <int count>
__global__ void fma(const float* a, const float* b, float* out, int iterations) {
  const float* pa = a + threadIdx.x + blockIdx.x * blockDim.x * iterations;
  const float* pb = b + threadIdx.x + blockIdx.x * blockDim.x * iterations;
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < iterations; i += 2) {
    const float a1 = pa[i * blockDim.x], b1 = pb[i * blockDim.x];
    const float a2 = pa[(i + 1) * blockDim.x], b2 = pb[(i + 1) * blockDim.x];
    float v = a1 - b1, w = a2 - b2;
#pragma unroll
    for (int k = 0; k < count; ++k) v = v * a1 - b1, w = w * a2 - b2;
    sum += v + w;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

namespace {
using Stream = void (*)(double*, const double*, const double*, int);

int run_stream(const char* name, int n, int threads, int resident, int launches) {
  Stream kernel = std::strcmp(name, "init") == 0    ? init
                  : std::strcmp(name, "read") == 0  ? read
                  : std::strcmp(name, "scale") == 0 ? scale
                                                    : triad;
  double* arrays[3];
  for (double*& array : arrays) {
    cudaMalloc(&array, n * sizeof(double));
    cudaMemset(array, 0, n * sizeof(double));
  }
  // Shared memory limits the number of resident blocks.
  const int shared = resident == 0 ? 0 : (227 << 10) / resident - (1 << 10);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  for (int launch = 0; launch < launches; ++launch) {
    kernel<<<(n + threads - 1) / threads, threads, shared>>>(arrays[0], arrays[1], arrays[2], n);
    std::swap(arrays[0], arrays[1]);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

template <int count>
int run_fma(int blocks, int iterations) {
  float *a = nullptr, *b = nullptr, *out = nullptr;
  const std::size_t bytes = std::size_t{256} * blocks * iterations * sizeof(float);
  cudaMalloc(&a, bytes), cudaMalloc(&b, bytes), cudaMalloc(&out, blocks * sizeof(float));
  cudaMemset(a, 0, bytes), cudaMemset(b, 0, bytes);
  fma<count><<<blocks, 256>>>(a, b, out, iterations);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
}  // namespace

int main(int count, char** arguments) {
  const auto number = [&](int n) { return n < count ? std::atoi(arguments[n]) : 0; };
  if (count == 6) return run_stream(arguments[1], number(2), number(3), number(4), number(5));
  if (count == 5 && number(2) == 0) return run_fma<0>(number(3), number(4));
  if (count == 5 && number(2) == 24) return run_fma<24>(number(3), number(4));
  if (count == 5 && number(2) == 96) return run_fma<96>(number(3), number(4));
  if (count == 5 && number(2) == 408) return run_fma<408>(number(3), number(4));
  // As a test without arguments: every kernel once.
  return run_stream("triad", 1000, 128, 2, 1) + run_stream("init", 1000, 128, 0, 1) +
         run_stream("read", 1000, 128, 2, 1) + run_stream("scale", 1000, 32, 0, 2) +
         run_fma<24>(2, 4);
}
