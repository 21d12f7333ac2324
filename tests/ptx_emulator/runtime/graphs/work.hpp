#pragma once
// The operations of streams and the nodes of graphs: what is executed, with all its parameters.

#include <cstddef>
#include <memory>
#include <variant>
#include <vector>

#include <cuda_runtime_api.h>

#include "exec/block.hpp"
#include "runtime/activity.hpp"

namespace ptxemu {

class Device;
class Graph;
struct Kernel;
struct Stream;

/// A launch of a kernel.
struct KernelWork {
  const void* function = nullptr;  ///< as the program names the kernel
  const Kernel* kernel = nullptr;
  std::shared_ptr<Launch> launch;                ///< with the values of the parameters
  std::shared_ptr<std::vector<void*>> pointers;  ///< to the values of the parameters in `launch`
  bool cooperative = false;                      ///< blocks may synchronise with each other
};

/// A copy of `depth` slices of `height` rows of `width` bytes.
struct CopyWork {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::size_t width = 0, height = 1, depth = 1;
  std::size_t to_pitch = 0, from_pitch = 0;  ///< bytes between rows
  std::size_t to_slice = 0, from_slice = 0;  ///< bytes between slices
  cudaMemcpyKind kind = cudaMemcpyDefault;
  // Set by check().
  Direction direction = Direction::host_to_host;
  bool pageable_source = false, pageable_target = false;  ///< host memory that is not registered
  /// The bytes of a pageable source, which the driver stages before the call returns; null for
  /// copies that read the source when they are executed.
  std::shared_ptr<std::vector<std::byte>> staged;

  std::size_t bytes() const { return width * height * depth; }
  std::byte* target_row(std::size_t row, std::size_t slice) const {
    return to + slice * to_slice + row * to_pitch;
  }
  const std::byte* source_row(std::size_t row, std::size_t slice) const {
    return from + slice * from_slice + row * from_pitch;
  }
};

/// Writes `height` rows of `width` elements of 1, 2 or 4 bytes.
struct FillWork {
  std::byte* to = nullptr;
  std::size_t pitch = 0;  ///< bytes between rows
  unsigned value = 0;
  unsigned element = 1;  ///< bytes of an element
  std::size_t width = 0, height = 1;
};

/// A call of a function of the host.
struct HostWork {
  cudaHostFn_t function = nullptr;
  void* data = nullptr;
};

/// All nodes of another graph.
struct ChildWork {
  std::shared_ptr<Graph> graph;
};

/// Only orders other nodes.
struct EmptyWork {};

using Work = std::variant<EmptyWork, KernelWork, CopyWork, FillWork, HostWork, ChildWork>;

/// The copy that the parameters describe, without check(). Copies of arrays are not implemented.
cudaError_t copy_of(const cudaMemcpy3DParms& parameters, CopyWork& copy);
/// Checks the addresses and pitches of a copy against its kind and sets what depends on them.
cudaError_t check(CopyWork& copy);
/// Reads a pageable source into `staged`, if the target is device memory.
void stage(CopyWork& copy);
/// Checks the addresses of a fill.
cudaError_t check(const FillWork& fill);

/// Appends work to a stream: it is executed when the stream is, or becomes a node of the graph if
/// the stream is being captured.
cudaError_t submit(Device& device, Stream& stream, Work work);
/// Executes work that is not a graph, and counts it. `in_graph`: it is a node of a graph.
void execute(Device& device, const Work& work, bool in_graph);

/// The kind of memory on one side of a copy: device memory, registered host memory, or other host
/// memory; invalid if the bytes are not within one allocation of a device.
enum class Side { device, pinned, pageable, invalid };
Side side_of(const void* pointer, std::size_t size);

}  // namespace ptxemu
