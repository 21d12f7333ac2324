#include "src/comm/devices/ipc_messages.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "gsim/core/error.hpp"
#include "gsim/core/timer.hpp"
#include "src/comm/check_arguments.hpp"

namespace gsim::detail {

IpcMessages::IpcMessages(std::shared_ptr<IpcConnections> connections, Executor executor, int size,
                         std::unique_ptr<Messages> staged_messages)
    : connections_(std::move(connections)),
      executor_(std::move(executor)),
      size_(size),
      host_out_(executor_, 0),
      host_in_(executor_, 0),
      staged_messages_(std::move(staged_messages)) {}

IpcMessages::~IpcMessages() {
  connections_->remove(this);
  // During unwinding after an error, copies may still be active, and their memory must not be
  // freed.
  for (const Peer& p : peers_)
    for (std::size_t k = p.delivered_sends; k < p.copies.size(); ++k) {
      try {
        while (!connections_->memory().is_done(p.copies[k])) std::this_thread::yield();
      } catch (const Error&) {  // NOLINT: the first error is being thrown already
      }
    }
}

IpcMessages::Peer& IpcMessages::peer(int rank) {
  const auto found =
      std::find_if(peers_.begin(), peers_.end(), [&](const Peer& p) { return p.rank == rank; });
  if (found != peers_.end()) return *found;
  peers_.push_back({rank, {}, {}, 0, {}, 0});
  return peers_.back();
}

bool IpcMessages::uses(int peer, int tag) const {
  return tag == tag_ &&
         std::any_of(peers_.begin(), peers_.end(), [&](const Peer& p) { return p.rank == peer; });
}

template <class Message>
void IpcMessages::check_tag_is_free(int tag, std::span<const Message> messages) const {
  // Two sets with the same tag and peer would receive each other's control messages.
  for (const Message& m : messages)
    if (m.bytes > 0 && connections_->has_transfer(m.peer, tag))
      throw CommError("internal error: two sets of messages with tag " + std::to_string(tag) +
                      " are active at once with rank " + std::to_string(m.peer) +
                      "; please report it");
}

void IpcMessages::post(int tag, std::span<const OutgoingMessage> outgoing,
                       std::span<const IncomingMessage> incoming) {
  check_post(tag, outgoing, incoming, size_, under_way_);
  check_tag_is_free(tag, outgoing);
  check_tag_is_free(tag, incoming);
  tag_ = tag;
  peers_.clear();
  staged_out_.clear();
  staged_in_.clear();
  for (const IncomingMessage& m : incoming)
    if (m.bytes > 0 && connections_->reaches(m.peer)) {
      peer(m.peer).receives.push_back(m);
      connections_->send(m.peer, buffer_channel(),
                         connections_->export_memory(m.peer, m.data, m.bytes));
    } else {
      staged_in_.push_back(m);
    }
  for (const OutgoingMessage& m : outgoing)
    if (m.bytes > 0 && connections_->reaches(m.peer))
      peer(m.peer).sends.push_back(m);
    else
      staged_out_.push_back(m);
  post_staged();
  under_way_ = true;
  connections_->add(this);
  connections_->release_unused();
  connections_->advance();
}

void IpcMessages::advance() {
  if (failure_) return;
  try {
    for (Peer& p : peers_) advance(p);
  } catch (const Error&) {
    failure_ = std::current_exception();  // other sets must still make progress
  }
}

void IpcMessages::advance(Peer& p) {
  PeerMemory& memory = connections_->memory();
  IpcControl message;
  while (p.copies.size() < p.sends.size() &&
         connections_->try_receive(p.rank, buffer_channel(), message)) {
    const OutgoingMessage& m = p.sends[p.copies.size()];
    p.copies.push_back(
        m.bytes == message.bytes
            ? memory.start_copy(connections_->import_address(p.rank, message), m.data, m.bytes)
            : PeerMemory::Copy{});  // the receiver reports the wrong size
  }
  for (; p.delivered_sends < p.copies.size() && memory.is_done(p.copies[p.delivered_sends]);
       ++p.delivered_sends)
    connections_->send(p.rank, delivery_channel(),
                       {IpcControl::Kind::delivered, p.sends[p.delivered_sends].bytes, 0, {}});
  for (; p.completed_receives < p.receives.size() &&
         connections_->try_receive(p.rank, delivery_channel(), message);
       ++p.completed_receives)
    if (const std::size_t expected = p.receives[p.completed_receives].bytes;
        message.bytes != expected)
      throw_wrong_length(p.rank, tag_, message.bytes, expected);
}

bool IpcMessages::is_complete() const {
  return failure_ || std::all_of(peers_.begin(), peers_.end(), [](const Peer& p) {
           return p.delivered_sends == p.sends.size() && p.completed_receives == p.receives.size();
         });
}

void IpcMessages::progress() {
  if (!under_way_) return;
  staged_messages_->progress();
  connections_->advance();
}

void IpcMessages::wait() {
  const WaitScope waiting;
  for (connections_->advance(); !is_complete(); connections_->advance()) {
    staged_messages_->progress();
    for (const Peer& p : peers_) {
      if (p.copies.size() < p.sends.size()) connections_->check_sender(p.rank, buffer_channel());
      if (p.completed_receives < p.receives.size())
        connections_->check_sender(p.rank, delivery_channel());
    }
    std::this_thread::yield();
  }
}

void IpcMessages::finish() {
  if (!under_way_) return;
  wait();
  under_way_ = false;
  connections_->remove(this);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  finish_staged();
}

namespace {

/// Places the messages one after the other in `host` and sets their addresses accordingly.
template <class Message>
void move_to_host(std::vector<Message>& messages, PinnedBuffer& host, const Executor& executor) {
  std::size_t total = 0;
  for (const Message& m : messages) total += m.bytes;
  if (total > host.bytes().size()) host = PinnedBuffer(executor, total + total / 4);
  std::byte* at = host.bytes().data();
  for (Message& m : messages) m.data = std::exchange(at, at + m.bytes);
}

}  // namespace

void IpcMessages::post_staged() {
  std::vector<OutgoingMessage> out = staged_out_;
  std::vector<IncomingMessage> in = staged_in_;
  if (executor_.is_cuda()) {
    move_to_host(out, host_out_, executor_);
    move_to_host(in, host_in_, executor_);
    std::byte* at = host_out_.bytes().data();
    for (const OutgoingMessage& m : staged_out_)
      executor_.copy_to_host(std::exchange(at, at + m.bytes), m.data, m.bytes);
  }
  staged_messages_->post(tag_, out, in);
}

void IpcMessages::finish_staged() {
  staged_messages_->finish();
  if (!executor_.is_cuda()) return;
  const std::byte* at = host_in_.bytes().data();
  for (const IncomingMessage& m : staged_in_)
    executor_.copy_from_host(m.data, std::exchange(at, at + m.bytes), m.bytes);
}

}  // namespace gsim::detail
