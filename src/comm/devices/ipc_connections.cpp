#include "src/comm/devices/ipc_connections.hpp"

#include <mutex>
#include <tuple>

#include "gsim/core/error.hpp"

namespace gsim::detail {
namespace {

constexpr int close_channel = ControlMessages::channels - 1;

/// Memory that other processes may still have mapped when this process ends.
struct StillMapped {
  std::mutex mutex;
  std::vector<std::shared_ptr<ShareableMemory>> memory;
};

/// Returns the result of `share`; adds advice to its DeviceError.
template <class Share>
auto add_advice(Share share) {
  try {
    return share();
  } catch (const DeviceError& e) {
    throw DeviceError(e.what() + std::string("; set comm.ipc = \"off\""));
  }
}

}  // namespace

OpenedMemory::OpenedMemory(PeerMemory& memory, const MemoryHandle& handle)
    : memory_(memory),
      is_own_(handle.process == this_process()),
      base_(is_own_ ? reinterpret_cast<void*>(handle.address)  // NOLINT: this process's own
                    : memory.open(handle)) {}

OpenedMemory::~OpenedMemory() {
  if (!is_own_) memory_.close(base_);
}

IpcConnections::IpcConnections(ControlMessages& control, std::shared_ptr<PeerMemory> memory,
                               std::vector<bool> connected)
    : control_(control),
      memory_(std::move(memory)),
      connected_(std::move(connected)),
      closes_sent_(connected_.size()),
      closes_received_(connected_.size()) {}

IpcConnections::~IpcConnections() {
  imports_.clear();
  // Freeing memory that another process has mapped is undefined (CUDA runtime reference,
  // cudaIpcCloseMemHandle). After a normal shutdown no mapping is left; otherwise the memory stays
  // allocated until the process ends.
  static auto* const still_mapped = new StillMapped;
  const std::lock_guard lock(still_mapped->mutex);
  for (auto& [number, e] : exports_) still_mapped->memory.push_back(std::move(e.memory));
}

void IpcConnections::send(int peer, int channel, const IpcControl& message) {
  control_.send_control(peer, channel, std::as_bytes(std::span(&message, 1)));
}

bool IpcConnections::try_receive(int peer, int channel, IpcControl& message) {
  return control_.try_receive_control(peer, channel,
                                      std::as_writable_bytes(std::span(&message, 1)));
}

IpcControl IpcConnections::export_memory(int peer, const void* data, std::size_t bytes) {
  auto memory = ShareableMemory::find(data);
  if (memory == nullptr)
    throw Error(
        "internal error: a message is received into memory that is no MessageBuffer; please "
        "report it");
  const std::uint64_t number = memory->number;
  auto found = exports_.find(number);
  if (found == exports_.end()) {
    const MemoryHandle handle = add_advice([&] { return memory_->handle(*memory); });
    found = exports_.emplace(number, Export{std::move(memory), handle, {}, false}).first;
  }
  Export& e = found->second;
  e.opened_by.insert(peer);
  const auto offset = static_cast<std::uint64_t>(static_cast<const std::byte*>(data) -
                                                 static_cast<const std::byte*>(e.memory->data));
  return {IpcControl::Kind::buffer, bytes, offset, e.handle};
}

void* IpcConnections::import_address(int peer, const IpcControl& buffer) {
  const auto key = std::pair(peer, buffer.memory.number);
  auto found = imports_.find(key);
  if (found == imports_.end())
    found = add_advice([&] {
      return imports_
          .emplace(std::piecewise_construct, std::forward_as_tuple(key),
                   std::forward_as_tuple(*memory_, buffer.memory))
          .first;
    });
  return static_cast<std::byte*>(found->second.base()) + buffer.offset;
}

void IpcConnections::request_close(int peer, IpcControl::Kind kind, const MemoryHandle& memory) {
  send(peer, close_channel, {kind, 0, 0, memory});
  ++closes_sent_[static_cast<std::size_t>(peer)];
}

bool IpcConnections::receive_close(int peer) {
  IpcControl message;
  if (!try_receive(peer, close_channel, message)) return false;
  ++closes_received_[static_cast<std::size_t>(peer)];
  const std::uint64_t number = message.memory.number;
  if (message.kind == IpcControl::Kind::close_request) {
    imports_.erase({peer, number});
    request_close(peer, IpcControl::Kind::closed, message.memory);
  } else if (const auto found = exports_.find(number); found != exports_.end()) {
    found->second.opened_by.erase(peer);
    if (found->second.opened_by.empty()) exports_.erase(found);
  }
  return true;
}

void IpcConnections::release_unused() {
  for (int peer = 0; peer < static_cast<int>(connected_.size()); ++peer)
    while (reaches(peer) && receive_close(peer)) continue;
  for (auto& [number, e] : exports_) {
    const bool is_used = e.memory.use_count() > 1;  // its buffer still owns it
    if (is_used || std::exchange(e.is_close_requested, true)) continue;
    for (const int peer : e.opened_by)
      request_close(peer, IpcControl::Kind::close_request, e.handle);
  }
}

void IpcConnections::close_all(const Communicator& communicator) {
  imports_.clear();
  // Every rank announces how many close messages it has sent, replies included, and all of them are
  // received before the ranks go on.
  const auto ranks = connected_.size();
  for (bool all_received = false; !all_received;) {
    std::vector<std::vector<std::int64_t>> sent(ranks);
    for (std::size_t r = 0; r < ranks; ++r) sent[r] = {closes_sent_[r]};
    const auto to_receive = communicator.exchange(sent);
    bool received = false;
    for (std::size_t r = 0; r < ranks; ++r)
      while (closes_received_[r] < to_receive[r][0])
        received = receive_close(static_cast<int>(r)) || received;
    all_received = !communicator.any(received);
  }
  control_.flush();
  exports_.clear();
}

}  // namespace gsim::detail
