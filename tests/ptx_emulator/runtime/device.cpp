#include "runtime/device.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "checks/findings.hpp"
#include "memory/fault.hpp"
#include "reader/error.hpp"
#include "runtime/settings.hpp"

namespace ptxemu {
namespace {

cudaError_t code_of(Fault::Kind kind) {
  switch (kind) {
    case Fault::Kind::illegal_address:
      return cudaErrorIllegalAddress;
    case Fault::Kind::misaligned_address:
      return cudaErrorMisalignedAddress;
    case Fault::Kind::deadlock:
      return cudaErrorLaunchTimeout;
    case Fault::Kind::illegal_instruction:
      return cudaErrorIllegalInstruction;
    case Fault::Kind::assertion:
      return cudaErrorAssert;
    default:
      return cudaErrorLaunchFailure;
  }
}

/// The name of a kind of fault in the summary.
const char* name_of(Fault::Kind kind) {
  switch (kind) {
    case Fault::Kind::illegal_address:
      return "illegal addresses";
    case Fault::Kind::misaligned_address:
      return "misaligned addresses";
    case Fault::Kind::uninitialised_read:
      return "uninitialised reads";
    case Fault::Kind::divergent_barrier:
      return "divergent barriers";
    case Fault::Kind::race:
      return "races";
    case Fault::Kind::deadlock:
      return "deadlocks";
    case Fault::Kind::trap:
      return "traps";
    default:
      return "illegal instructions";
  }
}

}  // namespace

Device::Device(int ordinal, const DeviceDescription& description, NodeMemory& node)
    : memory(description.memory), ordinal_(ordinal), description_(description), node_(node) {
  memory.set_device(description.number);
}

std::uint64_t Device::allocate(std::uint64_t size, bool shareable) {
  const NodeMemory::Lock lock(node_);
  if (size > free_memory()) return 0;
  const std::uint64_t address = shareable ? memory.allocate_shareable(size) : memory.allocate(size);
  node_.set_used(description_.number, memory.used());
  return address;
}

bool Device::release(std::uint64_t address) {
  if (!memory.release(address)) return false;
  node_.set_used(description_.number, memory.used());
  return true;
}

std::uint64_t Device::free_memory() const {
  const std::uint64_t used = memory.used() + node_.used_by_others(description_.number);
  return used < memory.capacity() ? memory.capacity() - used : 0;
}

Stream& Device::new_stream(bool blocking) {
  streams_.push_back(std::make_unique<Stream>());
  streams_.back()->blocking = blocking;
  return *streams_.back();
}

bool Device::owns(const Stream* stream) const {
  return stream == &legacy || stream == &per_thread ||
         std::any_of(streams_.begin(), streams_.end(),
                     [&](const auto& candidate) { return candidate.get() == stream; });
}

bool Device::destroy_stream(Stream* stream) {
  for (auto candidate = streams_.begin(); candidate != streams_.end(); ++candidate)
    if (candidate->get() == stream) {
      drain(*stream);
      streams_.erase(candidate);
      return true;
    }
  return false;
}

std::uint64_t Device::enqueue(Stream& stream, std::function<void()> run) {
  stream.pending.push_back({++next_sequence_, std::move(run)});
  return next_sequence_;
}

void Device::execute(Stream& stream) {
  const Stream::Operation operation = std::move(stream.pending.front());
  stream.pending.pop_front();
  if (&stream == &legacy) {
    for (const auto& other : streams_)
      if (other->blocking) drain(*other, operation.sequence);
    drain(per_thread, operation.sequence);
  } else if (stream.blocking) {
    drain(legacy, operation.sequence);
  }
  if (sticky != cudaSuccess) return;
  try {
    operation.run();
  } catch (const Fault& fault) {
    std::fprintf(stderr, "emulated GPU %d: %s\n", ordinal_, fault.what());
    sticky = code_of(fault.kind());
    Findings::instance().add(name_of(fault.kind()));
  }
}

void Device::drain(Stream& stream, std::uint64_t up_to) {
  while (!stream.pending.empty() && stream.pending.front().sequence <= up_to) execute(stream);
}

void Device::drain_all() {
  drain(legacy);
  drain(per_thread);
  for (std::size_t n = 0; n < streams_.size(); ++n) drain(*streams_[n]);
}

bool Device::has_pending() const {
  return !legacy.pending.empty() || !per_thread.pending.empty() ||
         std::any_of(streams_.begin(), streams_.end(),
                     [](const auto& stream) { return !stream->pending.empty(); });
}

bool Device::step(Stream& stream) {
  if (stream.pending.empty()) return false;
  execute(stream);
  return !stream.pending.empty();
}

void Device::write_properties(cudaDeviceProp& p) const {
  std::memset(&p, 0, sizeof p);
  std::snprintf(p.name, sizeof p.name, "%s", description_.name.c_str());
  std::memcpy(p.uuid.bytes, description_.uuid.data(), description_.uuid.size());
  p.totalGlobalMem = memory.capacity();
  p.sharedMemPerBlock = 48u << 10;
  p.sharedMemPerBlockOptin = 227u << 10;
  p.sharedMemPerMultiprocessor = 228u << 10;
  p.reservedSharedMemPerBlock = 1024;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = warp_size;
  p.maxThreadsPerBlock = 1024;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 0x7fffffff;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.totalConstMem = 64u << 10;
  p.memPitch = 0x7fffffff;
  p.textureAlignment = 512;
  p.major = description_.capability / 10;
  p.minor = description_.capability % 10;
  p.multiProcessorCount = description_.multiprocessors;
  p.maxThreadsPerMultiProcessor = 2048;
  p.maxBlocksPerMultiProcessor = 32;
  p.l2CacheSize = 50 << 20;
  p.memoryBusWidth = 5120;
  p.managedMemory = p.concurrentManagedAccess = p.cooperativeLaunch = 1;
  p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = 1;
  p.canUseHostPointerForRegisteredMem = p.hostRegisterSupported = p.memoryPoolsSupported = 1;
  p.asyncEngineCount = 3;
  p.ECCEnabled = 1;
  p.pciBusID = description_.number + 1;
}

}  // namespace ptxemu
