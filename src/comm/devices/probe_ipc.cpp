#include "src/comm/devices/probe_ipc.hpp"

#include <optional>
#include <thread>
#include <vector>

#include "gsim/core/error.hpp"
#include "gsim/exec/transfer_buffers.hpp"
#include "src/comm/devices/binding_decisions.hpp"
#include "src/comm/devices/ipc_connections.hpp"

namespace gsim::detail {
namespace {

constexpr std::size_t pattern_size = 1 << 10;
constexpr std::size_t pattern_bytes = pattern_size * sizeof(std::uint32_t);

/// The buffer into which the other ranks of a node write their patterns, as its rank describes it
/// to all others before the test.
struct PeerBuffer {
  std::int32_t node_leader = 0;  ///< lowest rank of the node
  std::int32_t has_memory = 0;   ///< 1: `handle` is valid; 0: the rank does not take part
  MemoryHandle handle = {};
};

/// The part of one rank in the test.
class Probe {
 public:
  Probe(const Communicator& communicator, const Executor& executor, PeerMemory* memory,
        std::string no_memory_reason)
      : communicator_(communicator),
        executor_(executor),
        memory_(memory),
        reason_(std::move(no_memory_reason)) {}

  /// Ranks of this node with which patterns were exchanged correctly in both directions.
  std::vector<bool> run() {
    const int leader = communicator_.backend().node_leader();
    communicator_.agree([&] { export_memory(leader); });
    buffers_ = communicator_.allgather(std::span<const PeerBuffer>(&own_, 1));
    const auto n = static_cast<std::size_t>(communicator_.size());
    std::vector<std::vector<char>> flags(n);
    for (std::size_t r = 0; r < n; ++r) flags[r] = {static_cast<char>(write(r) ? 1 : 0)};
    const auto written =
        communicator_.exchange(flags);  // all ranks have written and closed their mappings
    for (std::size_t r = 0; r < n; ++r)
      flags[r] = {static_cast<char>(written[r].at(0) != 0 && check_from(r) ? 1 : 0)};
    const auto arrived_at_peer = communicator_.exchange(flags);
    std::vector<bool> connected(n);
    for (std::size_t r = 0; r < n; ++r)
      connected[r] = flags[r].at(0) != 0 && arrived_at_peer[r].at(0) != 0;
    return connected;
  }
  const std::string& reason() const { return reason_; }

 private:
  void export_memory(int leader) {
    own_ = {leader, memory_ != nullptr ? 1 : 0, {}};
    if (memory_ == nullptr) return;
    const std::size_t bytes = pattern_bytes * static_cast<std::size_t>(communicator_.size());
    try {
      buffer_.emplace(executor_, bytes);
      executor_.fill_zero(buffer_->data(), bytes);
      executor_.synchronize();
      own_.handle = memory_->handle(*ShareableMemory::find(buffer_->data()));
    } catch (const DeviceError& e) {
      own_.has_memory = 0;
      reason_ = e.what();
    }
  }
  bool is_peer(std::size_t rank) const {
    return own_.has_memory != 0 && buffers_[rank].has_memory != 0 &&
           buffers_[rank].node_leader == own_.node_leader;
  }
  std::uint32_t seed(std::size_t from, std::size_t to) const {
    return static_cast<std::uint32_t>(from * buffers_.size() + to);
  }
  /// Writes the pattern of this rank into the memory of rank `to`; returns whether that succeeded.
  bool write(std::size_t to) {
    if (!is_peer(to)) return false;
    try {
      const auto me = static_cast<std::size_t>(communicator_.rank());
      ShareableBuffer pattern(executor_, pattern_bytes);
      executor_.copy_from_host(pattern.data(), test_pattern(seed(me, to), pattern_size).data(),
                               pattern_bytes);
      executor_.synchronize();
      const OpenedMemory target(*memory_, buffers_[to].handle);
      const auto copy =
          memory_->start_copy(static_cast<std::byte*>(target.base()) + me * pattern_bytes,
                              pattern.data(), pattern_bytes);
      while (!memory_->is_done(copy)) std::this_thread::yield();
      return true;
    } catch (const DeviceError& e) {
      if (reason_.empty()) reason_ = e.what();
      return false;
    }
  }
  /// Whether the pattern of rank `from` has arrived correctly.
  bool check_from(std::size_t from) {
    const bool is_correct = has_arrived(from);
    if (!is_correct && reason_.empty())
      reason_ = "an exchange of device memory delivered wrong bytes";
    return is_correct;
  }
  bool has_arrived(std::size_t from) const {
    std::vector<std::uint32_t> received(pattern_size);
    const auto me = static_cast<std::size_t>(communicator_.rank());
    executor_.copy_to_host(received.data(),
                           static_cast<const std::byte*>(buffer_->data()) + from * pattern_bytes,
                           pattern_bytes);
    return received == test_pattern(seed(from, me), pattern_size);
  }

  const Communicator& communicator_;
  const Executor& executor_;
  PeerMemory* memory_;
  PeerBuffer own_;
  std::vector<PeerBuffer> buffers_;
  std::optional<ShareableBuffer> buffer_;
  std::string reason_;
};

}  // namespace

IpcReport probe_ipc(const Communicator& communicator, const Executor& executor,
                    std::shared_ptr<PeerMemory> memory, std::string no_memory_reason) {
  Probe probe(communicator, executor, memory.get(), std::move(no_memory_reason));
  const std::vector<bool> connected = probe.run();
  Index connected_peers = 0;
  for (int r = 0; r < communicator.size(); ++r)
    connected_peers += connected[static_cast<std::size_t>(r)] && r != communicator.rank();
  const Index ranks = communicator.size();
  IpcReport report{communicator.sum(connected_peers) / 2, ranks * (ranks - 1) / 2, {}};
  const std::string reason =
      probe.reason().empty() ? "no two ranks have GPUs on the same node" : probe.reason();
  if (report.connected < report.pairs) {
    const auto reporter = communicator.min(probe.reason().empty() ? ranks : communicator.rank());
    report.why_not = communicator.broadcast(reason, static_cast<int>(reporter % ranks));
  }
  if (ControlMessages* const control = control_messages_of(communicator.backend());
      control && report.connected > 0)
    control->ipc_connections =
        std::make_shared<IpcConnections>(*control, std::move(memory), connected);
  return report;
}

}  // namespace gsim::detail
