// Messages between ranks that are threads of one process: the receiver copies the sender's bytes.

#include <algorithm>
#include <cstring>

#include "contract.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/waiting.hpp"
#include "in_process_transport.hpp"

namespace gsim::detail {

// ---- the group

void InProcessGroup::send(std::span<Letter> letters) {
  const std::lock_guard lock(mutex_);
  if (failure_) throw RankUnwound{};
  for (Letter& letter : letters) inboxes_[static_cast<std::size_t>(letter.to)].push_back(&letter);
  changed_.notify_all();
}

InProcessGroup::Letter* InProcessGroup::find_locked(int to, int from, int tag) {
  auto& inbox = inboxes_[static_cast<std::size_t>(to)];
  const auto found = std::find_if(inbox.begin(), inbox.end(), [&](const Letter* letter) {
    return letter->from == from && letter->tag == tag;
  });
  if (found == inbox.end()) return nullptr;
  Letter* const letter = *found;
  inbox.erase(found);
  return letter;
}

void InProcessGroup::abandoned_locked(int by) {
  fail_locked(std::make_exception_ptr(
      CommError("internal error: rank " + std::to_string(by) +
                " returned while another waits for a message between them; please report it")));
  throw RankUnwound{};
}

void InProcessGroup::receive(int to, int from, int tag, void* data, std::size_t bytes) {
  std::unique_lock lock(mutex_);
  Letter* letter = nullptr;
  changed_.wait(lock, [&] {
    if (failure_) return true;
    letter = find_locked(to, from, tag);
    return letter != nullptr || has_left_[static_cast<std::size_t>(from)];
  });
  if (failure_) {
    // A letter that was found has left its inbox: its sender need not wait for it, being failed
    // too.
    throw RankUnwound{};
  }
  if (letter == nullptr) abandoned_locked(from);
  if (letter->bytes != bytes) {
    try {
      wrong_length(from, tag, letter->bytes, bytes);
    } catch (...) {
      fail_locked(std::current_exception());
    }
    throw RankUnwound{};
  }
  letter->state = Letter::State::being_read;
  lock.unlock();
  std::memcpy(data, letter->data, bytes);
  lock.lock();
  letter->state = Letter::State::read;
  changed_.notify_all();
}

void InProcessGroup::settle(std::span<Letter> letters) {
  std::unique_lock lock(mutex_);
  for (Letter& letter : letters) {
    changed_.wait(lock, [&] {
      return failure_ || letter.state == Letter::State::read ||
             (letter.state == Letter::State::waiting &&
              has_left_[static_cast<std::size_t>(letter.to)]);
    });
    if (failure_) throw RankUnwound{};
    if (letter.state != Letter::State::read) abandoned_locked(letter.to);
  }
}

void InProcessGroup::withdraw(std::span<Letter> letters) noexcept {
  std::unique_lock lock(mutex_);
  for (Letter& letter : letters) {
    std::erase(inboxes_[static_cast<std::size_t>(letter.to)], &letter);
    changed_.wait(lock, [&] { return letter.state != Letter::State::being_read; });
  }
}

// ---- notes

void InProcessGroup::send_note(int to, Note note) {
  const std::lock_guard lock(mutex_);
  if (failure_) throw RankUnwound{};
  notes_[static_cast<std::size_t>(to)].push_back(std::move(note));
}

InProcessGroup::NoteBox::iterator InProcessGroup::find_note_locked(int to, int from, int channel) {
  NoteBox& box = notes_[static_cast<std::size_t>(to)];
  return std::find_if(box.begin(), box.end(), [&](const Note& note) {
    return note.from == from && note.channel == channel;
  });
}

bool InProcessGroup::take_note(int to, int from, int channel, std::span<std::byte> bytes) {
  const std::lock_guard lock(mutex_);
  if (failure_) throw RankUnwound{};
  const auto found = find_note_locked(to, from, channel);
  NoteBox& box = notes_[static_cast<std::size_t>(to)];
  if (found == box.end()) return false;
  std::copy(found->bytes.begin(), found->bytes.end(), bytes.begin());
  box.erase(found);
  return true;
}

void InProcessGroup::expect_note(int to, int from, int channel) {
  const std::lock_guard lock(mutex_);
  if (has_left_[static_cast<std::size_t>(from)] &&
      find_note_locked(to, from, channel) == notes_[static_cast<std::size_t>(to)].end())
    abandoned_locked(from);
}

// ---- one rank's messages

namespace {

class InProcessMessages final : public Messages {
 public:
  InProcessMessages(std::shared_ptr<InProcessGroup> group, int rank)
      : group_(std::move(group)), rank_(rank) {}
  ~InProcessMessages() override { group_->withdraw(letters_); }

  void post(int tag, std::span<const OutgoingMessage> outgoing,
            std::span<const IncomingMessage> incoming) override {
    check_post(tag, outgoing, incoming, group_->size(), under_way_);
    letters_.clear();
    for (const OutgoingMessage& m : outgoing)
      if (m.bytes > 0) letters_.push_back({rank_, m.peer, tag, m.data, m.bytes});
    incoming_.assign(incoming.begin(), incoming.end());
    tag_ = tag;
    group_->send(letters_);
    under_way_ = true;
  }
  void progress() override {}
  void finish() override {
    if (!under_way_) return;
    const Waiting waiting;
    for (const IncomingMessage& m : incoming_)
      if (m.bytes > 0) group_->receive(rank_, m.peer, tag_, m.data, m.bytes);
    group_->settle(letters_);
    letters_.clear();
    under_way_ = false;
  }

 private:
  std::shared_ptr<InProcessGroup> group_;
  int rank_;
  int tag_ = 0;
  bool under_way_ = false;
  std::vector<InProcessGroup::Letter> letters_;
  std::vector<IncomingMessage> incoming_;
};

}  // namespace

std::unique_ptr<Messages> InProcessTransport::make_messages() {
  return std::make_unique<InProcessMessages>(group_, rank_);
}

}  // namespace gsim::detail
