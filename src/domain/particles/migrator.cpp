#include "gsim/domain/migrator.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "src/domain/decomposition/check_ranks.hpp"
#include "src/domain/particles/device_rows.hpp"
#include "src/domain/particles/host_column.hpp"
#include "src/domain/particles/records.hpp"

namespace gsim {

/// The locals that move to other ranks, grouped by rank and ascending within each group.
struct detail::Leavers {
  std::vector<std::int32_t> rows;
  std::vector<std::int64_t> count;  // by rank
};

namespace {

using detail::Leavers;

constexpr int migration_tag = Messages::tags - 2;

/// Groups rows, each with the rank that owns it.
Leavers grouped(std::vector<std::pair<int, std::int32_t>> found, int ranks) {
  std::sort(found.begin(), found.end());
  Leavers leavers;
  leavers.count.resize(static_cast<std::size_t>(ranks));
  for (const auto& [owner, row] : found) {
    ++leavers.count[static_cast<std::size_t>(owner)];
    leavers.rows.push_back(row);
  }
  return leavers;
}

/// goes_to(row) returns the rank that owns the row.
template <class GoesTo>
Leavers find_leavers(const ParticleStore& store, int ranks, int me, GoesTo goes_to) {
  std::vector<std::pair<int, std::int32_t>> found;
  for (Index i = 0; i < store.locals(); ++i)
    if (const int owner = goes_to(i); owner != me)
      found.emplace_back(owner, static_cast<std::int32_t>(i));
  return grouped(std::move(found), ranks);
}

/// The leavers if `outside` are the locals outside this rank's brick.
Leavers group_by_owner(const detail::SelectedRows& outside, const Decomposition& decomposition) {
  std::vector<std::pair<int, std::int32_t>> found;
  for (std::size_t i = 0; i < outside.rows.size(); ++i)
    found.emplace_back(decomposition.owner(outside.positions[i]), outside.rows[i]);
  return grouped(std::move(found), decomposition.ranks());
}

}  // namespace

Migrator::Migrator(Communicator communicator, Executor executor, BufferPath path)
    : communicator_(std::move(communicator)),
      outgoing_(executor, path),
      incoming_(executor, path),
      messages_(make_messages(communicator_, executor, path)) {}

Migrator::~Migrator() = default;
Migrator::Migrator(Migrator&&) noexcept = default;

Index Migrator::migrate(ParticleStore& store, const Decomposition& decomposition) {
  detail::check_ranks(decomposition.ranks(), communicator_);
  store.resize_ghosts(0);
  const int me = communicator_.rank();
  if (communicator_.size() == 1) return 0;
  const Brick& brick = decomposition.brick(me);
  if (store.executor().is_cuda()) {
    if (outside_ == nullptr) outside_ = std::make_unique<detail::RowsOutside>(store.executor());
    return send(store, group_by_owner(outside_->find(store, brick), decomposition));
  }
  const detail::HostColumn<FixedPosition> positions(store, store.position());
  return send(store, find_leavers(store, communicator_.size(), me, [&](Index row) {
                return brick.contains(positions[row]) ? me : decomposition.owner(positions[row]);
              }));
}

Index Migrator::migrate(ParticleStore& store, const ReplicatedDecomposition& decomposition) {
  detail::check_ranks(decomposition.ranks(), communicator_);
  store.resize_ghosts(0);
  Leavers leavers;
  communicator_.agree([&] {
    const detail::HostColumn<std::int64_t> ids(store, store.id());
    leavers = find_leavers(store, communicator_.size(), communicator_.rank(),
                           [&](Index row) { return decomposition.owner(ids[row]); });
  });
  return communicator_.any(!leavers.rows.empty()) ? send(store, std::move(leavers)) : 0;
}

namespace {

/// Lists of rows for a migration: those of particles that go to other ranks,
/// those that receive the `arrived` particles, and those that are moved to close gaps.
class RowChanges {
 public:
  /// `memory`: for the lists on a device, which reads host memory; else null.
  RowChanges(const Executor& executor, Index old_locals, const Leavers& leavers, Index arrived,
             PinnedBuffer* memory)
      : left_(static_cast<Index>(leavers.rows.size())),
        arrived_(arrived),
        locals_(old_locals - left_ + arrived),
        rows_(leavers.rows) {
    std::vector<std::int32_t> left = leavers.rows;
    std::sort(left.begin(), left.end());
    // Arrivals fill the gaps first and are then appended; remaining gaps below the new end are
    // filled with the last remaining rows.
    const Index filled = std::min(left_, arrived);
    rows_.insert(rows_.end(), left.begin(), left.begin() + filled);
    for (Index row = old_locals; row < old_locals + arrived - filled; ++row)
      rows_.push_back(static_cast<std::int32_t>(row));
    const auto gaps = left.begin() + filled;
    auto next = std::lower_bound(gaps, left.end(), locals_);
    for (Index row = locals_; row < old_locals; ++row) {
      if (next != left.end() && *next == row)
        ++next;
      else
        rows_.push_back(static_cast<std::int32_t>(row));
    }
    moved_ = static_cast<Index>(rows_.size()) - left_ - arrived;
    rows_.insert(rows_.end(), gaps, gaps + moved_);
    in_memory_ = rows_.data();
    if (memory != nullptr && !rows_.empty()) {
      const std::size_t bytes = rows_.size() * sizeof(rows_[0]);
      if (memory->bytes().size() < bytes) *memory = PinnedBuffer(executor, bytes + bytes / 2);
      std::memcpy(memory->bytes().data(), rows_.data(), bytes);
      in_memory_ = reinterpret_cast<const std::int32_t*>(memory->bytes().data());
    }
  }

  /// Rows of particles that leave, in the order of `leavers`.
  const std::int32_t* leaving() const { return in_memory_; }
  Index left() const { return left_; }
  /// Rows of arrivals, in the order of their senders; they may be beyond the old locals.
  const std::int32_t* entered() const { return in_memory_ + left_; }
  /// Rows beyond the new locals whose particles move to the rows filled().
  const std::int32_t* moving() const { return in_memory_ + left_ + arrived_; }
  const std::int32_t* filled() const { return moving() + moved_; }
  Index moved() const { return moved_; }
  /// The number of locals afterwards.
  Index locals() const { return locals_; }

 private:
  Index left_, arrived_, locals_, moved_ = 0;
  std::vector<std::int32_t> rows_;
  const std::int32_t* in_memory_ = nullptr;
};

}  // namespace

Index Migrator::send(ParticleStore& store, detail::Leavers leavers) {
  const auto ranks = static_cast<std::size_t>(communicator_.size());
  std::vector<std::vector<std::int64_t>> counts(ranks);
  for (std::size_t r = 0; r < ranks; ++r) counts[r] = {leavers.count[r]};
  const auto arriving = communicator_.exchange(counts);
  Index arrived = 0;
  for (const auto& count : arriving) arrived += count.at(0);
  if (leavers.rows.empty() && arrived == 0) return 0;

  std::vector<ColumnId> columns(static_cast<std::size_t>(store.columns()));
  for (int c = 0; c < store.columns(); ++c) columns[static_cast<std::size_t>(c)] = {c};
  const Index bytes = detail::record_bytes(store, columns);
  if (store.executor().is_cuda() && outside_ == nullptr)
    outside_ = std::make_unique<detail::RowsOutside>(store.executor());
  const RowChanges changes(store.executor(), store.locals(), leavers, arrived,
                           outside_ != nullptr ? &outside_->lists() : nullptr);
  outgoing_.reserve(static_cast<std::size_t>(changes.left() * bytes));
  incoming_.reserve(static_cast<std::size_t>(arrived * bytes));
  detail::pack_records(store, columns, changes.leaving(), changes.left(), outgoing_.data());
  store.executor().synchronize();

  std::vector<OutgoingMessage> out;
  std::vector<IncomingMessage> in;
  Index sent = 0, received = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    const Index going = leavers.count[r], coming = arriving[r][0];
    if (going > 0)
      out.push_back({static_cast<int>(r), outgoing_.data() + sent * bytes,
                     static_cast<std::size_t>(going * bytes)});
    if (coming > 0)
      in.push_back({static_cast<int>(r), incoming_.data() + received * bytes,
                    static_cast<std::size_t>(coming * bytes)});
    sent += going;
    received += coming;
  }
  messages_->post(migration_tag, out, in);
  messages_->finish();

  // Kernels may still read the receive buffer and the lists when this function returns. The next
  // migration waits for them when it searches for particles that have left the domain of this rank.
  if (changes.locals() > store.locals()) store.resize_locals_uninitialised(changes.locals());
  detail::unpack_and_move(store, columns, {changes.entered(), arrived, incoming_.data()},
                          {changes.moving(), changes.filled(), changes.moved()});
  if (changes.locals() < store.locals()) store.resize_locals(changes.locals());
  return changes.left();
}

}  // namespace gsim
