#pragma once
// The MPI backend: ranks are processes that exchange messages through MPI.

#include <cstdint>
#include <list>

#include <mpi.h>

#include "gsim/comm/comm_backend.hpp"
#include "src/comm/control_messages.hpp"
#include "src/comm/mpi/node_sharing.hpp"

namespace gsim::detail {

/// MPI counts have type int, so longer messages are split into pieces of at most `piece` bytes (1
/// GiB; tests use less). This works for MPI 3 and MPI 4 alike.
class MpiBackend final : public CommBackend, public ControlMessages {
 public:
  /// Duplicates `communicator`, so that messages cannot be confused with those of other libraries.
  /// Collective.
  explicit MpiBackend(MPI_Comm communicator, std::int64_t piece = std::int64_t{1} << 30);
  ~MpiBackend() override;
  MpiBackend(const MpiBackend&) = delete;
  MpiBackend& operator=(const MpiBackend&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void barrier() override;
  void broadcast(std::span<std::byte> bytes, int root) override;
  void allreduce(std::span<std::int64_t> values, ReduceOp op) override;
  std::vector<std::vector<std::byte>> allgather(std::span<const std::byte> mine) override;
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine, int root) override;
  std::vector<std::vector<std::byte>> exchange(
      std::vector<std::vector<std::byte>> outgoing) override;
  void shift(const void* outgoing, void* incoming, std::size_t bytes) override;
  std::unique_ptr<Messages> make_messages() override;
  int node_leader() override;
  bool is_oversubscribed() override;
  void* mpi_communicator() override { return &communicator_; }
  [[noreturn]] void abort(int exit_code) override;
  std::string describe() const override;

  void send_control(int peer, int channel, std::span<const std::byte> message) override;
  bool try_receive_control(int peer, int channel, std::span<std::byte> message) override;
  void check_sender(int, int) override {}
  void flush() override;

 private:
  /// A control message that is being sent.
  struct SentControl {
    MPI_Request request = MPI_REQUEST_NULL;
    std::vector<std::byte> bytes;
  };
  std::vector<std::int64_t> allgather_sizes(std::size_t mine);

  MPI_Comm communicator_ = MPI_COMM_NULL;
  std::list<SentControl> sent_controls_;
  std::int64_t piece_;
  int rank_ = 0;
  int size_ = 1;
  NodeSharing sharing_;
};

}  // namespace gsim::detail
