#include "src/modules/md/sampling/atom_rows.hpp"

#include <cstring>
#include <vector>

#include "gsim/core/error.hpp"
#include "gsim/domain/migrator.hpp"
#include "gsim/domain/replicated.hpp"
#include "src/modules/md/correlations/atom_sums.hpp"

namespace gsim::md {

void save_rows(DatasetWriter& writer, const std::string& path, const Communicator& communicator,
               const ParticleStore& store, ColumnId column, Index atoms) {
  const ParticleStore::Column& c = store.column(column);
  const IndexRange own_range = partition({0, atoms}, communicator.size(), communicator.rank());
  const std::vector<std::byte> rows = rows_by_id(communicator, store, column, atoms);
  writer.write_rows(path, DatasetShape{c.type, atoms, c.components}, own_range, rows.data());
}

void restore_rows(DatasetReader& reader, const std::string& path, const Communicator& communicator,
                  ParticleStore& store, ColumnId column, Index atoms) {
  const ParticleStore::Column& c = store.column(column);
  const DatasetShape shape = reader.shape(path);
  if (shape.rows != atoms || shape.columns != c.components)
    throw IoError(path + " has another number of atoms than this run");
  const auto bytes = static_cast<std::size_t>(c.row_bytes);
  const ReplicatedDecomposition parts({0, atoms}, communicator.size());
  const IndexRange own_range = parts.range(communicator.rank());
  std::vector<std::byte> own_rows(static_cast<std::size_t>(own_range.size()) * bytes);
  reader.read_rows(path, c.type, own_range, own_rows.data());

  // Every rank requests the rows of its atoms, ordered by rank and then by its own rows.
  const Index locals = store.locals();
  const HostColumn<std::int64_t> ids(store, store.id(), locals);
  const auto ranks = static_cast<std::size_t>(communicator.size());
  std::vector<std::vector<std::int64_t>> requested_ids(ranks);
  for (Index i = 0; i < locals; ++i)
    requested_ids[static_cast<std::size_t>(parts.owner(ids[i]))].push_back(ids[i]);
  const auto received_ids = communicator.exchange(requested_ids);
  std::vector<std::vector<std::byte>> replies(ranks);
  for (std::size_t r = 0; r < ranks; ++r)
    for (const std::int64_t id : received_ids[r]) {
      const std::byte* row =
          own_rows.data() + static_cast<std::size_t>(id - own_range.first) * bytes;
      replies[r].insert(replies[r].end(), row, row + bytes);
    }
  const auto received = communicator.exchange(std::move(replies));
  std::vector<std::byte> rows(static_cast<std::size_t>(locals) * bytes);
  std::vector<std::size_t> next(ranks, 0);
  for (Index i = 0; i < locals; ++i) {
    const auto r = static_cast<std::size_t>(parts.owner(ids[i]));
    std::memcpy(rows.data() + static_cast<std::size_t>(i) * bytes, received[r].data() + next[r],
                bytes);
    next[r] += bytes;
  }
  if (!rows.empty()) store.executor().copy_from_host(store.data(column), rows.data(), rows.size());
}

void copy_rows(ParticleStore& store, ColumnId from, ColumnId to) {
  GSIM_EXPECT(store.column(from).row_bytes == store.column(to).row_bytes);
  const auto bytes = static_cast<std::size_t>(store.locals() * store.column(from).row_bytes);
  if (bytes == 0) return;
  if (!store.executor().is_cuda()) {
    std::memcpy(store.data(to), store.data(from), bytes);
    return;
  }
  std::vector<std::byte> rows(bytes);
  store.executor().copy_to_host(rows.data(), store.data(from), bytes);
  store.executor().copy_from_host(store.data(to), rows.data(), bytes);
}

}  // namespace gsim::md
