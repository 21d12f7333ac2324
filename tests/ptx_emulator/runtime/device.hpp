#pragma once
// An emulated device: memory, streams of deferred work, loaded programs and the error state.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "exec/block.hpp"
#include "exec/profile.hpp"
#include "fatbin/cubin.hpp"
#include "memory/device_memory.hpp"
#include "program/program.hpp"
#include "runtime/activity.hpp"
#include "runtime/device_table.hpp"
#include "runtime/graphs/work.hpp"
#include "runtime/node_memory.hpp"

namespace ptxemu {

class Capture;
struct Node;

/// A stream: a queue of operations, which are executed when the program synchronises with the
/// stream.
struct Stream {
  struct Operation {
    std::uint64_t sequence;  ///< ascending over all streams of the device
    std::function<void()> run;
  };
  std::deque<Operation> pending;
  bool blocking = true;                     ///< synchronises with the legacy default stream
  std::shared_ptr<Capture> capture;         ///< null unless the stream is being captured
  std::vector<Node*> capture_dependencies;  ///< of the next node that is captured
};

struct Event {
  Stream* stream = nullptr;  ///< null until it has been recorded
  std::uint64_t sequence = 0;
  bool interprocess = false;                ///< for other processes, too
  double seconds = 0;                       ///< host time at which the record was executed
  std::shared_ptr<Capture> capture;         ///< in which it was last recorded; null if in none
  std::vector<Node*> capture_dependencies;  ///< on which a captured stream that waits depends
};

class Device {
 public:
  /// `ordinal` is the number among the visible devices; `node` is the memory of all processes.
  Device(int ordinal, const DeviceDescription& description, NodeMemory& node);

  DeviceMemory memory;
  /// As the functions of DeviceMemory, within the memory that other processes leave free.
  std::uint64_t allocate(std::uint64_t size, bool shareable);
  bool release(std::uint64_t address);
  std::uint64_t free_memory() const;

  Stream legacy;      ///< the legacy default stream
  Stream per_thread;  ///< the per-thread default stream, one for all host threads

  Stream& new_stream(bool blocking);
  /// Returns false for a handle that is not a stream of this device.
  bool destroy_stream(Stream* stream);
  bool owns(const Stream* stream) const;

  /// Appends an operation to a stream; returns its sequence number.
  std::uint64_t enqueue(Stream& stream, std::function<void()> run);
  /// Executes the operations of a stream up to a sequence number, and those that they depend on.
  void drain(Stream& stream, std::uint64_t up_to = ~std::uint64_t{0});
  void drain_all();
  /// Whether any stream has operations that were not yet executed.
  bool has_pending() const;
  /// Executes one operation, to simulate concurrent execution by a device; returns false if none is
  /// left.
  bool step(Stream& stream);

  /// The error of a kernel or copy, after which nothing else is executed; cudaSuccess before.
  cudaError_t sticky = cudaSuccess;
  int ordinal() const { return ordinal_; }
  const DeviceDescription& description() const { return description_; }
  /// Writes the properties of the device: those of an H100 except for name, memory, number of
  /// multiprocessors and what is not emulated.
  void write_properties(cudaDeviceProp& properties) const;

 private:
  void execute(Stream& stream);

  int ordinal_;
  DeviceDescription description_;
  NodeMemory& node_;
  std::uint64_t next_sequence_ = 0;
  std::vector<std::unique_ptr<Stream>> streams_;
};

/// Fat binaries, kernels and variables are registered by start-up code of nvcc.
struct FatBinary {
  const void* wrapper = nullptr;
  std::map<int, std::unique_ptr<Program>> programs;  ///< by device
  /// By kernel; empty without machine code. Read from the wrapper at the first use.
  std::map<std::string, KernelResources> resources;
  bool has_read_resources = false;
};
struct Kernel {
  FatBinary* binary = nullptr;
  std::string name;
};
/// A __device__ or __constant__ variable, which the program names by a host variable.
struct HostVariable {
  FatBinary* binary = nullptr;
  std::string name;
};

/// Statistics of one kernel over all launches.
struct KernelCounts {
  std::uint64_t launches = 0;
  std::uint64_t launches_in_graphs = 0;  ///< contained in `launches`
  Counts counts;
  bool approximate = false;
  std::uint32_t local_bytes = 0, static_shared = 0;
  bool has_resources = false;  ///< whether the fat binary has machine code of the kernel
  KernelResources resources;
  std::unique_ptr<KernelProfile> profile;  ///< with PTXEMU_REPORT only
};

/// State of the process. A lock is held while any function of the runtime executes.
class Runtime {
 public:
  static Runtime& instance();

  Device& current();
  int device_count() const { return static_cast<int>(descriptions_.size()); }
  Device& device(int ordinal);
  /// The device of this process whose memory contains the address; null if there is none.
  Device* find_device(std::uint64_t address);
  Program& program(FatBinary& binary, Device& device);
  /// Returns null for a pointer that is not a kernel.
  Kernel* find_kernel(const void* host_function);
  /// Device address and size for copies to or from a host variable; size 0 if none is registered.
  DeviceMemory::Range find_variable(const void* host_variable);

  /// Checks a launch on the current device and copies the values of its parameters. The blocks of
  /// a cooperative launch may synchronise with each other.
  cudaError_t prepare(KernelWork& work, const void* kernel, dim3 grid, dim3 block, void** arguments,
                      std::size_t shared, bool cooperative);
  /// Executes a launch, and adds its counts. `in_graph`: it is a node of a graph.
  void execute(const KernelWork& work, Device& device, bool in_graph);
  /// At exit: prints the statistics of each kernel if PTXEMU_REPORT is set, and what the checks
  /// have found; if there is anything, ends the process with the code PTXEMU_EXITCODE if it is set.
  void finish() const;
  /// Registers of a thread of the kernel; 0 if the fat binary has no machine code.
  std::uint32_t registers_of(const Kernel& kernel);
  std::uint64_t seed() const { return seed_; }
  /// Bytes of the L2 cache, by which reports estimate the traffic of DRAM.
  std::uint64_t l2_bytes() const { return l2_bytes_; }

  /// The current device of the calling host thread.
  static int& current_device();
  std::map<const void*, Kernel> kernels;          ///< by host function
  std::map<const void*, HostVariable> variables;  ///< by host variable
  std::vector<std::unique_ptr<FatBinary>> binaries;
  std::map<std::string, KernelCounts> counts;  ///< by kernel
  Activity activity;

 private:
  Runtime();
  /// Writes the report if PTXEMU_REPORT is set: text to standard error for 1, else JSON to the file
  /// that it names.
  void report() const;
  void read_resources(FatBinary& binary);
  /// Executes a launch with the counts of a report.
  Counts execute_counted(const Launch& launch, KernelCounts& sum, const FatBinary& binary,
                         const Device& device);
  std::vector<DeviceDescription> descriptions_;  ///< of the visible devices
  NodeMemory node_;
  std::uint64_t seed_ = 0;
  Checks checks_;
  std::string report_;  ///< empty: none; 1: text; otherwise the name of a JSON file
  std::uint64_t l2_bytes_ = 0;
  std::map<int, std::unique_ptr<SectorCache>> l2_;  ///< by device
  std::vector<std::unique_ptr<Device>> devices_;
};

}  // namespace ptxemu
