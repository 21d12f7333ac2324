#include "device_messages.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "contract.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/waiting.hpp"

namespace gsim::detail {

DeviceMessages::DeviceMessages(std::shared_ptr<DeviceLinks> links, Executor executor, int size,
                               std::unique_ptr<Messages> others)
    : links_(std::move(links)),
      executor_(std::move(executor)),
      size_(size),
      host_out_(executor_, 0),
      host_in_(executor_, 0),
      others_(std::move(others)) {}

DeviceMessages::~DeviceMessages() {
  links_->leave(this);
  // On the way out after an error: what is being copied must not be freed.
  for (const Peer& p : peers_)
    for (std::size_t k = p.told; k < p.copies.size(); ++k) {
      try {
        while (!links_->memory().is_done(p.copies[k])) std::this_thread::yield();
      } catch (const Error&) {  // NOLINT: the first error is already under way
      }
    }
}

DeviceMessages::Peer& DeviceMessages::peer(int rank) {
  const auto found =
      std::find_if(peers_.begin(), peers_.end(), [&](const Peer& p) { return p.rank == rank; });
  if (found != peers_.end()) return *found;
  peers_.push_back({rank, {}, {}, 0, {}, 0});
  return peers_.back();
}

bool DeviceMessages::uses(int peer, int tag) const {
  return tag == tag_ &&
         std::any_of(peers_.begin(), peers_.end(), [&](const Peer& p) { return p.rank == peer; });
}

template <class Message>
void DeviceMessages::check_tag_is_free(int tag, std::span<const Message> messages) const {
  // Two would take each other's notes.
  for (const Message& m : messages)
    if (m.bytes > 0 && links_->is_in_use(m.peer, tag))
      throw CommError("internal error: two sets of messages with tag " + std::to_string(tag) +
                      " are under way at once with rank " + std::to_string(m.peer) +
                      "; please report it");
}

void DeviceMessages::post(int tag, std::span<const OutgoingMessage> outgoing,
                          std::span<const IncomingMessage> incoming) {
  check_post(tag, outgoing, incoming, size_, under_way_);
  check_tag_is_free(tag, outgoing);
  check_tag_is_free(tag, incoming);
  tag_ = tag;
  peers_.clear();
  staged_out_.clear();
  staged_in_.clear();
  for (const IncomingMessage& m : incoming)
    if (m.bytes > 0 && links_->reaches(m.peer)) {
      peer(m.peer).receives.push_back(m);
      links_->send(m.peer, room_channel(), links_->offer(m.peer, m.data, m.bytes));
    } else {
      staged_in_.push_back(m);
    }
  for (const OutgoingMessage& m : outgoing)
    if (m.bytes > 0 && links_->reaches(m.peer))
      peer(m.peer).sends.push_back(m);
    else
      staged_out_.push_back(m);
  post_staged();
  under_way_ = true;
  links_->join(this);
  links_->tidy();
  links_->advance();
}

void DeviceMessages::advance() {
  if (failure_) return;
  try {
    for (Peer& p : peers_) advance(p);
  } catch (const Error&) {
    failure_ = std::current_exception();  // other messages may be what is waited for
  }
}

void DeviceMessages::advance(Peer& p) {
  PeerMemory& memory = links_->memory();
  DeviceNote note;
  while (p.copies.size() < p.sends.size() && links_->take(p.rank, room_channel(), note)) {
    const OutgoingMessage& m = p.sends[p.copies.size()];
    p.copies.push_back(m.bytes == note.bytes
                           ? memory.start_copy(links_->place(p.rank, note), m.data, m.bytes)
                           : PeerMemory::Copy{});  // the receiver will say what is wrong
  }
  for (; p.told < p.copies.size() && memory.is_done(p.copies[p.told]); ++p.told)
    links_->send(p.rank, arrival_channel(),
                 {DeviceNote::Kind::arrived, p.sends[p.told].bytes, 0, {}});
  for (; p.arrived < p.receives.size() && links_->take(p.rank, arrival_channel(), note);
       ++p.arrived)
    if (const std::size_t expected = p.receives[p.arrived].bytes; note.bytes != expected)
      wrong_length(p.rank, tag_, note.bytes, expected);
}

bool DeviceMessages::is_complete() const {
  return failure_ || std::all_of(peers_.begin(), peers_.end(), [](const Peer& p) {
           return p.told == p.sends.size() && p.arrived == p.receives.size();
         });
}

void DeviceMessages::progress() {
  if (!under_way_) return;
  others_->progress();
  links_->advance();
}

void DeviceMessages::wait() {
  const Waiting waiting;
  for (links_->advance(); !is_complete(); links_->advance()) {
    others_->progress();
    for (const Peer& p : peers_) {
      if (p.copies.size() < p.sends.size()) links_->expect(p.rank, room_channel());
      if (p.arrived < p.receives.size()) links_->expect(p.rank, arrival_channel());
    }
    std::this_thread::yield();
  }
}

void DeviceMessages::finish() {
  if (!under_way_) return;
  wait();
  under_way_ = false;
  links_->leave(this);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  finish_staged();
}

namespace {

/// Room for the messages' bytes, one after the other; the addresses of `messages` become theirs.
template <class Message>
void move_to_host(std::vector<Message>& messages, PinnedBuffer& host, const Executor& executor) {
  std::size_t total = 0;
  for (const Message& m : messages) total += m.bytes;
  if (total > host.bytes().size()) host = PinnedBuffer(executor, total + total / 4);
  std::byte* at = host.bytes().data();
  for (Message& m : messages) m.data = std::exchange(at, at + m.bytes);
}

}  // namespace

void DeviceMessages::post_staged() {
  std::vector<OutgoingMessage> out = staged_out_;
  std::vector<IncomingMessage> in = staged_in_;
  if (executor_.is_cuda()) {
    move_to_host(out, host_out_, executor_);
    move_to_host(in, host_in_, executor_);
    std::byte* at = host_out_.bytes().data();
    for (const OutgoingMessage& m : staged_out_)
      executor_.copy_to_host(std::exchange(at, at + m.bytes), m.data, m.bytes);
  }
  others_->post(tag_, out, in);
}

void DeviceMessages::finish_staged() {
  others_->finish();
  if (!executor_.is_cuda()) return;
  const std::byte* at = host_in_.bytes().data();
  for (const IncomingMessage& m : staged_in_)
    executor_.copy_from_host(m.data, std::exchange(at, at + m.bytes), m.bytes);
}

}  // namespace gsim::detail
