// Compares with the host: a reduction with shuffles, a transpose through shared memory, copies of
// rows with a pitch, a histogram with atomics, and loops with different numbers of iterations in
// each thread. Prints the number of mismatches so far after each.
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void sum(const int* in, int n, unsigned long long* out) {
  __shared__ int warp_sums[32];
  int v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    v += in[i];
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? warp_sums[threadIdx.x] : 0;
    v = __reduce_add_sync(0xffffffffu, v);
    if (threadIdx.x == 0) atomicAdd(out, static_cast<unsigned long long>(v));
  }
}

__global__ void transpose(const double* in, double* out, int n) {
  __shared__ double tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
  if (x < n && y < n) out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void histogram(const int* in, int n, unsigned* bins) {
  extern __shared__ unsigned local[];
  for (int i = threadIdx.x; i < 64; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[in[i] % 64], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}

__host__ __device__ int collatz(unsigned n) {
  int steps = 0;
  for (; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}
__global__ void collatz_steps(int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = collatz(i + 1);
}

template <class T>
T* upload(const std::vector<T>& values) {
  T* p = nullptr;
  cudaMalloc(&p, values.size() * sizeof(T));
  cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
template <class T>
std::vector<T> download(const T* p, std::size_t n) {
  std::vector<T> values(n);
  cudaMemcpy(values.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
  return values;
}

/// By thread: the largest value among the threads of the warp with the same key, their number, and
/// the value of the first of them. Threads of all keys execute the same instructions, each with the
/// mask of its key.
__global__ void by_key(const int* keys, const int* values, int* largest, int* number, int* first) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const unsigned same = __match_any_sync(~0u, keys[i]);
  largest[i] = static_cast<int>(__reduce_max_sync(same, static_cast<unsigned>(values[i])));
  number[i] = __popc(__ballot_sync(same, values[i] >= 0));
  first[i] = __shfl_sync(same, values[i], __ffs(static_cast<int>(same)) - 1);
}

int main() {
  const int n = 50000, m = 70;
  std::vector<int> in(n);
  unsigned long long expected = 0;
  std::vector<unsigned> bins(64, 0);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<int>((i * 2654435761u) >> 20);  // multiplicative hash (Knuth)
    expected += in[i];
    ++bins[in[i] % 64];
  }
  int* const device_in = upload(in);
  auto* const total = upload(std::vector<unsigned long long>(1));
  sum<<<7, 192>>>(device_in, n, total);
  int mismatches = download(total, 1)[0] != expected;
  std::printf("sum: %d mismatches\n", mismatches);

  std::vector<double> matrix(m * m);
  for (int i = 0; i < m * m; ++i) matrix[i] = 1.0 / (i + 3);
  double* const transposed = upload(std::vector<double>(m * m));
  transpose<<<dim3(5, 5), dim3(16, 16)>>>(upload(matrix), transposed, m);
  const auto result = download(transposed, m * m);
  for (int i = 0; i < m; ++i)
    for (int k = 0; k < m; ++k) mismatches += result[i * m + k] != matrix[k * m + i];
  std::printf("transpose: %d mismatches\n", mismatches);

  // The same matrix in rows with a pitch, and back.
  double* rows = nullptr;
  std::size_t pitch = 0;
  const std::size_t width = m * sizeof(double);
  cudaMallocPitch(&rows, &pitch, width, m);
  cudaMemcpy2D(rows, pitch, matrix.data(), width, width, m, cudaMemcpyDefault);
  std::vector<double> copy(m * m);
  cudaMemcpy2D(copy.data(), width, rows, pitch, width, m, cudaMemcpyDefault);
  mismatches += pitch < width || pitch % 512 != 0 || copy != matrix;
  std::printf("rows with a pitch: %d mismatches\n", mismatches);

  unsigned* const device_bins = upload(std::vector<unsigned>(64));
  histogram<<<5, 96, 64 * sizeof(unsigned)>>>(device_in, n, device_bins);
  mismatches += download(device_bins, 64) != bins;
  std::printf("histogram: %d mismatches\n", mismatches);

  const int threads = 256;
  std::vector<int> keys(threads), values(threads), by_warp[3];
  for (int i = 0; i < threads; ++i) keys[i] = i * i % 7 % 5, values[i] = i * 7919 % 1009;
  for (auto& v : by_warp) v.assign(threads, 0);
  for (int i = 0; i < threads; ++i) {
    by_warp[2][i] = -1;
    for (int k = i / 32 * 32; k < i / 32 * 32 + 32; ++k) {
      if (keys[k] != keys[i]) continue;
      by_warp[0][i] = std::max(by_warp[0][i], values[k]);
      ++by_warp[1][i];
      if (by_warp[2][i] < 0) by_warp[2][i] = values[k];
    }
  }
  int* results[3];
  for (int*& r : results) r = upload(std::vector<int>(threads));
  by_key<<<2, threads / 2>>>(upload(keys), upload(values), results[0], results[1], results[2]);
  for (int k = 0; k < 3; ++k) mismatches += download(results[k], threads) != by_warp[k];
  std::printf("by key: %d mismatches\n", mismatches);

  int* const steps = upload(std::vector<int>(3000));
  collatz_steps<<<24, 128>>>(3000, steps);
  const auto device_steps = download(steps, 3000);
  for (int i = 0; i < 3000; ++i) mismatches += device_steps[i] != collatz(i + 1);
  std::printf("collatz steps: %d mismatches, %s\n", mismatches,
              cudaGetErrorString(cudaGetLastError()));
  return mismatches == 0 ? 0 : 1;
}
