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
  const IndexRange mine = partition({0, atoms}, communicator.size(), communicator.rank());
  const std::vector<std::byte> rows = rows_by_id(communicator, store, column, atoms);
  writer.write_rows(path, DatasetShape{c.type, atoms, c.components}, mine, rows.data());
}

void restore_rows(DatasetReader& reader, const std::string& path, const Communicator& communicator,
                  ParticleStore& store, ColumnId column, Index atoms) {
  const ParticleStore::Column& c = store.column(column);
  const DatasetShape shape = reader.shape(path);
  if (shape.rows != atoms || shape.columns != c.components)
    throw IoError(path + " does not hold the atoms of this run");
  const auto bytes = static_cast<std::size_t>(c.row_bytes);
  const ReplicatedDecomposition parts({0, atoms}, communicator.size());
  const IndexRange mine = parts.range(communicator.rank());
  std::vector<std::byte> kept(static_cast<std::size_t>(mine.size()) * bytes);
  reader.read_rows(path, c.type, mine, kept.data());

  // Every rank requests the rows of its atoms, ordered by rank and then by its own rows.
  const Index locals = store.locals();
  const HostRows<std::int64_t> ids(store, store.id(), locals);
  const auto ranks = static_cast<std::size_t>(communicator.size());
  std::vector<std::vector<std::int64_t>> wanted(ranks);
  for (Index i = 0; i < locals; ++i)
    wanted[static_cast<std::size_t>(parts.owner(ids[i]))].push_back(ids[i]);
  const auto asked = communicator.exchange(wanted);
  std::vector<std::vector<std::byte>> answers(ranks);
  for (std::size_t r = 0; r < ranks; ++r)
    for (const std::int64_t id : asked[r]) {
      const std::byte* row = kept.data() + static_cast<std::size_t>(id - mine.first) * bytes;
      answers[r].insert(answers[r].end(), row, row + bytes);
    }
  const auto received = communicator.exchange(std::move(answers));
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
