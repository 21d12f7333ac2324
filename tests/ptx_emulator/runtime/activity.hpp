#pragma once
// Counts of the calls of a program to the runtime: copies, fills, allocations, synchronisations.

#include <cstddef>
#include <cstdint>

namespace ptxemu {

/// Operations with a size.
struct Volume {
  std::uint64_t number = 0, bytes = 0;
  void add(std::size_t size) {
    ++number;
    bytes += size;
  }
};

/// Synchronisations of one kind: calls, and those that found work that was not yet executed.
struct Synchronisations {
  std::uint64_t number = 0, waited = 0;
  void add(bool waits) {
    ++number;
    waited += waits ? 1 : 0;
  }
};

enum class Direction { host_to_device, device_to_host, device_to_device, host_to_host, count };

/// Graphs, and the nodes that were executed in them.
struct GraphActivity {
  std::uint64_t instantiations = 0, updates = 0, launches = 0;
  std::uint64_t kernels = 0, copies = 0, fills = 0, host_functions = 0;
};

/// Counts of one process, over all devices.
struct Activity {
  /// [direction][0: pageable, 1: pinned host memory or none]
  Volume copies[static_cast<int>(Direction::count)][2];
  Volume between_devices;  ///< those to memory of another device or process, which `copies` contain
  Volume fills, device_allocations, host_allocations;
  std::uint64_t device_frees = 0, host_frees = 0, queries = 0;
  /// `copy`: copies that return after they are done; `free`: cudaFree and other calls that wait for
  /// the device
  Synchronisations stream, device, event, copy, free;
  /// Waits for an event after which the stream has more work, so that the device stays busy.
  std::uint64_t overlapped_waits = 0;
  GraphActivity graphs;  ///< their copies and fills are contained in `copies` and `fills`
};

}  // namespace ptxemu
