// Two devices of one process: the current device of a host thread, copies between devices, and
// peer access.
#include <cstdio>
#include <thread>

#include <cuda_runtime.h>

#include "check.hpp"

__global__ void add_one(int* p) { ++*p; }

int main() {
  int count = 0, can = 0, device = -1, value = 41, *on_0 = nullptr, *on_1 = nullptr;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess && count == 2);
  CHECK(cudaMalloc(&on_0, sizeof value) == cudaSuccess);
  CHECK(cudaMemcpy(on_0, &value, sizeof value, cudaMemcpyHostToDevice) == cudaSuccess);
  std::thread([&] {  // each host thread begins with device 0
    CHECK(cudaSetDevice(1) == cudaSuccess);
    CHECK(cudaMalloc(&on_1, sizeof value) == cudaSuccess);
  })
      .join();
  CHECK(cudaGetDevice(&device) == cudaSuccess && device == 0);
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, on_1) == cudaSuccess && attributes.device == 1);
  CHECK(cudaMemcpyPeer(on_1, 1, on_0, 0, sizeof value) == cudaSuccess);

  CHECK(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaDeviceCanAccessPeer(&can, 1, 0) == cudaSuccess && can == 1);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaSuccess);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessAlreadyEnabled);
  add_one<<<1, 1>>>(on_1);
  add_one<<<1, 1>>>(on_0);
  add_one<<<1, 1>>>(on_0);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaMemcpy(&value, on_1, sizeof value, cudaMemcpyDefault) == cudaSuccess && value == 42);
  CHECK(cudaMemcpy(&value, on_0, sizeof value, cudaMemcpyDefault) == cudaSuccess && value == 43);
  CHECK(cudaDeviceDisablePeerAccess(0) == cudaSuccess);
  CHECK(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
  add_one<<<1, 1>>>(on_0);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaSetDevice(0) == cudaSuccess);  // the other device is not affected
  CHECK(cudaFree(on_0) == cudaSuccess);
  std::printf("%d failures\n", check::failures);
  return check::exit_code();
}
