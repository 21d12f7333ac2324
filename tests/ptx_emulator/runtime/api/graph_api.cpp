// Graphs and executable graphs.

#include <algorithm>
#include <map>
#include <variant>

#include <cuda_runtime_api.h>

#include "runtime/api/api.hpp"
#include "runtime/api/graph_handles.hpp"
#include "runtime/host_functions.hpp"
#include "runtime/report/open_resources.hpp"

namespace ptxemu {
namespace {
/// The graphs and executable graphs that the program owns.
std::map<const Graph*, std::unique_ptr<Graph>>& owned_graphs() {
  static auto* const all = new std::map<const Graph*, std::unique_ptr<Graph>>;
  return *all;
}
std::map<cudaGraphExec_t, std::unique_ptr<ExecutableGraph>>& executables() {
  static auto* const all = new std::map<cudaGraphExec_t, std::unique_ptr<ExecutableGraph>>;
  return *all;
}
}  // namespace

ExecutableGraph* executable_of(cudaGraphExec_t handle) {
  const auto found = executables().find(handle);
  return found != executables().end() ? found->second.get() : nullptr;
}

cudaGraph_t own(std::unique_ptr<Graph> graph) {
  const Graph* const added = graph.get();
  owned_graphs()[added] = std::move(graph);
  OpenResources::instance().opened("graph", added);
  return handle_of(added);
}
}  // namespace ptxemu

using namespace ptxemu;

namespace {
cudaError_t instantiate(cudaGraphExec_t* executable, cudaGraph_t handle, unsigned long long flags) {
  if (flags & cudaGraphInstantiateFlagDeviceLaunch) {
    std::fprintf(stderr, "emulated GPU: launches of graphs from device code are not implemented\n");
    return cudaErrorNotSupported;
  }
  const Graph* const graph = graph_of(handle);
  if (graph == nullptr || executable == nullptr) return cudaErrorInvalidValue;
  std::unique_ptr<ExecutableGraph> made = ExecutableGraph::make(*graph);
  if (made == nullptr) return cudaErrorInvalidValue;
  *executable = reinterpret_cast<cudaGraphExec_t>(made.get());
  executables()[*executable] = std::move(made);
  OpenResources::instance().opened("executable graph", *executable);
  ++Runtime::instance().activity.graphs.instantiations;
  return cudaSuccess;
}

/// Whether any of the steps calls a function of the host.
bool call_host(const std::vector<Step>& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const Step& step) {
    return std::holds_alternative<HostWork>(step.work) || call_host(step.child);
  });
}

cudaError_t launch(Device& device, ExecutableGraph& executable, Stream& stream) {
  ++Runtime::instance().activity.graphs.launches;
  Stream* const last_stream = executable.last_stream;
  const std::uint64_t last = executable.last_sequence;
  executable.last_stream = &stream;
  executable.last_sequence =
      device.enqueue(stream, [&device, last_stream, last, steps = executable.steps()] {
        // Launches of one executable graph are executed one after another.
        if (last_stream != nullptr && device.owns(last_stream)) device.drain(*last_stream, last);
        execute(device, *steps, Runtime::instance().seed());
      });
  if (call_host(*executable.steps())) execute_soon(device, stream, executable.last_sequence);
  return cudaSuccess;
}

/// Writes up to *count handles, and the number of all to *count.
cudaError_t write(const std::vector<const Node*>& nodes, cudaGraphNode_t* handles,
                  std::size_t* count) {
  if (count == nullptr) return cudaErrorInvalidValue;
  if (handles != nullptr)
    for (std::size_t n = 0; n < *count; ++n)
      handles[n] = n < nodes.size() ? handle_of(nodes[n]) : nullptr;
  if (handles == nullptr || nodes.size() < *count) *count = nodes.size();
  return cudaSuccess;
}

struct Edge {
  const Node *from, *to;
};
std::vector<Edge> edges_of(const Graph& graph) {
  std::vector<Edge> edges;
  for (const auto& node : graph.nodes())
    for (const Node* const before : node->dependencies) edges.push_back({before, node.get()});
  return edges;
}
}  // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return guarded([&](Runtime&, Device&) {
    if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
    *graph = own(std::make_unique<Graph>());
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
  return guarded([&](Runtime&, Device&) {
    const Graph* const graph = reinterpret_cast<const Graph*>(handle);
    if (owned_graphs().erase(graph) == 0) return cudaErrorInvalidValue;
    OpenResources::instance().closed(graph);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t handle) {
  return guarded([&](Runtime&, Device&) {
    const Graph* const graph = graph_of(handle);
    if (graph == nullptr || clone == nullptr) return cudaErrorInvalidValue;
    *clone = own(graph->clone());
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  return guarded([&](Runtime&, Device&) {
    const Node* const node = node_of(original);
    const Graph* const graph = graph_of(clone);
    if (node == nullptr || graph == nullptr) return cudaErrorInvalidValue;
    for (const auto& candidate : graph->nodes())
      if (candidate->number == node->number) {
        *found = handle_of(candidate.get());
        return cudaSuccess;
      }
    return cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, std::size_t* count) {
  return guarded([&](Runtime&, Device&) {
    const Graph* const graph = graph_of(handle);
    if (graph == nullptr) return cudaErrorInvalidValue;
    std::vector<const Node*> all;
    for (const auto& node : graph->nodes()) all.push_back(node.get());
    return write(all, nodes, count);
  });
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, std::size_t* count) {
  return guarded([&](Runtime&, Device&) {
    const Graph* const graph = graph_of(handle);
    if (graph == nullptr) return cudaErrorInvalidValue;
    std::vector<const Node*> roots;
    for (const auto& node : graph->nodes())
      if (node->dependencies.empty()) roots.push_back(node.get());
    return write(roots, nodes, count);
  });
}
cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, std::size_t* count) {
  return guarded([&](Runtime&, Device&) {
    const Graph* const graph = graph_of(handle);
    if (graph == nullptr || count == nullptr) return cudaErrorInvalidValue;
    const std::vector<Edge> edges = edges_of(*graph);
    std::vector<const Node*> starts, ends;
    for (const Edge& edge : edges) starts.push_back(edge.from), ends.push_back(edge.to);
    if (data != nullptr)
      for (std::size_t n = 0; n < std::min(*count, edges.size()); ++n) data[n] = {};
    std::size_t written = *count;
    write(starts, from, &written);
    return write(ends, to, count);
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long flags) {
  return guarded([&](Runtime&, Device&) { return instantiate(executable, graph, flags); });
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  return guarded([&](Runtime&, Device&) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    const cudaError_t error = instantiate(executable, graph, parameters->flags);
    parameters->errNode_out = nullptr;
    parameters->result_out =
        error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
    return error;
  });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return guarded([&](Runtime&, Device&) {
    if (executables().erase(handle) == 0) return cudaErrorInvalidValue;
    OpenResources::instance().closed(handle);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream) {
  return on_stream(stream, [&](Device&, Stream&) {
    return executable_of(handle) != nullptr ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  return on_stream(stream_handle, [&](Device& device, Stream& stream) {
    ExecutableGraph* const executable = executable_of(handle);
    if (executable == nullptr) return cudaErrorInvalidValue;
    if (stream.capture == nullptr) return launch(device, *executable, stream);
    std::fprintf(stderr, "emulated GPU: the capture of launches of graphs is not implemented\n");
    stream.capture->invalidate();
    return cudaErrorNotSupported;
  });
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                cudaGraphExecUpdateResultInfo* result) {
  return guarded([&](Runtime& runtime, Device&) {
    ExecutableGraph* const executable = executable_of(handle);
    const Graph* const graph = graph_of(graph_handle);
    if (result == nullptr) return cudaErrorInvalidValue;
    *result = {cudaGraphExecUpdateError, nullptr, nullptr};
    if (executable == nullptr || graph == nullptr) return cudaErrorInvalidValue;
    *result = executable->update(*graph);
    if (result->result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
    ++runtime.activity.graphs.updates;
    return cudaSuccess;
  });
}

}  // extern "C"
