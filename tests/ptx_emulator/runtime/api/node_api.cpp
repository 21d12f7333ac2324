// Nodes of graphs, and changes of the steps of executable graphs.

#include <algorithm>
#include <cstdio>

#include <cuda_runtime_api.h>

#include "runtime/api/api.hpp"
#include "runtime/api/graph_handles.hpp"

namespace ptxemu {

cudaError_t Parameters::convert(const cudaKernelNodeParams& from, KernelWork& to) {
  if (from.extra != nullptr) {
    std::fprintf(stderr, "emulated GPU: kernel parameters by \"extra\" are not implemented\n");
    return cudaErrorNotSupported;
  }
  return Runtime::instance().prepare(to, from.func, from.gridDim, from.blockDim, from.kernelParams,
                                     from.sharedMemBytes, to.cooperative);
}
cudaError_t Parameters::convert(const cudaMemcpy3DParms& from, CopyWork& to) {
  const cudaError_t error = copy_of(from, to);
  return error != cudaSuccess ? error : check(to);
}
cudaError_t Parameters::convert(const cudaMemsetParams& from, FillWork& to) {
  to = {static_cast<std::byte*>(from.dst),
        from.pitch,
        from.value,
        from.elementSize,
        from.width,
        from.height};
  return check(to);
}
cudaError_t Parameters::convert(const cudaHostNodeParams& from, HostWork& to) {
  to = {from.fn, from.userData};
  return from.fn != nullptr ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace ptxemu

using namespace ptxemu;

namespace {
/// Appends a node with work, or with work that `make` converts from parameters.
cudaError_t add(cudaGraphNode_t* added, cudaGraph_t handle, const cudaGraphNode_t* dependencies,
                std::size_t count, Work work) {
  Graph* const graph = graph_of(handle);
  if (graph == nullptr || added == nullptr || (count != 0 && dependencies == nullptr))
    return cudaErrorInvalidValue;
  std::vector<Node*> before;
  for (std::size_t n = 0; n < count; ++n) {
    Node* const node = node_of(dependencies[n]);
    if (node == nullptr || node->graph != graph ||
        std::find(before.begin(), before.end(), node) != before.end())
      return cudaErrorInvalidValue;
    before.push_back(node);
  }
  *added = handle_of(&graph->add(std::move(work), std::move(before)));
  return cudaSuccess;
}

template <class Kind, class P>
cudaError_t add_converted(cudaGraphNode_t* added, cudaGraph_t graph,
                          const cudaGraphNode_t* dependencies, std::size_t count,
                          const P* parameters) {
  return guarded([&](Runtime&, Device&) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    Kind work;
    const cudaError_t error = Parameters::convert(*parameters, work);
    return error != cudaSuccess ? error : add(added, graph, dependencies, count, std::move(work));
  });
}

/// Replaces `work` by the work that the parameters describe; an error leaves it as it is.
template <class Kind, class P>
cudaError_t replace(Kind* work, const P* parameters) {
  if (work == nullptr || parameters == nullptr) return cudaErrorInvalidValue;
  Kind replacement = *work;
  const cudaError_t error = Parameters::convert(*parameters, replacement);
  if (error == cudaSuccess) *work = std::move(replacement);
  return error;
}

/// Replaces the parameters of a node.
template <class Kind, class P>
cudaError_t set(cudaGraphNode_t node, const P* parameters) {
  return guarded([&](Runtime&, Device&) { return replace(work_of<Kind>(node), parameters); });
}

/// Replaces the parameters of the step that was made from a node.
template <class Kind, class P>
cudaError_t set(cudaGraphExec_t handle, cudaGraphNode_t node, const P* parameters) {
  return guarded([&](Runtime&, Device&) {
    ExecutableGraph* const executable = executable_of(handle);
    if (executable == nullptr || parameters == nullptr) return cudaErrorInvalidValue;
    Step* const step = executable->step_of(reinterpret_cast<const Node*>(node));
    return replace(step != nullptr ? std::get_if<Kind>(&step->work) : nullptr, parameters);
  });
}

cudaMemcpy3DParms bytes(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  cudaMemcpy3DParms parameters = {};
  parameters.dstPtr = {to, size, size, 1};
  parameters.srcPtr = {const_cast<void*>(from), size, size, 1};
  parameters.extent = {size, 1, 1};
  parameters.kind = kind;
  return parameters;
}

cudaGraphNodeType type_of(const Work& work) {
  constexpr cudaGraphNodeType types[] = {cudaGraphNodeTypeEmpty,  cudaGraphNodeTypeKernel,
                                         cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeMemset,
                                         cudaGraphNodeTypeHost,   cudaGraphNodeTypeGraph};
  return types[work.index()];
}

/// The kernel, copy or fill step of a node, which can be disabled; null if there is none.
Step* step_that_can_be_disabled(cudaGraphExec_t handle, cudaGraphNode_t node) {
  ExecutableGraph* const executable = executable_of(handle);
  if (executable == nullptr) return nullptr;
  Step* const step = executable->step_of(reinterpret_cast<const Node*>(node));
  if (step == nullptr) return nullptr;
  const cudaGraphNodeType type = type_of(step->work);
  return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy ||
                 type == cudaGraphNodeTypeMemset
             ? step
             : nullptr;
}
}  // namespace

extern "C" {

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return add_converted<KernelWork>(node, graph, dependencies, count, parameters);
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return add_converted<CopyWork>(node, graph, dependencies, count, parameters);
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, std::size_t count,
                                     void* to, const void* from, std::size_t size,
                                     cudaMemcpyKind kind) {
  const cudaMemcpy3DParms parameters = bytes(to, from, size, kind);
  return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &parameters);
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaMemsetParams* parameters) {
  return add_converted<FillWork>(node, graph, dependencies, count, parameters);
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, std::size_t count,
                                 const cudaHostNodeParams* parameters) {
  return add_converted<HostWork>(node, graph, dependencies, count, parameters);
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, std::size_t count) {
  return guarded(
      [&](Runtime&, Device&) { return add(node, graph, dependencies, count, EmptyWork{}); });
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, std::size_t count,
                                       cudaGraph_t child) {
  return guarded([&](Runtime&, Device&) {
    const Graph* const original = graph_of(child);
    if (original == nullptr) return cudaErrorInvalidValue;
    return add(node, graph, dependencies, count, ChildWork{original->clone()});
  });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return guarded([&](Runtime&, Device&) {
    const KernelWork* const work = work_of<KernelWork>(node);
    if (work == nullptr || parameters == nullptr) return cudaErrorInvalidValue;
    const Launch& launch = *work->launch;
    *parameters = {};
    parameters->func = const_cast<void*>(work->function);
    parameters->gridDim = dim3(launch.grid.x, launch.grid.y, launch.grid.z);
    parameters->blockDim = dim3(launch.block.x, launch.block.y, launch.block.z);
    parameters->sharedMemBytes = launch.dynamic_shared;
    parameters->kernelParams = work->pointers->data();
    return cudaSuccess;
  });
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* parameters) {
  return set<KernelWork>(node, parameters);
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return guarded([&](Runtime&, Device&) {
    const CopyWork* const work = work_of<CopyWork>(node);
    if (work == nullptr || parameters == nullptr) return cudaErrorInvalidValue;
    const auto rows = [](std::size_t slice, std::size_t pitch) {
      return pitch != 0 ? slice / pitch : 1;
    };
    *parameters = bytes(work->to, work->from, work->width, work->kind);
    parameters->dstPtr.pitch = work->to_pitch;
    parameters->dstPtr.ysize = rows(work->to_slice, work->to_pitch);
    parameters->srcPtr.pitch = work->from_pitch;
    parameters->srcPtr.ysize = rows(work->from_slice, work->from_pitch);
    parameters->extent = {work->width, work->height, work->depth};
    return cudaSuccess;
  });
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms* parameters) {
  return set<CopyWork>(node, parameters);
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           std::size_t size, cudaMemcpyKind kind) {
  const cudaMemcpy3DParms parameters = bytes(to, from, size, kind);
  return set<CopyWork>(node, &parameters);
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return guarded([&](Runtime&, Device&) {
    const FillWork* const work = work_of<FillWork>(node);
    if (work == nullptr || parameters == nullptr) return cudaErrorInvalidValue;
    *parameters = {work->to, work->pitch, work->value, work->element, work->width, work->height};
    return cudaSuccess;
  });
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return set<FillWork>(node, parameters);
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return guarded([&](Runtime&, Device&) {
    const HostWork* const work = work_of<HostWork>(node);
    if (work == nullptr || parameters == nullptr) return cudaErrorInvalidValue;
    *parameters = {work->function, work->data};
    return cudaSuccess;
  });
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return set<HostWork>(node, parameters);
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return guarded([&](Runtime&, Device&) {
    const ChildWork* const work = work_of<ChildWork>(node);
    if (work == nullptr || graph == nullptr) return cudaErrorInvalidValue;
    *graph = handle_of(work->graph.get());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
  return guarded([&](Runtime&, Device&) {
    const Node* const node = node_of(handle);
    if (node == nullptr || type == nullptr) return cudaErrorInvalidValue;
    *type = type_of(node->work);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     std::size_t count) {
  return guarded([&](Runtime&, Device&) {
    for (std::size_t n = 0; n < count; ++n) {
      Node *const before = node_of(from[n]), *const after = node_of(to[n]);
      if (before == nullptr || after == nullptr || before->graph != graph_of(graph) ||
          after->graph != before->graph)
        return cudaErrorInvalidValue;
      auto& dependencies = after->dependencies;
      if (std::find(dependencies.begin(), dependencies.end(), before) != dependencies.end())
        return cudaErrorInvalidValue;
      dependencies.push_back(before);
    }
    return cudaSuccess;
  });
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        std::size_t count) {
  return guarded([&](Runtime&, Device&) {
    for (std::size_t n = 0; n < count; ++n) {
      Node *const before = node_of(from[n]), *const after = node_of(to[n]);
      if (before == nullptr || after == nullptr || after->graph != graph_of(graph) ||
          std::erase(after->dependencies, before) == 0)
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  return guarded([&](Runtime&, Device&) {
    const Node* const node = node_of(handle);
    if (node == nullptr) return cudaErrorInvalidValue;
    node->graph->remove(*node);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return set<KernelWork>(executable, node, parameters);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return set<CopyWork>(executable, node, parameters);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* to, const void* from, std::size_t size,
                                               cudaMemcpyKind kind) {
  const cudaMemcpy3DParms parameters = bytes(to, from, size, kind);
  return set<CopyWork>(executable, node, &parameters);
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return set<FillWork>(executable, node, parameters);
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return set<HostWork>(executable, node, parameters);
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned enabled) {
  return guarded([&](Runtime&, Device&) {
    Step* const step = step_that_can_be_disabled(executable, node);
    if (step == nullptr) return cudaErrorInvalidValue;
    step->enabled = enabled != 0;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned* enabled) {
  return guarded([&](Runtime&, Device&) {
    const Step* const step = step_that_can_be_disabled(executable, node);
    if (step == nullptr || enabled == nullptr) return cudaErrorInvalidValue;
    *enabled = step->enabled ? 1 : 0;
    return cudaSuccess;
  });
}

}  // extern "C"
