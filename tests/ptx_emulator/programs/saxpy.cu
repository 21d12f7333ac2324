// Computes y = a x + y, and checks that the host sees the result only after synchronisation.
#include <cstdio>
#include <vector>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 100000;
  float *x = nullptr, *y = nullptr, *out = nullptr;
  cudaMalloc(&x, n * sizeof(float)), cudaMalloc(&y, n * sizeof(float));
  cudaMallocHost(&out, n * sizeof(float));
  std::vector<float> hx(n), hy(n);
  for (int i = 0; i < n; ++i) hx[i] = 0.5f * i, hy[i] = 1.0f / (i + 1), out[i] = -1;
  cudaMemcpy(x, hx.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(y, hy.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  saxpy<<<(n + 255) / 256, 256, 0, stream>>>(n, 3.0f, x, y);
  cudaMemcpyAsync(out, y, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
  int mismatches = out[7] != -1;  // no synchronisation yet
  if (cudaStreamSynchronize(stream) != cudaSuccess) return 2;
  for (int i = 0; i < n; ++i) mismatches += out[i] != __builtin_fmaf(3.0f, hx[i], hy[i]);
  std::printf("%d of %d values differ\n", mismatches, n);
  return mismatches == 0 ? 0 : 1;
}
