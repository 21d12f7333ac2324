// Checks that the device reports an error of a kernel. Usage: faults NAME, with the name of one of
// the errors below; "leak" makes no error, but leaves a stream, an event and memory to the end.
#include <cstdio>
#include <cstring>

__global__ void write_at(int* p, int i) { p[i] = 1; }
__global__ void read_at(const int* p, int* out) { *out = p[3]; }
__global__ void stop() { asm("trap;"); }
// Without barriers: threads of two warps, lanes of one warp, and blocks.
__global__ void race_of_warps(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = threadIdx.x;
  out[threadIdx.x % 25] = values[threadIdx.x ^ 32];
}
__global__ void race_of_lanes(int* out) {
  __shared__ int values[32];
  values[threadIdx.x] = threadIdx.x;
  out[threadIdx.x % 25] = values[threadIdx.x ^ 1];
}
__global__ void race_of_blocks(int* out) { *out = blockIdx.x; }
__global__ void read_shared(int* out) {
  __shared__ int values[32];
  if (threadIdx.x != 7) values[threadIdx.x] = 1;
  __syncthreads();
  out[0] = values[threadIdx.x ^ 1];
}
__global__ void read_local(int* out, int written, int read) {
  int values[16];
  values[written % 16] = 1, values[(written + 1) % 16] = 2;
  out[0] = 1 + values[read % 16];
}
__global__ void divergent_barrier(int* out) {
  if (threadIdx.x < 16) {
    asm volatile("bar.sync 0;" ::: "memory");
  } else {
    out[0] = 1;
    asm volatile("barrier.sync 0;" ::: "memory");
  }
}
__global__ void wait_for_nobody() { asm volatile("bar.sync 1, 64;" ::: "memory"); }

int leak() {
  void* p = nullptr;
  cudaStream_t stream;
  cudaEvent_t event;
  cudaMalloc(&p, 100), cudaMallocHost(&p, 200);
  cudaStreamCreate(&stream), cudaEventCreate(&event);
  return 0;
}

int main(int, char** arguments) {
  const char* const fault = arguments[1];
  if (std::strcmp(fault, "leak") == 0) return leak();
  int *p = nullptr, *out = nullptr;
  cudaMalloc(&p, 100), cudaMalloc(&out, 100);
  cudaError_t expected = cudaErrorIllegalAddress;
  if (std::strcmp(fault, "out_of_bounds") == 0) write_at<<<1, 1>>>(p, 25);
  if (std::strcmp(fault, "use_after_free") == 0) cudaFree(p), read_at<<<1, 1>>>(p, out);
  if (std::strcmp(fault, "host_pointer") == 0) read_at<<<1, 1>>>(new int[8], out);
  if (std::strcmp(fault, "misaligned") == 0) {
    expected = cudaErrorMisalignedAddress;
    write_at<<<1, 1>>>(reinterpret_cast<int*>(reinterpret_cast<char*>(p) + 2), 0);
  }
  if (std::strcmp(fault, "uninitialised") == 0) {
    expected = cudaErrorLaunchFailure;
    read_at<<<1, 1>>>(p, out);
  }
  if (std::strcmp(fault, "trap") == 0) {
    expected = cudaErrorLaunchFailure;
    stop<<<1, 1>>>();
  }
  const auto launches = [&](const char* name, cudaError_t code) {
    const bool chosen = std::strcmp(fault, name) == 0;
    if (chosen) expected = code;
    return chosen;
  };
  const cudaError_t failure = cudaErrorLaunchFailure;
  if (launches("race_of_warps", failure)) race_of_warps<<<1, 64>>>(out);
  if (launches("race_of_lanes", failure)) race_of_lanes<<<1, 32>>>(out);
  if (launches("race_of_blocks", failure)) race_of_blocks<<<2, 1>>>(out);
  if (launches("race_continued", cudaSuccess)) race_of_blocks<<<8, 1>>>(out);
  if (launches("uninitialised_shared", failure)) read_shared<<<1, 32>>>(out);
  if (launches("uninitialised_local", failure)) read_local<<<1, 1>>>(out, 3, 9);
  if (launches("divergent_barrier", failure)) divergent_barrier<<<1, 32>>>(out);
  if (launches("deadlock", cudaErrorLaunchTimeout)) wait_for_nobody<<<1, 32>>>();
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s: %s\n", fault, cudaGetErrorString(error));
  // The error is sticky, as on a real device.
  return error == expected && cudaMalloc(&p, 4) == expected ? 0 : 1;
}
