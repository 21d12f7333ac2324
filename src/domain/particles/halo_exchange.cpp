#include <string>

#include "gsim/core/error.hpp"
#include "gsim/core/misuse.hpp"
#include "gsim/domain/halo.hpp"
#include "src/domain/particles/records.hpp"

namespace gsim {

namespace {

int checked(int tag) {
  if (tag < 0 || tag >= HaloExchange::tags)
    throw MisuseError("a HaloExchange cannot have tag " + std::to_string(tag) +
                      "; give one from 0 to " + std::to_string(HaloExchange::tags - 1));
  return tag;
}

}  // namespace

HaloExchange::HaloExchange(const HaloPlan& plan, ParticleStore& store, BufferPath path, int tag)
    : HaloExchange(plan, store, path, ReservedTag{checked(tag)}) {}

HaloExchange::HaloExchange(const HaloPlan& plan, ParticleStore& store, BufferPath path,
                           ReservedTag tag)
    : plan_(plan),
      store_(store),
      path_(path),
      tag_(tag.tag),
      outgoing_(store.executor(), path),
      incoming_(store.executor(), path),
      packed_(store.executor()),
      messages_(make_messages(plan.communicator(), store.executor(), path)) {}

void HaloExchange::post(std::span<const ColumnId> columns) {
  pack(columns);
  send();
}

void HaloExchange::check_plan() const {
  if (under_way_)
    throw MisuseError(
        "a HaloExchange is posted again before its last exchange has ended; call finish() after "
        "each post(), before ghosts are read");
  if (store_.ghosts() != plan_.ghosts())
    throw MisuseError(
        "the ghosts of a ParticleStore have changed since its HaloPlan was built; call "
        "HaloPlan::build() after particles have migrated, before HaloExchange::post()");
}

std::byte* HaloExchange::begin_records(Index record_bytes) {
  check_plan();
  record_bytes_ = record_bytes;
  in_place_ = false;
  outgoing_.reserve(static_cast<std::size_t>(plan_.sent() * record_bytes_));
  return outgoing_.data();
}

const std::byte* HaloExchange::finish_records() {
  finish_messages();
  return incoming_.data();
}

void HaloExchange::pack(std::span<const ColumnId> columns) {
  check_plan();
  for (const ColumnId id : columns)
    if (store_.column(id).ghosts == Ghosts::none)
      throw MisuseError("column \"" + store_.column(id).name +
                        "\" is posted to a HaloExchange, but has no rows for ghosts; add it with "
                        "Ghosts::copied or another kind that has them");
  if (plan_.peers().empty()) return;  // nothing is sent
  columns_.assign(columns.begin(), columns.end());
  record_bytes_ = detail::record_bytes(store_, columns_);
  // A single column on the host: receive directly into its ghost rows.
  in_place_ = columns_.size() == 1 && !store_.executor().is_cuda() && path_ != BufferPath::ipc &&
              record_bytes_ == store_.column(columns_[0]).row_bytes;

  outgoing_.reserve(static_cast<std::size_t>(plan_.sent() * record_bytes_));
  detail::pack_records(store_, columns_, plan_.send_rows(), plan_.sent(), outgoing_.data());
  packed_.record();
}

void HaloExchange::send() {
  under_way_ = true;
  if (plan_.peers().empty()) return;
  packed_.wait();  // packing, and what reads earlier messages, must have finished
  std::byte* into = nullptr;
  if (in_place_) {
    into = store_.data(columns_[0]) + store_.locals() * record_bytes_;
  } else {
    incoming_.reserve(static_cast<std::size_t>(plan_.ghosts() * record_bytes_));
    into = incoming_.data();
  }

  sends_.clear();
  receives_.clear();
  for (const HaloPlan::Peer& peer : plan_.peers()) {
    if (peer.sent > 0)
      sends_.push_back({peer.rank, outgoing_.data() + peer.first_sent * record_bytes_,
                        static_cast<std::size_t>(peer.sent * record_bytes_)});
    if (peer.ghosts > 0)
      receives_.push_back({peer.rank, into + peer.first_ghost * record_bytes_,
                           static_cast<std::size_t>(peer.ghosts * record_bytes_)});
  }
  messages_->post(tag_, sends_, receives_);
}

void HaloExchange::finish_messages() {
  if (under_way_ && !plan_.peers().empty()) messages_->finish();
  under_way_ = false;
}

void HaloExchange::finish() {
  if (!under_way_) return;
  finish_messages();
  if (plan_.peers().empty()) return;
  if (!in_place_)
    detail::unpack_records(store_, columns_, store_.locals(), nullptr, plan_.ghosts(),
                           incoming_.data());
}

}  // namespace gsim
