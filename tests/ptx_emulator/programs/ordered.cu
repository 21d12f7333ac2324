// Kernels whose threads exchange data through shared and global memory with every kind of order:
// the check for races must accept them. Compares with the host, and frees all that it has created.
#include <cstdio>
#include <vector>

constexpr int threads = 128;

// A sum over all blocks: barriers in the tree of each block, and the last block that arrives at a
// counter adds the sums of the others.
__global__ void sum(const int* in, int n, int* block_sums, unsigned* arrived, int* out) {
  __shared__ int tree[threads];
  __shared__ bool last;
  const int i = blockIdx.x * threads + threadIdx.x;
  tree[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = threads / 2; half >= 32; half /= 2) {
    if (threadIdx.x < half) tree[threadIdx.x] += tree[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x < 32)
    for (int half = 16; half > 0; half /= 2) {
      const int other = tree[threadIdx.x + half];
      __syncwarp();
      if (threadIdx.x < half) tree[threadIdx.x] += other;
      __syncwarp();
    }
  if (threadIdx.x == 0) {
    block_sums[blockIdx.x] = tree[0];
    __threadfence();
    last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  __threadfence();
  int total = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) total += block_sums[block];
  *out = total;
}

// Inclusive scan with look-back: the flag of each block says whether its prefix has been written.
__global__ void scan(const int* in, int n, int* prefixes, int* flags, int* out) {
  __shared__ int values[threads];
  __shared__ int before;
  const int t = threadIdx.x, i = blockIdx.x * threads + t;
  values[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < threads; distance *= 2) {
    const int other = t >= distance ? values[t - distance] : 0;
    __syncthreads();
    values[t] += other;
    __syncthreads();
  }
  if (t == threads - 1) {
    int prefix = 0;
    if (blockIdx.x > 0) {
      while (*const_cast<volatile int*>(&flags[blockIdx.x - 1]) == 0) {
      }
      __threadfence();
      prefix = prefixes[blockIdx.x - 1];
    }
    before = prefix;
    prefixes[blockIdx.x] = prefix + values[t];
    __threadfence();
    *const_cast<volatile int*>(&flags[blockIdx.x]) = 1;
  }
  __syncthreads();
  if (i < n) out[i] = before + values[t];
}

// The first half of the block produces for the second one, with two named barriers.
__global__ void pipeline(int rounds, int* out) {
  __shared__ int item[threads / 2];
  const int t = threadIdx.x % (threads / 2);
  const bool producer = threadIdx.x < threads / 2;
  int received = 0;
  for (int round = 0; round < rounds; ++round) {
    if (producer) {
      if (round > 0) asm volatile("bar.sync 2, 128;" ::: "memory");  // the item has been read
      item[t] = round * (t + 1);
      asm volatile("bar.arrive 1, 128;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 128;" ::: "memory");  // the item has been written
      received += item[threads / 2 - 1 - t];
      if (round + 1 < rounds) asm volatile("bar.arrive 2, 128;" ::: "memory");
    }
  }
  if (!producer) out[t] = received;
}

template <class T>
T* zeros(std::size_t n) {
  T* p = nullptr;
  cudaMalloc(&p, n * sizeof(T));
  cudaMemset(p, 0, n * sizeof(T));
  return p;
}

int main() {
  const int n = 3000, blocks = (n + threads - 1) / threads;
  std::vector<int> values(n), sums(n), result(n);
  for (int i = 0; i < n; ++i) {
    values[i] = i * 7919 % 1000 - 400;
    sums[i] = values[i] + (i > 0 ? sums[i - 1] : 0);
  }
  int* const in = zeros<int>(n);
  cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  int *const of_blocks = zeros<int>(blocks), *const flags = zeros<int>(blocks);
  int* const out = zeros<int>(n);
  auto* const arrived = zeros<unsigned>(1);
  sum<<<blocks, threads>>>(in, n, of_blocks, arrived, out);
  cudaMemcpy(result.data(), out, sizeof(int), cudaMemcpyDeviceToHost);
  int mismatches = result[0] != sums[n - 1];
  scan<<<blocks, threads>>>(in, n, of_blocks, flags, out);
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) mismatches += result[i] != sums[i];
  pipeline<<<1, threads>>>(10, out);
  cudaMemcpy(result.data(), out, threads / 2 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int t = 0; t < threads / 2; ++t) mismatches += result[t] != 45 * (threads / 2 - t);
  for (void* p : {(void*)in, (void*)of_blocks, (void*)flags, (void*)out, (void*)arrived})
    cudaFree(p);
  std::printf("%d mismatches, %s\n", mismatches, cudaGetErrorString(cudaGetLastError()));
  return mismatches == 0 ? 0 : 1;
}
