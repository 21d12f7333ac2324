#include "gsim/domain/migrator.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "gsim/exec/array.hpp"
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

/// Row lists in executor memory: the host's own, or a copy.
class ExecutorRows {
 public:
  ExecutorRows(const Executor& executor, std::span<const std::int32_t> rows) : rows_(rows.data()) {
    if (executor.is_cuda() && !rows.empty()) {
      copy_.emplace(executor, rows);
      rows_ = copy_->view().data;
    }
  }
  const std::int32_t* data() const { return rows_; }

 private:
  const std::int32_t* rows_;
  std::optional<Array<std::int32_t>> copy_;
};

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

Index Migrator::migrate(ParticleStore& store, const Decomposition& decomposition) {
  detail::check_ranks(decomposition.ranks(), communicator_);
  store.resize_ghosts(0);
  const int me = communicator_.rank();
  if (communicator_.size() == 1) return 0;
  const Brick& brick = decomposition.brick(me);
  if (store.executor().is_cuda()) {
    const detail::SelectedRows outside = detail::rows_outside_on_device(store, brick);
    return send(store, group_by_owner(outside, decomposition));
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

Index Migrator::send(ParticleStore& store, detail::Leavers leavers) {
  const auto ranks = static_cast<std::size_t>(communicator_.size());
  std::vector<std::vector<std::int64_t>> counts(ranks);
  for (std::size_t r = 0; r < ranks; ++r) counts[r] = {leavers.count[r]};
  const auto arriving = communicator_.exchange(counts);
  Index arrived = 0;
  for (const auto& count : arriving) arrived += count.at(0);

  std::vector<ColumnId> columns(static_cast<std::size_t>(store.columns()));
  for (int c = 0; c < store.columns(); ++c) columns[static_cast<std::size_t>(c)] = {c};
  const Index bytes = detail::record_bytes(store, columns);
  const auto left = static_cast<Index>(leavers.rows.size());
  outgoing_.reserve(static_cast<std::size_t>(left * bytes));
  incoming_.reserve(static_cast<std::size_t>(arrived * bytes));
  const ExecutorRows rows(store.executor(), leavers.rows);
  detail::pack_records(store, columns, rows.data(), left, outgoing_.data());
  store.executor().synchronize();

  std::vector<OutgoingMessage> out;
  std::vector<IncomingMessage> in;
  Index sent = 0, received = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    const Index going = leavers.count[r], coming = arriving[r][0];
    out.push_back({static_cast<int>(r), outgoing_.data() + sent * bytes,
                   static_cast<std::size_t>(going * bytes)});
    in.push_back({static_cast<int>(r), incoming_.data() + received * bytes,
                  static_cast<std::size_t>(coming * bytes)});
    sent += going;
    received += coming;
  }
  messages_->post(migration_tag, out, in);
  messages_->finish();

  std::sort(leavers.rows.begin(), leavers.rows.end());
  place(store, leavers.rows, arrived, columns);
  return left;
}

void Migrator::place(ParticleStore& store, std::span<const std::int32_t> left, Index arrived,
                     std::span<const ColumnId> columns) {
  const Index old_locals = store.locals(), departed = static_cast<Index>(left.size());
  const Index new_locals = old_locals - departed + arrived;
  // Arrivals fill the gaps first and are then appended; remaining gaps below the new end are filled
  // with the last remaining rows.
  const Index filled = std::min(departed, arrived);
  std::vector<std::int32_t> target(left.begin(), left.begin() + filled);
  for (Index row = old_locals; row < old_locals + arrived - filled; ++row)
    target.push_back(static_cast<std::int32_t>(row));
  if (new_locals > old_locals) store.resize_locals(new_locals);
  const ExecutorRows targets(store.executor(), target);
  detail::unpack_records(store, columns, 0, targets.data(), arrived, incoming_.data());

  if (new_locals < old_locals) {
    std::vector<std::int32_t> to, from;
    auto gap = left.begin() + filled;
    auto next = std::lower_bound(gap, left.end(), new_locals);
    for (Index row = new_locals; row < old_locals; ++row) {
      if (next != left.end() && *next == row) {
        ++next;
        continue;
      }
      from.push_back(static_cast<std::int32_t>(row));
      to.push_back(*gap++);
    }
    const ExecutorRows sources(store.executor(), from), gaps(store.executor(), to);
    const auto moved = static_cast<Index>(from.size());
    outgoing_.reserve(static_cast<std::size_t>(moved * detail::record_bytes(store, columns)));
    detail::pack_records(store, columns, sources.data(), moved, outgoing_.data());
    detail::unpack_records(store, columns, 0, gaps.data(), moved, outgoing_.data());
    store.executor().synchronize();  // the row lists are destroyed
    store.resize_locals(new_locals);
  } else {
    store.executor().synchronize();
  }
}

}  // namespace gsim
