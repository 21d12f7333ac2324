#pragma once
// The transport of a single rank: every collective is a copy.

#include "gsim/comm/transport.hpp"

namespace gsim::detail {

class SelfTransport final : public Transport {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void barrier() override {}
  void broadcast(std::span<std::byte> bytes, int root) override;
  void allreduce(std::span<std::int64_t> values, ReduceOp op) override;
  std::vector<std::vector<std::byte>> allgather(std::span<const std::byte> mine) override;
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine, int root) override;
  std::vector<std::vector<std::byte>> exchange(
      const std::vector<std::vector<std::byte>>& outgoing) override;
  void shift(const void* outgoing, void* incoming, std::size_t bytes) override;
  std::unique_ptr<Messages> make_messages() override;
  int node_leader() override { return 0; }
  [[noreturn]] void abort(int exit_code) override;
  std::string describe() const override { return "1 rank"; }
};

}  // namespace gsim::detail
