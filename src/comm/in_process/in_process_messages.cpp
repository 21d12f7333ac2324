// Messages between ranks that are threads of one process: the receiver copies from the memory of
// the sender.

#include <algorithm>
#include <cstring>

#include "gsim/core/error.hpp"
#include "gsim/core/timer.hpp"
#include "src/comm/check_arguments.hpp"
#include "src/comm/in_process/in_process_backend.hpp"

namespace gsim::detail {

// ---- InProcessGroup

void InProcessGroup::send(std::span<SendRequest> requests) {
  const std::lock_guard lock(mutex_);
  if (failure_) throw RankUnwound{};
  for (SendRequest& request : requests)
    inboxes_[static_cast<std::size_t>(request.to)].push_back(&request);
  changed_.notify_all();
}

InProcessGroup::SendRequest* InProcessGroup::match_locked(int to, int from, int tag) {
  auto& inbox = inboxes_[static_cast<std::size_t>(to)];
  const auto found = std::find_if(inbox.begin(), inbox.end(), [&](const SendRequest* request) {
    return request->from == from && request->tag == tag;
  });
  if (found == inbox.end()) return nullptr;
  SendRequest* const request = *found;
  inbox.erase(found);
  return request;
}

void InProcessGroup::fail_missing_peer_locked(int returned_rank) {
  fail_locked(std::make_exception_ptr(
      CommError("internal error: rank " + std::to_string(returned_rank) +
                " returned while another waits for a message between them; please report it")));
  throw RankUnwound{};
}

void InProcessGroup::receive(int to, int from, int tag, void* data, std::size_t bytes) {
  std::unique_lock lock(mutex_);
  SendRequest* request = nullptr;
  changed_.wait(lock, [&] {
    if (failure_) return true;
    request = match_locked(to, from, tag);
    return request != nullptr || has_returned_[static_cast<std::size_t>(from)];
  });
  if (failure_) {
    // A matched request has left its inbox; its sender does not wait for it, because the sender has
    // failed, too.
    throw RankUnwound{};
  }
  if (request == nullptr) fail_missing_peer_locked(from);
  if (request->bytes != bytes) {
    try {
      throw_wrong_length(from, tag, request->bytes, bytes);
    } catch (...) {
      fail_locked(std::current_exception());
    }
    throw RankUnwound{};
  }
  request->state = SendRequest::State::being_read;
  lock.unlock();
  std::memcpy(data, request->data, bytes);
  lock.lock();
  request->state = SendRequest::State::read;
  changed_.notify_all();
}

void InProcessGroup::wait_all(std::span<SendRequest> requests) {
  std::unique_lock lock(mutex_);
  for (SendRequest& request : requests) {
    changed_.wait(lock, [&] {
      return failure_ || request.state == SendRequest::State::read ||
             (request.state == SendRequest::State::waiting &&
              has_returned_[static_cast<std::size_t>(request.to)]);
    });
    if (failure_) throw RankUnwound{};
    if (request.state != SendRequest::State::read) fail_missing_peer_locked(request.to);
  }
}

void InProcessGroup::cancel(std::span<SendRequest> requests) noexcept {
  std::unique_lock lock(mutex_);
  for (SendRequest& request : requests) {
    std::erase(inboxes_[static_cast<std::size_t>(request.to)], &request);
    changed_.wait(lock, [&] { return request.state != SendRequest::State::being_read; });
  }
}

// ---- control messages

void InProcessGroup::send_control(int to, ControlMessage message) {
  const std::lock_guard lock(mutex_);
  if (failure_) throw RankUnwound{};
  control_queues_[static_cast<std::size_t>(to)].push_back(std::move(message));
}

InProcessGroup::ControlQueue::iterator InProcessGroup::find_control_locked(int to, int from,
                                                                           int channel) {
  ControlQueue& queue = control_queues_[static_cast<std::size_t>(to)];
  return std::find_if(queue.begin(), queue.end(), [&](const ControlMessage& message) {
    return message.from == from && message.channel == channel;
  });
}

bool InProcessGroup::try_receive_control(int to, int from, int channel,
                                         std::span<std::byte> bytes) {
  const std::lock_guard lock(mutex_);
  if (failure_) throw RankUnwound{};
  const auto found = find_control_locked(to, from, channel);
  ControlQueue& queue = control_queues_[static_cast<std::size_t>(to)];
  if (found == queue.end()) return false;
  std::copy(found->bytes.begin(), found->bytes.end(), bytes.begin());
  queue.erase(found);
  return true;
}

void InProcessGroup::check_sender(int to, int from, int channel) {
  const std::lock_guard lock(mutex_);
  if (has_returned_[static_cast<std::size_t>(from)] &&
      find_control_locked(to, from, channel) == control_queues_[static_cast<std::size_t>(to)].end())
    fail_missing_peer_locked(from);
}

// ---- InProcessMessages

namespace {

class InProcessMessages final : public Messages {
 public:
  InProcessMessages(std::shared_ptr<InProcessGroup> group, int rank)
      : group_(std::move(group)), rank_(rank) {}
  ~InProcessMessages() override { group_->cancel(requests_); }

  void post(int tag, std::span<const OutgoingMessage> outgoing,
            std::span<const IncomingMessage> incoming) override {
    check_post(tag, outgoing, incoming, group_->size(), under_way_);
    requests_.clear();
    for (const OutgoingMessage& m : outgoing)
      if (m.bytes > 0) requests_.push_back({rank_, m.peer, tag, m.data, m.bytes});
    incoming_.assign(incoming.begin(), incoming.end());
    tag_ = tag;
    group_->send(requests_);
    under_way_ = true;
  }
  void progress() override {}
  void finish() override {
    if (!under_way_) return;
    const WaitScope waiting;
    for (const IncomingMessage& m : incoming_)
      if (m.bytes > 0) group_->receive(rank_, m.peer, tag_, m.data, m.bytes);
    group_->wait_all(requests_);
    requests_.clear();
    under_way_ = false;
  }

 private:
  std::shared_ptr<InProcessGroup> group_;
  int rank_;
  int tag_ = 0;
  bool under_way_ = false;
  std::vector<InProcessGroup::SendRequest> requests_;
  std::vector<IncomingMessage> incoming_;
};

}  // namespace

std::unique_ptr<Messages> InProcessBackend::make_messages() {
  return std::make_unique<InProcessMessages>(group_, rank_);
}

}  // namespace gsim::detail
