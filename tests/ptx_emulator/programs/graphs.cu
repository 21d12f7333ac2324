// Graphs: captured from streams and built from nodes, launched, updated; what cannot be captured;
// and host functions of streams and graphs for which the program waits.
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <vector>

#include "check.hpp"

constexpr int n = 1000;

__global__ void add(int* values, int number) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += number;
}
__global__ void multiply(int* values, const int* factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= *factor;
}
__global__ void sum_pair(const int* a, const int* b, int* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

constexpr int threads = 128, blocks = (n + threads - 1) / threads;

struct Buffers {
  int *a, *b, *sum, *host;
  cudaStream_t stream, other;
  cudaEvent_t forked, joined;
  Buffers() {
    for (int** p : {&a, &b, &sum}) cudaMalloc(p, n * sizeof(int));
    cudaMallocHost(&host, n * sizeof(int));
    cudaStreamCreate(&stream);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreate(&forked);
    cudaEventCreate(&joined);
  }
  ~Buffers() {
    for (int* p : {a, b, sum}) cudaFree(p);
    cudaFreeHost(host);
    cudaStreamDestroy(stream);
    cudaStreamDestroy(other);
    cudaEventDestroy(forked);
    cudaEventDestroy(joined);
  }
  bool host_is(int value) const {
    for (int i = 0; i < n; ++i)
      if (host[i] != value) return false;
    return true;
  }
  void fill_host(int value) {
    for (int i = 0; i < n; ++i) host[i] = value;
  }
};

// a = (bytes of `fill`) + number, b = 3 in another stream; host = a + b
cudaGraph_t capture(Buffers& m, int number, int fill = 0) {
  cudaGraph_t graph = nullptr;
  CHECK_SUCCESS(cudaStreamBeginCapture(m.stream, cudaStreamCaptureModeGlobal));
  cudaMemsetAsync(m.a, fill, n * sizeof(int), m.stream);
  cudaEventRecord(m.forked, m.stream);
  cudaStreamWaitEvent(m.other, m.forked, 0);
  cudaMemsetAsync(m.b, 0, n * sizeof(int), m.other);
  add<<<blocks, threads, 0, m.other>>>(m.b, 3);
  add<<<blocks, threads, 0, m.stream>>>(m.a, number);
  cudaEventRecord(m.joined, m.other);
  cudaStreamWaitEvent(m.stream, m.joined, 0);
  sum_pair<<<blocks, threads, 0, m.stream>>>(m.a, m.b, m.sum);
  cudaMemcpyAsync(m.host, m.sum, n * sizeof(int), cudaMemcpyDeviceToHost, m.stream);
  cudaStreamCaptureStatus status;
  unsigned long long number_of_capture = 0;
  cudaGraph_t captured = nullptr;
  const cudaGraphNode_t* dependencies = nullptr;
  std::size_t count = 0;
  CHECK_SUCCESS(cudaStreamGetCaptureInfo(m.stream, &status, &number_of_capture, &captured,
                                         &dependencies, nullptr, &count));
  CHECK(status == cudaStreamCaptureStatusActive && number_of_capture != 0 && count == 1);
  cudaGraphNodeType type;
  CHECK_SUCCESS(cudaGraphNodeGetType(dependencies[0], &type));
  CHECK(type == cudaGraphNodeTypeMemcpy);
  CHECK_SUCCESS(cudaStreamIsCapturing(m.other, &status));
  CHECK(status == cudaStreamCaptureStatusActive);
  CHECK_SUCCESS(cudaStreamEndCapture(m.stream, &graph));
  CHECK(graph == captured);
  CHECK_SUCCESS(cudaStreamIsCapturing(m.other, &status));
  CHECK(status == cudaStreamCaptureStatusNone);
  return graph;
}

void captured(Buffers& m) {
  m.fill_host(-1);
  cudaGraph_t graph = capture(m, 4);
  cudaStreamSynchronize(m.stream);
  CHECK(m.host_is(-1));  // captured work is not executed
  std::size_t nodes = 0, roots = 0, edges = 0;
  CHECK_SUCCESS(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK_SUCCESS(cudaGraphGetRootNodes(graph, nullptr, &roots));
  CHECK_SUCCESS(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  CHECK(nodes == 6 && roots == 1 && edges == 6);
  cudaGraphExec_t executable = nullptr;
  CHECK_SUCCESS(cudaGraphInstantiate(&executable, graph, 0));
  for (int launch = 0; launch < 3; ++launch) {
    m.fill_host(launch);
    CHECK_SUCCESS(cudaGraphLaunch(executable, m.stream));
    CHECK(m.host_is(launch));  // executed in the order of the stream, after synchronisation
    CHECK_SUCCESS(cudaStreamSynchronize(m.stream));
    CHECK(m.host_is(7));
  }
  // What was launched before a change is executed unchanged.
  CHECK_SUCCESS(cudaGraphLaunch(executable, m.stream));
  cudaGraph_t changed = capture(m, 10);
  cudaGraphExecUpdateResultInfo result;
  CHECK_SUCCESS(cudaGraphExecUpdate(executable, changed, &result));
  CHECK_SUCCESS(cudaStreamSynchronize(m.stream));
  CHECK(m.host_is(7));
  CHECK_SUCCESS(cudaGraphLaunch(executable, m.other));
  CHECK_SUCCESS(cudaGraphLaunch(executable, m.stream));
  CHECK_SUCCESS(cudaGraphExecDestroy(executable));
  CHECK_SUCCESS(cudaGraphDestroy(graph));
  CHECK_SUCCESS(cudaGraphDestroy(changed));
  CHECK_SUCCESS(cudaStreamSynchronize(m.stream));
  CHECK(m.host_is(13));
  cudaStreamSynchronize(m.other);
}

void updates_that_fail(Buffers& m) {
  cudaGraph_t graph = capture(m, 1), other = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphExecUpdateResultInfo result;
  const auto update = [&] {
    CHECK_ERROR(cudaGraphExecUpdate(executable, other, &result), cudaErrorGraphExecUpdateFailure);
    cudaGraphDestroy(other);
    return result.result;
  };
  cudaStreamBeginCapture(m.stream, cudaStreamCaptureModeRelaxed);
  add<<<blocks, threads, 0, m.stream>>>(m.a, 1);
  cudaStreamEndCapture(m.stream, &other);
  CHECK(update() == cudaGraphExecUpdateErrorTopologyChanged);
  other = capture(m, 1);
  cudaGraphNode_t nodes[6], edges_from[6], edges_to[6];
  std::size_t count = 6;
  cudaGraphGetNodes(other, nodes, &count);
  cudaGraphGetEdges(other, edges_from, edges_to, nullptr, &count);
  CHECK_SUCCESS(cudaGraphRemoveDependencies(other, edges_from, edges_to, nullptr, 1));
  CHECK(update() == cudaGraphExecUpdateErrorTopologyChanged && result.errorNode != nullptr);
  other = nullptr;
  cudaGraphCreate(&other, 0);
  for (int k = 0; k < 6; ++k) cudaGraphAddEmptyNode(&nodes[k], other, nullptr, 0);
  CHECK(update() == cudaGraphExecUpdateErrorNodeTypeChanged && result.errorNode == nodes[0]);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
}

void count_call(void* calls) { ++*static_cast<int*>(calls); }

// a = 5, a += 2, a *= 3 (the factor is copied from pageable memory), host = a, a function is called
void built(Buffers& m) {
  int calls = 0, factor = 3, number = 2;
  cudaGraph_t graph = nullptr;
  CHECK_SUCCESS(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t fill, copy_in, first, second, copy_out, call;
  const cudaMemsetParams five = {m.a, 0, 5, sizeof(int), n, 1};
  CHECK_SUCCESS(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &five));
  CHECK_SUCCESS(cudaGraphAddMemcpyNode1D(&copy_in, graph, nullptr, 0, m.b, &factor, sizeof factor,
                                         cudaMemcpyHostToDevice));
  void* add_arguments[] = {&m.a, &number};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.gridDim = dim3(blocks);
  kernel.blockDim = dim3(threads);
  kernel.kernelParams = add_arguments;
  CHECK_SUCCESS(cudaGraphAddKernelNode(&first, graph, &fill, 1, &kernel));
  void* multiply_arguments[] = {&m.a, &m.b};
  kernel.func = reinterpret_cast<void*>(multiply);
  kernel.kernelParams = multiply_arguments;
  const cudaGraphNode_t both[] = {first, copy_in};
  CHECK_SUCCESS(cudaGraphAddKernelNode(&second, graph, both, 2, &kernel));
  cudaMemcpy3DParms out = {};
  out.srcPtr = make_cudaPitchedPtr(m.a, n * sizeof(int), n, 1);
  out.dstPtr = make_cudaPitchedPtr(m.host, n * sizeof(int), n, 1);
  out.extent = make_cudaExtent(n * sizeof(int), 1, 1);
  out.kind = cudaMemcpyDeviceToHost;
  CHECK_SUCCESS(cudaGraphAddMemcpyNode(&copy_out, graph, &second, 1, &out));
  const cudaHostNodeParams function = {count_call, &calls};
  CHECK_SUCCESS(cudaGraphAddHostNode(&call, graph, &copy_out, 1, &function));

  cudaGraphExec_t executable = nullptr;
  CHECK_SUCCESS(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  const auto result = [&](cudaGraphExec_t of, int value) {
    CHECK_SUCCESS(cudaGraphLaunch(of, m.stream));
    CHECK_SUCCESS(cudaStreamSynchronize(m.stream));
    return m.host_is(value);
  };
  CHECK(result(executable, 21) && calls == 1);
  factor = 4;  // pageable memory is read when the graph is executed
  CHECK(result(executable, 28) && calls == 2);
  number = 6;  // parameters of kernels were copied
  CHECK(result(executable, 28));
  kernel.func = reinterpret_cast<void*>(add);
  kernel.kernelParams = add_arguments;
  CHECK_SUCCESS(cudaGraphExecKernelNodeSetParams(executable, first, &kernel));
  CHECK(result(executable, 44));
  CHECK_SUCCESS(cudaGraphNodeSetEnabled(executable, first, 0));
  CHECK(result(executable, 20));

  // A clone is independent of the graph.
  cudaGraph_t clone = nullptr;
  cudaGraphNode_t in_clone = nullptr;
  CHECK_SUCCESS(cudaGraphClone(&clone, graph));
  CHECK_SUCCESS(cudaGraphNodeFindInClone(&in_clone, first, clone));
  cudaKernelNodeParams of_node = {};
  CHECK_SUCCESS(cudaGraphKernelNodeGetParams(first, &of_node));
  CHECK(*static_cast<int*>(of_node.kernelParams[1]) == 2);
  CHECK_SUCCESS(cudaGraphKernelNodeSetParams(first, &kernel));
  CHECK_SUCCESS(cudaGraphKernelNodeGetParams(in_clone, &of_node));
  CHECK(*static_cast<int*>(of_node.kernelParams[1]) == 2);

  // The graph as a node of another one, after which 1 is added.
  cudaGraph_t outer = nullptr;
  cudaGraphNode_t child, last;
  cudaGraphExec_t outer_executable = nullptr;
  CHECK_SUCCESS(cudaGraphCreate(&outer, 0));
  CHECK_SUCCESS(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, clone));
  number = 1;
  CHECK_SUCCESS(cudaGraphAddKernelNode(&last, outer, &child, 1, &kernel));
  CHECK_SUCCESS(cudaGraphInstantiate(&outer_executable, outer, 0));
  CHECK(result(outer_executable, 28));
  cudaMemcpy(m.host, m.a, n * sizeof(int), cudaMemcpyDeviceToHost);
  CHECK(m.host_is(29));

  // A cycle cannot be instantiated.
  cudaGraphNode_t later_in_clone = nullptr;
  CHECK_SUCCESS(cudaGraphNodeFindInClone(&later_in_clone, second, clone));
  CHECK_SUCCESS(cudaGraphAddDependencies(clone, &later_in_clone, &in_clone, nullptr, 1));
  cudaGraphExec_t of_cycle = nullptr;
  CHECK_ERROR(cudaGraphInstantiate(&of_cycle, clone, 0), cudaErrorInvalidValue);
  for (cudaGraphExec_t each : {executable, outer_executable})
    CHECK_SUCCESS(cudaGraphExecDestroy(each));
  for (cudaGraph_t each : {graph, clone, outer}) CHECK_SUCCESS(cudaGraphDestroy(each));
  CHECK_ERROR(cudaGraphDestroy(graph), cudaErrorInvalidValue);
}

// What f() does during a capture, and whether that invalidates it.
template <class F>
cudaError_t captured_call(Buffers& m, const F& f, bool invalidates = true,
                          cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  cudaStreamBeginCapture(m.stream, mode);
  add<<<blocks, threads, 0, m.stream>>>(m.a, 1);
  const cudaError_t error = f();
  cudaStreamCaptureStatus status;
  CHECK_SUCCESS(cudaStreamIsCapturing(m.stream, &status));
  CHECK(status ==
        (invalidates ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive));
  if (invalidates)
    CHECK_ERROR(cudaMemsetAsync(m.a, 0, 4, m.stream), cudaErrorStreamCaptureInvalidated);
  cudaGraph_t graph = nullptr;
  const cudaError_t end = cudaStreamEndCapture(m.stream, &graph);
  CHECK(invalidates ? end == cudaErrorStreamCaptureInvalidated && graph == nullptr
                    : end == cudaSuccess && graph != nullptr);
  if (graph != nullptr) cudaGraphDestroy(graph);
  cudaGetLastError();
  return error;
}

void not_captured(Buffers& m) {
  int value = 0, *more = nullptr;
  cudaStreamCaptureStatus status;
  cudaGraph_t graph = nullptr;
  CHECK_ERROR(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
              cudaErrorStreamCaptureUnsupported);
  CHECK_ERROR(cudaStreamEndCapture(m.stream, &graph), cudaErrorIllegalState);
  const auto unsupported = cudaErrorStreamCaptureUnsupported;
  CHECK(captured_call(m, [&] { return cudaStreamSynchronize(m.stream); }) == unsupported);
  CHECK(captured_call(m, [&] { return cudaStreamQuery(m.stream); }) == unsupported);
  CHECK(captured_call(m, [&] { return cudaDeviceSynchronize(); }) == unsupported);
  CHECK(captured_call(m, [&] { return cudaMalloc(&more, 4); }) == unsupported);
  CHECK(captured_call(m, [&] { return cudaFree(m.sum); }) == unsupported);
  CHECK(captured_call(
            m, [&] { return cudaMalloc(&more, 4); }, false, cudaStreamCaptureModeRelaxed) ==
        cudaSuccess);
  cudaFree(more);
  CHECK(captured_call(m, [&] { return cudaMallocAsync(&more, 4, m.stream); }) ==
        cudaErrorNotSupported);
  // Calls that use the legacy default stream, which would wait for the captured one.
  const auto implicit = cudaErrorStreamCaptureImplicit;
  CHECK(captured_call(m, [&] { return cudaMemcpy(&value, m.a, 4, cudaMemcpyDeviceToHost); }) ==
        implicit);
  CHECK(captured_call(m, [&] {
          add<<<blocks, threads>>>(m.a, 1);
          return cudaGetLastError();
        }) == implicit);
  CHECK(captured_call(
            m, [&] { return cudaStreamIsCapturing(nullptr, &status); }, false) == implicit);
  // Pageable memory can be captured.
  CHECK(captured_call(
            m, [&] { return cudaMemcpyAsync(&value, m.a, 4, cudaMemcpyDeviceToHost, m.stream); },
            false) == cudaSuccess);
  // Events.
  CHECK(captured_call(m, [&] {
          cudaEventRecord(m.forked, m.stream);
          return cudaEventQuery(m.forked);
        }) == cudaErrorCapturedEvent);
  CHECK_ERROR(cudaEventSynchronize(m.forked), cudaErrorCapturedEvent);
  CHECK_ERROR(cudaStreamWaitEvent(m.other, m.forked, 0), cudaErrorCapturedEvent);
  CHECK_SUCCESS(cudaEventRecord(m.forked, m.other));
  CHECK(captured_call(m, [&] { return cudaStreamWaitEvent(m.stream, m.forked, 0); }) ==
        cudaErrorStreamCaptureIsolation);
  cudaStreamSynchronize(m.other);
  // A capture is ended where it began, and after its branches have joined.
  const auto fork = [&] {
    cudaEventRecord(m.forked, m.stream);
    cudaStreamWaitEvent(m.other, m.forked, 0);
    add<<<blocks, threads, 0, m.other>>>(m.b, 1);
  };
  CHECK(captured_call(m, [&] {
          fork();
          return cudaStreamEndCapture(m.other, &graph);
        }) == cudaErrorStreamCaptureUnmatched);
  cudaStreamBeginCapture(m.stream, cudaStreamCaptureModeGlobal);
  fork();
  CHECK_ERROR(cudaStreamEndCapture(m.stream, &graph), cudaErrorStreamCaptureUnjoined);
  CHECK(graph == nullptr);
  // Two captures cannot be merged.
  cudaStreamBeginCapture(m.other, cudaStreamCaptureModeGlobal);
  CHECK(captured_call(m, [&] {
          cudaEventRecord(m.forked, m.stream);
          return cudaStreamWaitEvent(m.other, m.forked, 0);
        }) == cudaErrorStreamCaptureMerge);
  CHECK_ERROR(cudaStreamEndCapture(m.other, &graph), cudaErrorStreamCaptureInvalidated);
}

// Counts the calls of host functions, for which the program waits without a call to the runtime.
struct Calls {
  std::mutex mutex;
  std::condition_variable changed;
  int number = 0, seen = 0;
  const int* host = nullptr;
  void count() {
    const std::lock_guard<std::mutex> lock(mutex);
    seen = host[0];
    ++number;
    changed.notify_one();
  }
  bool wait_for(int wanted) {
    std::unique_lock<std::mutex> lock(mutex);
    return changed.wait_for(lock, std::chrono::seconds(60), [&] { return number == wanted; });
  }
};

void waited_for(Buffers& m) {
  Calls calls;
  calls.host = m.host;
  const auto function = [](void* data) { static_cast<Calls*>(data)->count(); };
  const auto callback = [](cudaStream_t, cudaError_t status, void* data) {
    CHECK(status == cudaSuccess);
    static_cast<Calls*>(data)->count();
  };
  const auto add_and_copy = [&](int number) {
    add<<<blocks, threads, 0, m.stream>>>(m.a, number);
    cudaMemcpyAsync(m.host, m.a, n * sizeof(int), cudaMemcpyDeviceToHost, m.stream);
  };
  CHECK_SUCCESS(cudaMemset(m.a, 0, n * sizeof(int)));
  add_and_copy(5);
  CHECK_SUCCESS(cudaLaunchHostFunc(m.stream, function, &calls));
  CHECK(calls.wait_for(1));
  CHECK(calls.seen == 5);
  add_and_copy(2);
  CHECK_SUCCESS(cudaStreamAddCallback(m.stream, callback, &calls, 0));
  CHECK(calls.wait_for(2));
  CHECK(calls.seen == 7);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  CHECK_SUCCESS(cudaStreamBeginCapture(m.stream, cudaStreamCaptureModeGlobal));
  add_and_copy(1);
  CHECK_SUCCESS(cudaLaunchHostFunc(m.stream, function, &calls));
  CHECK_SUCCESS(cudaStreamEndCapture(m.stream, &graph));
  CHECK_SUCCESS(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_SUCCESS(cudaGraphLaunch(executable, m.stream));
  CHECK(calls.wait_for(3));
  CHECK(calls.seen == 8);
  CHECK_SUCCESS(cudaStreamSynchronize(m.stream));
  CHECK(calls.number == 3);
  CHECK_SUCCESS(cudaGraphExecDestroy(executable));
  CHECK_SUCCESS(cudaGraphDestroy(graph));
}

int main() {
  {
    Buffers m;
    captured(m);
    updates_that_fail(m);
    built(m);
    not_captured(m);
    waited_for(m);
    CHECK_SUCCESS(cudaDeviceSynchronize());
  }
  return check::exit_code();
}
