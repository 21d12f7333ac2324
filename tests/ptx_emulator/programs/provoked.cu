// Checks failures that the environment provokes. Usage: provoked NAME, with the name of one of the
// failures below.
#include <cstdio>
#include <cstring>

#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.hpp"

__global__ void sound(int* p) { *p = 1; }
__global__ void broken(int* p) { *p = 2; }

/// PTXEMU_FAIL_ALLOCATION=2
void allocation() {
  void* p = nullptr;
  CHECK(cudaMalloc(&p, 100) == cudaSuccess);
  CHECK(cudaMallocAsync(&p, 100, nullptr) == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaMalloc(&p, 100) == cudaSuccess);
}

/// PTXEMU_FAIL_COPY=2
void copy() {
  int *p = nullptr, value = 5;
  CHECK(cudaMalloc(&p, sizeof value) == cudaSuccess);
  CHECK(cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpyAsync(p, &value, sizeof value, cudaMemcpyHostToDevice, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorECCUncorrectable);
  CHECK(cudaFree(p) == cudaErrorECCUncorrectable);
}

/// PTXEMU_FAIL_KERNEL=broken:2
void kernel() {
  int *p = nullptr, value = 0;
  CHECK(cudaMalloc(&p, sizeof value) == cudaSuccess);
  broken<<<1, 1>>>(p);
  sound<<<1, 1>>>(p);
  CHECK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess && value == 1);
  broken<<<1, 1>>>(p);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  sound<<<1, 1>>>(p);
  CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
  CHECK(cudaSetDevice(0) == cudaErrorLaunchFailure);
}

/// PTXEMU_DEVICES=2, PTXEMU_FAIL_DEVICE=0: the current device at the start cannot be used.
void device() {
  void* p = nullptr;
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(cudaMalloc(&p, 100) == cudaErrorDevicesUnavailable);
  CHECK(cudaSetDevice(0) == cudaErrorDevicesUnavailable);
  CHECK(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaMalloc(&p, 100) == cudaSuccess);
}

/// PTXEMU_NODE=FILE, PTXEMU_MEMORY=10000000: two processes share the memory of the device.
void node() {
  int to_child[2], to_parent[2];
  char signal = 0;
  if (pipe(to_child) != 0 || pipe(to_parent) != 0) return;
  const pid_t child = fork();
  void* p = nullptr;
  if (child == 0) {
    const bool ok = cudaMalloc(&p, 6000000) == cudaSuccess;
    if (write(to_parent[1], &signal, 1) != 1 || read(to_child[0], &signal, 1) != 1) _exit(2);
    _exit(ok ? 0 : 1);  // without cudaFree
  }
  if (read(to_parent[0], &signal, 1) != 1) return;
  CHECK(cudaMalloc(&p, 6000000) == cudaErrorMemoryAllocation);
  CHECK(cudaMalloc(&p, 3000000) == cudaSuccess);
  std::size_t free = 0, total = 0;
  CHECK(cudaMemGetInfo(&free, &total) == cudaSuccess);
  CHECK(total == 10000000);
  CHECK(free < 1000000);
  if (write(to_child[1], &signal, 1) != 1) return;
  int status = 1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(cudaMalloc(&p, 6000000) == cudaSuccess);
}

int main(int, char** arguments) {
  const char* const name = arguments[1];
  if (std::strcmp(name, "allocation") == 0) allocation();
  if (std::strcmp(name, "copy") == 0) copy();
  if (std::strcmp(name, "kernel") == 0) kernel();
  if (std::strcmp(name, "device") == 0) device();
  if (std::strcmp(name, "node") == 0) node();
  std::printf("%d failures\n", check::failures);
  return check::exit_code();
}
