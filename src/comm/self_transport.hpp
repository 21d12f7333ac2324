#pragma once
// The transport of a single rank: every collective is a copy.

#include <deque>
#include <utility>
#include <vector>

#include "gsim/comm/transport.hpp"
#include "notes.hpp"

namespace gsim::detail {

class SelfTransport final : public Transport, public Notes {
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

  void send_note(int peer, int channel, std::span<const std::byte> note) override;
  bool take_note(int peer, int channel, std::span<std::byte> note) override;
  void expect_note(int peer, int channel) override;
  void settle() override {}

 private:
  std::deque<std::pair<int, std::vector<std::byte>>> notes_;  // channel and content
};

}  // namespace gsim::detail
