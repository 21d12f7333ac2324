#include "src/comm/in_process/self_backend.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "gsim/core/error.hpp"
#include "src/comm/check_arguments.hpp"

namespace gsim::detail {

namespace {

/// Messages of a rank to itself.
class SelfMessages final : public Messages {
 public:
  void post(int tag, std::span<const OutgoingMessage> outgoing,
            std::span<const IncomingMessage> incoming) override {
    check_post(tag, outgoing, incoming, 1, under_way_);
    outgoing_.assign(outgoing.begin(), outgoing.end());
    incoming_.assign(incoming.begin(), incoming.end());
    const auto is_empty = [](const auto& m) { return m.bytes == 0; };
    std::erase_if(outgoing_, is_empty);
    std::erase_if(incoming_, is_empty);
    if (outgoing_.size() != incoming_.size())
      throw CommError("internal error: a rank sends itself " + std::to_string(outgoing_.size()) +
                      " messages and expects " + std::to_string(incoming_.size()) +
                      "; please report it");
    tag_ = tag;
    under_way_ = true;
  }
  void progress() override {}
  void finish() override {
    if (!under_way_) return;
    under_way_ = false;
    for (std::size_t i = 0; i < outgoing_.size(); ++i) {
      const std::size_t bytes = outgoing_[i].bytes;
      if (bytes != incoming_[i].bytes) throw_wrong_length(0, tag_, bytes, incoming_[i].bytes);
      std::memcpy(incoming_[i].data, outgoing_[i].data, bytes);
    }
  }

 private:
  std::vector<OutgoingMessage> outgoing_;
  std::vector<IncomingMessage> incoming_;
  int tag_ = 0;
  bool under_way_ = false;
};

}  // namespace

std::unique_ptr<Messages> SelfBackend::make_messages() { return std::make_unique<SelfMessages>(); }

void SelfBackend::broadcast(std::span<std::byte>, int root) { check_root(root, 1); }

void SelfBackend::allreduce(std::span<std::int64_t>, ReduceOp) {}

std::vector<std::vector<std::byte>> SelfBackend::allgather(std::span<const std::byte> mine) {
  return {std::vector<std::byte>(mine.begin(), mine.end())};
}

std::vector<std::vector<std::byte>> SelfBackend::gather(std::span<const std::byte> mine, int root) {
  check_root(root, 1);
  return allgather(mine);
}

std::vector<std::vector<std::byte>> SelfBackend::exchange(
    std::vector<std::vector<std::byte>> outgoing) {
  check_exchange(outgoing.size(), 1);
  return outgoing;
}

void SelfBackend::shift(const void* outgoing, void* incoming, std::size_t bytes) {
  if (bytes > 0) std::memcpy(incoming, outgoing, bytes);
}

void SelfBackend::send_control(int, int channel, std::span<const std::byte> message) {
  control_.emplace_back(channel, std::vector(message.begin(), message.end()));
}

bool SelfBackend::try_receive_control(int, int channel, std::span<std::byte> message) {
  const auto found = std::find_if(control_.begin(), control_.end(),
                                  [&](const auto& n) { return n.first == channel; });
  if (found == control_.end()) return false;
  std::copy(found->second.begin(), found->second.end(), message.begin());
  control_.erase(found);
  return true;
}

void SelfBackend::check_sender(int, int channel) {
  const auto has_channel = [&](const auto& n) { return n.first == channel; };
  if (std::none_of(control_.begin(), control_.end(), has_channel))
    throw CommError(
        "internal error: a rank waits for a message that it does not send itself; "
        "please report it");
}

void SelfBackend::abort(int exit_code) {
  std::fflush(nullptr);
  std::_Exit(exit_code);
}

}  // namespace gsim::detail
