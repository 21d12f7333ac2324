#include "device_links.hpp"

#include <mutex>
#include <tuple>

#include "gsim/core/error.hpp"

namespace gsim::detail {
namespace {

constexpr int recall_channel = Notes::channels - 1;

/// What other processes may still have open. Ranks that are threads end at the same time.
struct LeftOpen {
  std::mutex mutex;
  std::vector<std::shared_ptr<ExchangeMemory>> memory;
};

/// What `share` returns; its DeviceError says how to do without.
template <class Share>
auto with_advice(Share share) {
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
      base_(is_own_ ? reinterpret_cast<void*>(handle.address)  // NOLINT: an address once
                    : memory.open(handle)) {}

OpenedMemory::~OpenedMemory() {
  if (!is_own_) memory_.close(base_);
}

DeviceLinks::DeviceLinks(Notes& notes, std::shared_ptr<PeerMemory> memory, std::vector<bool> linked)
    : notes_(notes),
      memory_(std::move(memory)),
      linked_(std::move(linked)),
      recalls_sent_(linked_.size()),
      recalls_taken_(linked_.size()) {}

DeviceLinks::~DeviceLinks() {
  imports_.clear();
  // Freeing what another process has open is undefined (CUDA runtime reference,
  // cudaIpcCloseMemHandle). After an orderly end there is none; else the process's end does it.
  static auto* const left = new LeftOpen;
  const std::lock_guard lock(left->mutex);
  for (auto& [number, e] : exports_) left->memory.push_back(std::move(e.memory));
}

void DeviceLinks::send(int peer, int channel, const DeviceNote& note) {
  notes_.send_note(peer, channel, std::as_bytes(std::span(&note, 1)));
}

bool DeviceLinks::take(int peer, int channel, DeviceNote& note) {
  return notes_.take_note(peer, channel, std::as_writable_bytes(std::span(&note, 1)));
}

DeviceNote DeviceLinks::offer(int peer, const void* data, std::size_t bytes) {
  auto memory = ExchangeMemory::find(data);
  if (memory == nullptr)
    throw Error(
        "internal error: a message is to arrive in memory that is no MessageBuffer; please "
        "report it");
  const std::uint64_t number = memory->number;
  auto found = exports_.find(number);
  if (found == exports_.end()) {
    const MemoryHandle handle = with_advice([&] { return memory_->handle(*memory); });
    found = exports_.emplace(number, Export{std::move(memory), handle, {}, false}).first;
  }
  Export& e = found->second;
  e.known_to.insert(peer);
  const auto offset = static_cast<std::uint64_t>(static_cast<const std::byte*>(data) -
                                                 static_cast<const std::byte*>(e.memory->data));
  return {DeviceNote::Kind::room, bytes, offset, e.handle};
}

void* DeviceLinks::place(int peer, const DeviceNote& room) {
  const auto key = std::pair(peer, room.memory.number);
  auto found = imports_.find(key);
  if (found == imports_.end())
    found = with_advice([&] {
      return imports_
          .emplace(std::piecewise_construct, std::forward_as_tuple(key),
                   std::forward_as_tuple(*memory_, room.memory))
          .first;
    });
  return static_cast<std::byte*>(found->second.base()) + room.offset;
}

void DeviceLinks::recall(int peer, DeviceNote::Kind kind, const MemoryHandle& memory) {
  send(peer, recall_channel, {kind, 0, 0, memory});
  ++recalls_sent_[static_cast<std::size_t>(peer)];
}

bool DeviceLinks::take_recall(int peer) {
  DeviceNote note;
  if (!take(peer, recall_channel, note)) return false;
  ++recalls_taken_[static_cast<std::size_t>(peer)];
  const std::uint64_t number = note.memory.number;
  if (note.kind == DeviceNote::Kind::let_go) {
    imports_.erase({peer, number});
    recall(peer, DeviceNote::Kind::gone, note.memory);
  } else if (const auto found = exports_.find(number); found != exports_.end()) {
    found->second.known_to.erase(peer);
    if (found->second.known_to.empty()) exports_.erase(found);
  }
  return true;
}

void DeviceLinks::tidy() {
  for (int peer = 0; peer < static_cast<int>(linked_.size()); ++peer)
    while (reaches(peer) && take_recall(peer)) continue;
  for (auto& [number, e] : exports_) {
    const bool is_used = e.memory.use_count() > 1;  // its buffer holds it, too
    if (is_used || std::exchange(e.is_recalled, true)) continue;
    for (const int peer : e.known_to) recall(peer, DeviceNote::Kind::let_go, e.handle);
  }
}

void DeviceLinks::end(const Communicator& communicator) {
  imports_.clear();
  // No rank leaves a note behind: each says how many it has sent, answers included, until all have
  // been taken.
  const auto ranks = linked_.size();
  for (bool all_taken = false; !all_taken;) {
    std::vector<std::vector<std::int64_t>> sent(ranks);
    for (std::size_t r = 0; r < ranks; ++r) sent[r] = {recalls_sent_[r]};
    const auto to_take = communicator.exchange(sent);
    bool took = false;
    for (std::size_t r = 0; r < ranks; ++r)
      while (recalls_taken_[r] < to_take[r][0]) took = take_recall(static_cast<int>(r)) || took;
    all_taken = !communicator.any(took);
  }
  notes_.settle();
  exports_.clear();
}

}  // namespace gsim::detail
