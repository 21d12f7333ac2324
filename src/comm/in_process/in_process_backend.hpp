#pragma once
// Ranks that are threads of one process. A collective is: show the others where my bytes are, meet,
// read theirs, meet again. Because all ranks are visible, mistakes that would hang or corrupt an
// MPI run are errors here: ranks in different collectives, a rank that has left, sizes that
// disagree.

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "gsim/comm/comm_backend.hpp"
#include "src/comm/control_messages.hpp"

namespace gsim::detail {

/// Unwinds the ranks that did not fail when another one did. Not an std::exception, so that no
/// handler for errors mistakes it for one; whoever catches everything must rethrow it.
struct RankUnwound {};

/// What the ranks of one run share.
class InProcessGroup {
 public:
  explicit InProcessGroup(int size)
      : slots_(static_cast<std::size_t>(size)),
        inboxes_(static_cast<std::size_t>(size)),
        control_queues_(static_cast<std::size_t>(size)),
        has_left_(static_cast<std::size_t>(size)) {}

  int size() const { return static_cast<int>(slots_.size()); }
  /// What a rank shows to the others for the duration of one collective.
  struct Slot {
    std::string operation;  ///< with its root and the like: must agree on all ranks
    const void* data = nullptr;
    std::size_t count = 0;
  };
  Slot& slot(int rank) { return slots_[static_cast<std::size_t>(rank)]; }

  /// Waits for all ranks. Throws RankUnwound once any rank has failed.
  void barrier();
  /// The same, and a CommError on all ranks when their operations differ.
  void matching_barrier();
  /// Ends all ranks; the first failure is kept.
  void fail(std::exception_ptr failure) noexcept;
  /// A rank's body has returned; those that still wait for it fail.
  void leave(int rank) noexcept;
  /// The first failure, or null.
  std::exception_ptr failure() const;

  /// A message on its way: it stays with its sender, whose bytes the receiver copies itself.
  struct SendRequest {
    enum class State { waiting, being_read, read };
    int from = 0, to = 0, tag = 0;
    const void* data = nullptr;
    std::size_t bytes = 0;
    State state = State::waiting;
  };
  /// Shows requests to their receivers; they must stay where they are until completed.
  void send(std::span<SendRequest> requests);
  /// Waits for the first request from `from` with `tag` to `to`, and copies it. Fails the group
  /// when its length is not `bytes` or its sender has left; throws RankUnwound once the group
  /// failed.
  void receive(int to, int from, int tag, void* data, std::size_t bytes);
  /// Waits until all have been read; throws RankUnwound once the group has failed.
  void wait_all(std::span<SendRequest> requests);
  /// Takes requests back that nobody has read, and waits for those that are being read.
  void cancel(std::span<SendRequest> requests) noexcept;

  /// A small message, by value (control_messages.hpp).
  struct ControlMessage {
    int from = 0, channel = 0;
    std::vector<std::byte> bytes;
  };
  void send_control(int to, ControlMessage message);
  /// The first of that sender and channel, if any; throws RankUnwound once the group has failed.
  bool try_receive_control(int to, int from, int channel, std::span<std::byte> bytes);
  /// Fails the group when there is none and its sender has left.
  void check_sender(int to, int from, int channel);

 private:
  using ControlQueue = std::deque<ControlMessage>;
  ControlQueue::iterator find_control_locked(int to, int from, int channel);
  void fail_locked(std::exception_ptr failure) noexcept;
  SendRequest* match_locked(int to, int from, int tag);
  [[noreturn]] void fail_missing_peer_locked(int by);
  void barrier(bool compare);
  std::string disagreement() const;

  std::vector<Slot> slots_;
  std::vector<std::vector<SendRequest*>> inboxes_;  // by receiver, in the order posted
  std::vector<ControlQueue> control_queues_;  // by receiver
  std::vector<bool> has_left_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::exception_ptr failure_;
  int waiting_ = 0;
  int left_ = 0;
  unsigned long barriers_passed_ = 0;
};

class InProcessBackend final : public CommBackend, public ControlMessages {
 public:
  InProcessBackend(std::shared_ptr<InProcessGroup> group, int rank)
      : group_(std::move(group)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return group_->size(); }
  void barrier() override;
  void broadcast(std::span<std::byte> bytes, int root) override;
  void allreduce(std::span<std::int64_t> values, ReduceOp op) override;
  std::vector<std::vector<std::byte>> allgather(std::span<const std::byte> mine) override;
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine, int root) override;
  std::vector<std::vector<std::byte>> exchange(
      std::vector<std::vector<std::byte>> outgoing) override;
  void shift(const void* outgoing, void* incoming, std::size_t bytes) override;
  std::unique_ptr<Messages> make_messages() override;
  int node_leader() override { return 0; }
  bool in_process() const override { return true; }
  [[noreturn]] void abort(int exit_code) override;
  std::string describe() const override;

  void send_control(int peer, int channel, std::span<const std::byte> message) override {
    group_->send_control(peer, {rank_, channel, {message.begin(), message.end()}});
  }
  bool try_receive_control(int peer, int channel, std::span<std::byte> message) override {
    return group_->try_receive_control(rank_, peer, channel, message);
  }
  void check_sender(int peer, int channel) override { group_->check_sender(rank_, peer, channel); }
  void flush() override {}  // control messages are with their receivers when sent

 private:
  /// Shows data, meets; read() then sees all slots; meets again before they go.
  template <class Read>
  void collective(std::string operation, const void* data, std::size_t count, Read read);
  std::vector<std::byte> bytes_of(int rank) const;

  std::shared_ptr<InProcessGroup> group_;
  int rank_;
};

}  // namespace gsim::detail
