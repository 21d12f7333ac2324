#pragma once
// Ranks that are threads of one process. In a collective operation every rank publishes the address
// of its data, passes a barrier, reads the data of the others, and passes a second barrier. Since
// all ranks are visible, mistakes that would make an MPI run hang or compute wrong data are errors
// here: ranks in different collective operations, a rank that has returned, sizes that differ.

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

/// Thrown to unwind the other ranks when one has failed. It is not a std::exception, so that
/// handlers for errors do not catch it; a handler that catches everything must rethrow it.
struct RankUnwound {};

/// State shared by the ranks of one run.
class InProcessGroup {
 public:
  explicit InProcessGroup(int size)
      : slots_(static_cast<std::size_t>(size)),
        inboxes_(static_cast<std::size_t>(size)),
        control_queues_(static_cast<std::size_t>(size)),
        has_returned_(static_cast<std::size_t>(size)) {}

  int size() const { return static_cast<int>(slots_.size()); }
  /// What a rank publishes to the others during one collective operation.
  struct Slot {
    std::string operation;  ///< name and parameters; must agree on all ranks
    const void* data = nullptr;
    std::size_t count = 0;
  };
  Slot& slot(int rank) { return slots_[static_cast<std::size_t>(rank)]; }

  /// Waits for all ranks. Throws RankUnwound if any rank has failed.
  void barrier();
  /// As barrier(); throws a CommError on all ranks if their operations differ.
  void matching_barrier();
  /// Ends all ranks. The first failure is kept.
  void fail(std::exception_ptr failure) noexcept;
  /// Marks a rank as returned; ranks that still wait for it fail.
  void leave(int rank) noexcept;
  /// The first failure; null if there is none.
  std::exception_ptr failure() const;

  /// A posted message. The data stay in the memory of the sender until the receiver has copied
  /// them.
  struct SendRequest {
    enum class State { waiting, being_read, read };
    int from = 0, to = 0, tag = 0;
    const void* data = nullptr;
    std::size_t bytes = 0;
    State state = State::waiting;
  };
  /// Posts messages to their receivers. The requests must stay at their addresses until completed.
  void send(std::span<SendRequest> requests);
  /// Waits for the first message from `from` to `to` with this tag and copies it. Fails the group
  /// if its size is not `bytes` or if the sender has returned; throws RankUnwound if the group has
  /// failed.
  void receive(int to, int from, int tag, void* data, std::size_t bytes);
  /// Waits until all messages have been received; throws RankUnwound if the group has failed.
  void wait_all(std::span<SendRequest> requests);
  /// Removes requests that have not been matched, and waits for those that are being copied.
  void cancel(std::span<SendRequest> requests) noexcept;

  /// A control message (control_messages.hpp).
  struct ControlMessage {
    int from = 0, channel = 0;
    std::vector<std::byte> bytes;
  };
  void send_control(int to, ControlMessage message);
  /// Receives the first message of this sender and channel, if there is one, and returns whether
  /// there was; throws RankUnwound if the group has failed.
  bool try_receive_control(int to, int from, int channel, std::span<std::byte> bytes);
  /// Fails the group if there is no such message and the sender has returned.
  void check_sender(int to, int from, int channel);

 private:
  // Functions whose names end in _locked require that the caller has locked mutex_.
  using ControlQueue = std::deque<ControlMessage>;
  /// The first control message of the sender and channel, or the end of the queue.
  ControlQueue::iterator find_control_locked(int to, int from, int channel);
  void fail_locked(std::exception_ptr failure) noexcept;
  /// Removes the first message of this sender and tag from the inbox and returns it; null: none.
  SendRequest* match_locked(int to, int from, int tag);
  [[noreturn]] void fail_missing_peer_locked(int returned_rank);
  void barrier(bool compare_operations);
  /// How the operations of the ranks differ; empty: they agree.
  std::string disagreement() const;

  std::vector<Slot> slots_;
  std::vector<std::vector<SendRequest*>> inboxes_;  // by receiver, in the order of posting
  std::vector<ControlQueue> control_queues_;        // by receiver
  std::vector<bool> has_returned_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::exception_ptr failure_;
  int waiting_ = 0;  // number of ranks that wait at the barrier
  int returned_ranks_ = 0;
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
  void flush() override {}  // nothing to do: send_control() delivers immediately

 private:
  /// Publishes `data`, passes a barrier, calls read(), which may access all slots, and passes a
  /// second barrier.
  template <class Read>
  void collective(std::string operation, const void* data, std::size_t count, Read read);
  std::vector<std::byte> bytes_of(int rank) const;

  std::shared_ptr<InProcessGroup> group_;
  int rank_;
};

}  // namespace gsim::detail
