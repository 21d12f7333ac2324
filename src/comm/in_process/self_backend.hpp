#pragma once
// The backend of a single rank: every collective operation is a copy.

#include <deque>
#include <utility>
#include <vector>

#include "gsim/comm/comm_backend.hpp"
#include "src/comm/control_messages.hpp"

namespace gsim::detail {

class SelfBackend final : public CommBackend, public ControlMessages {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void barrier() override {}
  void broadcast(std::span<std::byte> bytes, int root) override;
  void allreduce(std::span<std::int64_t> values, ReduceOp op) override;
  std::vector<std::vector<std::byte>> allgather(std::span<const std::byte> mine) override;
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine, int root) override;
  std::vector<std::vector<std::byte>> exchange(
      std::vector<std::vector<std::byte>> outgoing) override;
  void shift(const void* outgoing, void* incoming, std::size_t bytes) override;
  std::unique_ptr<Messages> make_messages() override;
  int node_leader() override { return 0; }
  [[noreturn]] void abort(int exit_code) override;
  std::string describe() const override { return "1 rank"; }

  void send_control(int peer, int channel, std::span<const std::byte> message) override;
  bool try_receive_control(int peer, int channel, std::span<std::byte> message) override;
  void check_sender(int peer, int channel) override;
  void flush() override {}

 private:
  std::deque<std::pair<int, std::vector<std::byte>>> control_;  // channel and bytes
};

}  // namespace gsim::detail
