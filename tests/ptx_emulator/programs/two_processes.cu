// Two processes share device memory by IPC handles. The parent exports, and a child, which executes
// this program again, opens. Usage: two_processes DEVICE_OF_CHILD.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.hpp"

constexpr int n = 5000;

__global__ void fill(int* p, int count, int first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) p[i] = first + i;
}

struct Message {
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t event;
};

template <class T>
T receive(int file) {
  T value;
  if (read(file, &value, sizeof value) != sizeof value) std::exit(3);
  return value;
}
template <class T>
void send(int file, const T& value) {
  if (write(file, &value, sizeof value) != sizeof value) std::exit(3);
}

int* allocate(cudaIpcMemHandle_t& handle) {
  int* p = nullptr;
  CHECK(cudaMalloc(&p, n * sizeof(int)) == cudaSuccess);
  fill<<<n / 100, 100>>>(p, n, 7);
  CHECK(cudaIpcGetMemHandle(&handle, p) == cudaSuccess);
  return p;
}

int child(int device, int in, int out) {
  const Message message = receive<Message>(in);
  CHECK(cudaSetDevice(device) == cudaSuccess);
  int *theirs = nullptr, *again = nullptr;
  const unsigned flags = cudaIpcMemLazyEnablePeerAccess;
  CHECK(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&theirs), message.memory, flags) ==
        cudaSuccess);
  CHECK(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&again), message.memory, flags) ==
        cudaSuccess);
  CHECK(again == theirs);
  CHECK(cudaIpcCloseMemHandle(again) == cudaSuccess);
  cudaEvent_t event;
  CHECK(cudaIpcOpenEventHandle(&event, message.event) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(nullptr, event, 0) == cudaSuccess);
  int values[n];
  CHECK(cudaMemcpy(values, theirs, sizeof values, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int i = 0; i < n; ++i) check::failures += values[i] != 7 + i;
  CHECK(cudaFree(theirs) == cudaErrorInvalidValue);
  fill<<<1, 256>>>(theirs + 100, 200, -100);  // a kernel writes the other process's memory
  CHECK(cudaEventRecord(event) == cudaSuccess);
  CHECK(cudaEventQuery(event) == cudaSuccess);
  send(out, check::failures);

  receive<int>(in);  // the parent has freed the memory
  CHECK(cudaMemcpy(values, theirs, 4, cudaMemcpyDeviceToHost) == cudaErrorIllegalAddress);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  return check::exit_code();
}

int main(int count, char** arguments) {
  if (count == 4)
    return child(std::atoi(arguments[1]), std::atoi(arguments[2]), std::atoi(arguments[3]));
  int to_child[2], to_parent[2];
  if (pipe(to_child) != 0 || pipe(to_parent) != 0) return 3;
  const pid_t process = fork();
  if (process == 0) {
    const std::string in = std::to_string(to_child[0]), out = std::to_string(to_parent[1]);
    execl("/proc/self/exe", arguments[0], arguments[1], in.c_str(), out.c_str(), nullptr);
    return 3;
  }
  Message message;
  int* const p = allocate(message.memory);
  cudaEvent_t event;
  CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess);
  CHECK(cudaIpcGetEventHandle(&message.event, event) == cudaErrorInvalidValue);
  cudaEventDestroy(event);
  CHECK(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming) ==
        cudaSuccess);
  CHECK(cudaEventRecord(event) == cudaSuccess);
  CHECK(cudaIpcGetEventHandle(&message.event, event) == cudaSuccess);

  // What CUDA does not share.
  cudaIpcMemHandle_t other;
  int* pooled = nullptr;
  CHECK(cudaMallocAsync(&pooled, 8192, nullptr) == cudaSuccess);
  CHECK(cudaIpcGetMemHandle(&other, pooled) == cudaErrorInvalidValue);
  CHECK(cudaIpcGetMemHandle(&other, p + 1) == cudaErrorInvalidValue);
  void* opened = nullptr;
  CHECK(cudaIpcOpenMemHandle(&opened, message.memory, cudaIpcMemLazyEnablePeerAccess) ==
        cudaErrorDeviceUninitialized);
  CHECK(cudaIpcCloseMemHandle(p) == cudaErrorInvalidValue);

  send(to_child[1], message);
  check::failures += receive<int>(to_parent[0]);
  int values[n];
  CHECK(cudaMemcpy(values, p, sizeof values, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int i = 0; i < n; ++i)
    check::failures += values[i] != (i >= 100 && i < 300 ? i - 200 : 7 + i);
  CHECK(cudaFree(p) == cudaSuccess);
  send(to_child[1], 0);
  int status = 0;
  waitpid(process, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  std::printf("%d failures\n", check::failures);
  return check::exit_code();
}
