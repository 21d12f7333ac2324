#pragma once
// Handles of graphs and nodes.

#include <cuda_runtime_api.h>

#include "runtime/graphs/graph.hpp"

namespace ptxemu {

inline cudaGraph_t handle_of(const Graph* graph) {
  return reinterpret_cast<cudaGraph_t>(const_cast<Graph*>(graph));
}
inline cudaGraphNode_t handle_of(const Node* node) {
  return reinterpret_cast<cudaGraphNode_t>(const_cast<Node*>(node));
}
/// The graph of a handle; null if it does not exist.
inline Graph* graph_of(cudaGraph_t handle) {
  auto* const graph = reinterpret_cast<Graph*>(handle);
  return Graph::exists(graph) ? graph : nullptr;
}
/// The node of a handle; null if it does not exist.
inline Node* node_of(cudaGraphNode_t handle) {
  auto* const node = reinterpret_cast<Node*>(handle);
  return Graph::exists(node) ? node : nullptr;
}
/// The work of a kind of a node; null if the node does not exist or is of another kind.
template <class Kind>
Kind* work_of(cudaGraphNode_t handle) {
  Node* const node = node_of(handle);
  return node != nullptr ? std::get_if<Kind>(&node->work) : nullptr;
}
/// The executable graph of a handle; null if it does not exist.
ExecutableGraph* executable_of(cudaGraphExec_t handle);
/// Makes the program the owner of a graph, which it destroys by the handle.
cudaGraph_t own(std::unique_ptr<Graph> graph);

// The work of nodes, from the parameters of the interface.
struct Parameters {
  static cudaError_t convert(const cudaKernelNodeParams& from, KernelWork& to);
  static cudaError_t convert(const cudaMemcpy3DParms& from, CopyWork& to);
  static cudaError_t convert(const cudaMemsetParams& from, FillWork& to);
  static cudaError_t convert(const cudaHostNodeParams& from, HostWork& to);
};

}  // namespace ptxemu
