#pragma once
// The transport of real runs: ranks are processes, messages go through MPI.

#include <cstdint>
#include <list>

#include <mpi.h>

#include "gsim/comm/transport.hpp"
#include "node_sharing.hpp"
#include "notes.hpp"

namespace gsim::detail {

/// MPI counts are ints, so longer messages are cut into pieces of at most `piece` bytes (1 GiB;
/// tests make it small). One road for MPI 3 and MPI 4 alike.
class MpiTransport final : public Transport, public Notes {
 public:
  /// Duplicates `communicator`, so that no message can be mistaken for another library's.
  /// Collective.
  explicit MpiTransport(MPI_Comm communicator, std::int64_t piece = std::int64_t{1} << 30);
  ~MpiTransport() override;
  MpiTransport(const MpiTransport&) = delete;
  MpiTransport& operator=(const MpiTransport&) = delete;

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
  bool is_crowded() override;
  void* mpi_communicator() override { return &communicator_; }
  [[noreturn]] void abort(int exit_code) override;
  std::string describe() const override;

  void send_note(int peer, int channel, std::span<const std::byte> note) override;
  bool take_note(int peer, int channel, std::span<std::byte> note) override;
  void expect_note(int, int) override {}
  void settle() override;

 private:
  /// A note on its way.
  struct SentNote {
    MPI_Request request = MPI_REQUEST_NULL;
    std::vector<std::byte> bytes;
  };
  std::vector<std::int64_t> allgather_sizes(std::size_t mine);

  MPI_Comm communicator_ = MPI_COMM_NULL;
  std::list<SentNote> sent_notes_;
  std::int64_t piece_;
  int rank_ = 0;
  int size_ = 1;
  NodeSharing sharing_;
};

}  // namespace gsim::detail
