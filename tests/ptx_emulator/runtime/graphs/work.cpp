#include "runtime/graphs/work.hpp"

#include <cstdio>
#include <cstring>

#include "runtime/device.hpp"
#include "runtime/failures.hpp"
#include "runtime/graphs/capture.hpp"

namespace ptxemu {
namespace {

/// Whether the two sides match the kind of the copy.
bool matches(cudaMemcpyKind kind, Side to, Side from) {
  const bool to_device = to == Side::device, from_device = from == Side::device;
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return !from_device && to != Side::pageable;
    case cudaMemcpyDeviceToHost:
      return !to_device && from != Side::pageable;
    case cudaMemcpyDeviceToDevice:
      return to != Side::pageable && from != Side::pageable;
    case cudaMemcpyHostToHost:
      return !to_device && !from_device;
    default:
      return true;
  }
}

Direction direction_of(bool to_device, bool from_device) {
  if (to_device) return from_device ? Direction::device_to_device : Direction::host_to_device;
  return from_device ? Direction::device_to_host : Direction::host_to_host;
}

/// The bytes at an address of a device or of the host, after the check of DeviceMemory::access().
void* bytes_at(const void* pointer, std::size_t size, bool write) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  Device* const device = Runtime::instance().find_device(address);
  return device != nullptr ? device->memory.access(address, size, write)
                           : const_cast<void*>(pointer);
}

/// Bytes from the first to the last of one side.
std::size_t span(const CopyWork& copy, std::size_t pitch, std::size_t slice) {
  return (copy.depth - 1) * slice + (copy.height - 1) * pitch + copy.width;
}

/// Whether a copy within device memory is one between devices, or between processes.
bool is_between_devices(const CopyWork& copy) {
  const auto to = reinterpret_cast<std::uint64_t>(copy.to);
  const auto from = reinterpret_cast<std::uint64_t>(copy.from);
  Runtime& runtime = Runtime::instance();
  const Device *const target = runtime.find_device(to), *const source = runtime.find_device(from);
  return target != source || target->memory.is_opened(to) || source->memory.is_opened(from);
}

void run(Device& device, const CopyWork& copy, bool in_graph) {
  Activity& activity = Runtime::instance().activity;
  const bool pageable = copy.pageable_source || copy.pageable_target;
  activity.copies[static_cast<int>(copy.direction)][pageable ? 0 : 1].add(copy.bytes());
  if (copy.direction == Direction::device_to_device && is_between_devices(copy))
    activity.between_devices.add(copy.bytes());
  activity.graphs.copies += in_graph ? 1 : 0;
  if (Failures::of_process().next_copy_fails()) {
    std::fprintf(stderr, "emulated GPU %d: a failure of a copy was provoked\n", device.ordinal());
    device.sticky = cudaErrorECCUncorrectable;
    return;
  }
  const std::byte* staged = copy.staged != nullptr ? copy.staged->data() : nullptr;
  for (std::size_t slice = 0; slice < copy.depth; ++slice)
    for (std::size_t row = 0; row < copy.height; ++row) {
      const void* const source =
          staged != nullptr ? staged : bytes_at(copy.source_row(row, slice), copy.width, false);
      std::memmove(bytes_at(copy.target_row(row, slice), copy.width, true), source, copy.width);
      if (staged != nullptr) staged += copy.width;
    }
}

void run(Device&, const FillWork& fill, bool in_graph) {
  Activity& activity = Runtime::instance().activity;
  const std::size_t row_bytes = fill.width * fill.element;
  activity.fills.add(row_bytes * fill.height);
  activity.graphs.fills += in_graph ? 1 : 0;
  for (std::size_t row = 0; row < fill.height; ++row) {
    const auto address = reinterpret_cast<std::uint64_t>(fill.to + row * fill.pitch);
    Device* const owner = Runtime::instance().find_device(address);
    if (fill.value == 0 && owner != nullptr) {
      owner->memory.fill_zero(address, row_bytes);
      continue;
    }
    auto* const to = static_cast<std::byte*>(bytes_at(fill.to + row * fill.pitch, row_bytes, true));
    if (fill.element == 1) {
      std::memset(to, static_cast<int>(fill.value), row_bytes);
      continue;
    }
    for (std::size_t n = 0; n < fill.width; ++n)
      std::memcpy(to + n * fill.element, &fill.value, fill.element);
  }
}

void run(Device& device, const KernelWork& kernel, bool in_graph) {
  Runtime& runtime = Runtime::instance();
  runtime.activity.graphs.kernels += in_graph ? 1 : 0;
  runtime.execute(kernel, device, in_graph);
}

void run(Device&, const HostWork& host, bool in_graph) {
  Runtime::instance().activity.graphs.host_functions += in_graph ? 1 : 0;
  host.function(host.data);
}

void run(Device&, const EmptyWork&, bool) {}
void run(Device&, const ChildWork&, bool) {}

}  // namespace

Side side_of(const void* pointer, std::size_t size) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  if (const Device* const device = Runtime::instance().find_device(address)) {
    const DeviceMemory::Range range = device->memory.allocation(address);
    return range.size != 0 && size <= range.start + range.size - address ? Side::device
                                                                         : Side::invalid;
  }
  return DeviceMemory::is_host(address, size) ? Side::pinned : Side::pageable;
}

cudaError_t copy_of(const cudaMemcpy3DParms& p, CopyWork& copy) {
  if (p.srcArray != nullptr || p.dstArray != nullptr) {
    std::fprintf(stderr, "emulated GPU: copies of arrays are not implemented\n");
    return cudaErrorNotSupported;
  }
  copy = {};
  copy.width = p.extent.width, copy.height = p.extent.height, copy.depth = p.extent.depth;
  copy.to_pitch = p.dstPtr.pitch, copy.from_pitch = p.srcPtr.pitch;
  copy.to_slice = p.dstPtr.pitch * p.dstPtr.ysize;
  copy.from_slice = p.srcPtr.pitch * p.srcPtr.ysize;
  copy.to = static_cast<std::byte*>(p.dstPtr.ptr) + p.dstPos.x + p.dstPos.y * copy.to_pitch +
            p.dstPos.z * copy.to_slice;
  copy.from = static_cast<const std::byte*>(p.srcPtr.ptr) + p.srcPos.x +
              p.srcPos.y * copy.from_pitch + p.srcPos.z * copy.from_slice;
  copy.kind = p.kind;
  return cudaSuccess;
}

cudaError_t check(CopyWork& copy) {
  if (copy.bytes() == 0) return cudaSuccess;
  const bool rows = copy.height > 1 || copy.depth > 1;
  if (rows && (copy.width > copy.to_pitch || copy.width > copy.from_pitch))
    return cudaErrorInvalidPitchValue;
  const Side to = side_of(copy.to, span(copy, copy.to_pitch, copy.to_slice));
  const Side from = side_of(copy.from, span(copy, copy.from_pitch, copy.from_slice));
  if (to == Side::invalid || from == Side::invalid || !matches(copy.kind, to, from))
    return cudaErrorInvalidValue;
  copy.direction = direction_of(to == Side::device, from == Side::device);
  copy.pageable_source = from == Side::pageable;
  copy.pageable_target = to == Side::pageable;
  return cudaSuccess;
}

void stage(CopyWork& copy) {
  if (!copy.pageable_source || copy.direction != Direction::host_to_device) return;
  copy.staged = std::make_shared<std::vector<std::byte>>(copy.bytes());
  std::byte* to = copy.staged->data();
  for (std::size_t slice = 0; slice < copy.depth; ++slice)
    for (std::size_t row = 0; row < copy.height; ++row, to += copy.width)
      std::memcpy(to, copy.source_row(row, slice), copy.width);
}

cudaError_t check(const FillWork& fill) {
  if (fill.width == 0 || fill.height == 0) return cudaSuccess;
  if (fill.element != 1 && fill.element != 2 && fill.element != 4) return cudaErrorInvalidValue;
  const std::size_t row_bytes = fill.width * fill.element;
  if (fill.height > 1 && row_bytes > fill.pitch) return cudaErrorInvalidPitchValue;
  const Side side = side_of(fill.to, (fill.height - 1) * fill.pitch + row_bytes);
  return side == Side::device || side == Side::pinned ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t submit(Device& device, Stream& stream, Work work) {
  if (stream.capture != nullptr) {
    stream.capture->add(stream, std::move(work));
  } else {
    device.enqueue(stream, [&device, work = std::move(work)] { execute(device, work, false); });
  }
  return cudaSuccess;
}

void execute(Device& device, const Work& work, bool in_graph) {
  std::visit([&](const auto& kind) { run(device, kind, in_graph); }, work);
}

}  // namespace ptxemu
