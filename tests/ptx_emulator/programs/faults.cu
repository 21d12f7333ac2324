// Checks that the device reports an error of a kernel. Usage: faults NAME, with the name of one of
// the errors below.
#include <cstdio>
#include <cstring>

__global__ void write_at(int* p, int i) { p[i] = 1; }
__global__ void read_at(const int* p, int* out) { *out = p[3]; }
__global__ void stop() { asm("trap;"); }

int main(int, char** arguments) {
  const char* const fault = arguments[1];
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
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s: %s\n", fault, cudaGetErrorString(error));
  // The error is sticky, as on a real device.
  return error == expected && cudaMalloc(&p, 4) == expected ? 0 : 1;
}
