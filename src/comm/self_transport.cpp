#include "self_transport.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "contract.hpp"
#include "gsim/core/error.hpp"

namespace gsim::detail {

void check_root(int root, int size) {
  if (root < 0 || root >= size)
    throw CommError("internal error: rank " + std::to_string(root) + " of " + std::to_string(size) +
                    " as root of a collective; please report it");
}

void check_exchange(std::size_t parts, int size) {
  if (parts != static_cast<std::size_t>(size))
    throw CommError("internal error: exchange() was given " + std::to_string(parts) +
                    " parts for " + std::to_string(size) + " ranks; please report it");
}

void check_post(int tag, std::span<const OutgoingMessage> outgoing,
                std::span<const IncomingMessage> incoming, int size, bool under_way) {
  const auto internal = [](const std::string& what) {
    return CommError("internal error: " + what + "; please report it");
  };
  if (under_way) throw internal("messages are posted before those under way are finished");
  if (tag < 0 || tag >= Messages::tags) throw internal("message tag " + std::to_string(tag));
  const auto check_peer = [&](int peer) {
    if (peer < 0 || peer >= size)
      throw internal("a message to or from rank " + std::to_string(peer) + " of " +
                     std::to_string(size));
  };
  for (const OutgoingMessage& m : outgoing) check_peer(m.peer);
  for (const IncomingMessage& m : incoming) check_peer(m.peer);
}

void wrong_length(int from, int tag, std::size_t bytes, std::size_t expected) {
  throw CommError("internal error: a message from rank " + std::to_string(from) + " with tag " +
                  std::to_string(tag) + " has " + std::to_string(bytes) + " bytes where " +
                  std::to_string(expected) + " are expected; please report it");
}

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
      if (bytes != incoming_[i].bytes) wrong_length(0, tag_, bytes, incoming_[i].bytes);
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

std::unique_ptr<Messages> SelfTransport::make_messages() {
  return std::make_unique<SelfMessages>();
}

void SelfTransport::broadcast(std::span<std::byte>, int root) { check_root(root, 1); }

void SelfTransport::allreduce(std::span<std::int64_t>, ReduceOp) {}

std::vector<std::vector<std::byte>> SelfTransport::allgather(std::span<const std::byte> mine) {
  return {std::vector<std::byte>(mine.begin(), mine.end())};
}

std::vector<std::vector<std::byte>> SelfTransport::gather(std::span<const std::byte> mine,
                                                          int root) {
  check_root(root, 1);
  return allgather(mine);
}

std::vector<std::vector<std::byte>> SelfTransport::exchange(
    std::vector<std::vector<std::byte>> outgoing) {
  check_exchange(outgoing.size(), 1);
  return outgoing;
}

void SelfTransport::shift(const void* outgoing, void* incoming, std::size_t bytes) {
  if (bytes > 0) std::memcpy(incoming, outgoing, bytes);
}

void SelfTransport::send_note(int, int channel, std::span<const std::byte> note) {
  notes_.emplace_back(channel, std::vector(note.begin(), note.end()));
}

bool SelfTransport::take_note(int, int channel, std::span<std::byte> note) {
  const auto found =
      std::find_if(notes_.begin(), notes_.end(), [&](const auto& n) { return n.first == channel; });
  if (found == notes_.end()) return false;
  std::copy(found->second.begin(), found->second.end(), note.begin());
  notes_.erase(found);
  return true;
}

void SelfTransport::expect_note(int, int channel) {
  const auto is_it = [&](const auto& n) { return n.first == channel; };
  if (std::none_of(notes_.begin(), notes_.end(), is_it))
    throw CommError(
        "internal error: a rank waits for a message that it does not send itself; "
        "please report it");
}

void SelfTransport::abort(int exit_code) {
  std::fflush(nullptr);
  std::_Exit(exit_code);
}

}  // namespace gsim::detail
