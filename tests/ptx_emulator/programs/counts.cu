// Kernels with known counts, which check_report.py compares with the report: registers and stack
// with those that ptxas prints, launches, copies, fills and synchronisations with those below.
#include <cstdio>
#include <vector>

__global__ void scale(float* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = 2 * p[i];
}
/// Elements of `a` are selected by values in memory, so that `a` is in local memory.
__global__ void stack(const int* in, int* out, int n) {
  int a[32];
  for (int i = 0; i < 32; ++i) a[i] = in[i];
  for (int i = 0; i < n; ++i) a[in[i] % 32] += i;
  out[threadIdx.x] = a[in[threadIdx.x] % 32];
}
__global__ void histogram(const int* in, int* bins) { atomicAdd(&bins[in[threadIdx.x] % 4], 1); }

__global__ void in_graph(float* p) { p[threadIdx.x] += 1; }

/// Launches a graph of a fill and a kernel three times, and waits for the first one.
void launch_graph(float* p) {
  cudaStream_t stream;
  cudaEvent_t first;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(p, 0, 128, stream);
  in_graph<<<1, 32, 0, stream>>>(p);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaEventCreate(&first);
  for (int n = 0; n < 3; ++n) {
    cudaGraphLaunch(executable, stream);
    if (n == 0) cudaEventRecord(first, stream);
  }
  cudaEventSynchronize(first);
  cudaEventDestroy(first);
  cudaGraphExecDestroy(executable), cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

int main() {
  const int n = 1024;
  float* p = nullptr;
  int *in = nullptr, *out = nullptr, *pinned = nullptr;
  cudaMalloc(&p, n * sizeof(float)), cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int)), cudaMallocHost(&pinned, n * sizeof(int));
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = pinned[i] = i;
  cudaMemset(p, 0, n * sizeof(float)), cudaMemset(out, 0, n * sizeof(int));
  cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpyAsync(in, pinned, n * sizeof(int), cudaMemcpyHostToDevice);
  scale<<<8, 128>>>(p, n);
  scale<<<4, 256>>>(p, n);
  stack<<<1, 64>>>(in, out, 8);
  cudaStreamSynchronize(nullptr);
  histogram<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  cudaDeviceSynchronize();
  launch_graph(p);
  int first = 0;
  cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
  cudaFree(p), cudaFree(in), cudaFree(out), cudaFreeHost(pinned);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
