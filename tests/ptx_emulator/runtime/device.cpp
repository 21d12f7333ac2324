#include "runtime/device.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

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
    default:
      return cudaErrorLaunchFailure;
  }
}

}  // namespace

Device::Device(int ordinal)
    : memory(setting("PTXEMU_MEMORY", std::uint64_t{8} << 30)),
      ordinal_(ordinal),
      name_(setting("PTXEMU_NAME", std::string("Emulated GPU"))) {}

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

bool Device::step(Stream& stream) {
  if (stream.pending.empty()) return false;
  execute(stream);
  return !stream.pending.empty();
}

void Device::write_properties(cudaDeviceProp& p) const {
  std::memset(&p, 0, sizeof p);
  std::snprintf(p.name, sizeof p.name, "%s", name_.c_str());
  for (int n = 0; n < 16; ++n)
    p.uuid.bytes[n] = static_cast<char>(n == 15 ? ordinal_ + 1 : 0xe0 + n);
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
  p.major = 9;
  p.multiProcessorCount = static_cast<int>(setting("PTXEMU_MULTIPROCESSORS", std::uint64_t{4}));
  p.maxThreadsPerMultiProcessor = 2048;
  p.maxBlocksPerMultiProcessor = 32;
  p.l2CacheSize = 50 << 20;
  p.memoryBusWidth = 5120;
  p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = 1;
  p.canUseHostPointerForRegisteredMem = p.hostRegisterSupported = p.memoryPoolsSupported = 1;
  p.asyncEngineCount = 3;
  p.ECCEnabled = 1;
  p.pciBusID = ordinal_ + 1;
}

}  // namespace ptxemu
