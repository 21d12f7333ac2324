#include "gsim/engine/particle_state.hpp"

#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/domain/migrator.hpp"

namespace gsim {
namespace {

/// `columns`, or all columns but the id if `columns` is empty.
std::vector<ColumnId> chosen(const ParticleStore& store, std::span<const ColumnId> columns) {
  std::vector<ColumnId> all(columns.begin(), columns.end());
  for (int c = 0; c < store.columns() && columns.empty(); ++c)
    if (ColumnId{c} != store.id()) all.push_back({c});
  return all;
}

std::string path_of(std::string_view group, const ParticleStore::Column& column) {
  return fmt::format("{}/{}", group, column.name);
}

/// The ids whose rows this rank writes and reads.
IndexRange share_of(const Communicator& communicator, Index total) {
  return partition({0, total}, communicator.size(), communicator.rank());
}

}  // namespace

void save_particles(DatasetWriter& writer, std::string_view group, const Communicator& communicator,
                    const ParticleStore& store, Index total, std::span<const ColumnId> columns) {
  for (const ColumnId id : chosen(store, columns)) {
    const auto& column = store.column(id);
    const std::vector<std::byte> rows = rows_by_id(communicator, store, id, total);
    writer.write_rows(path_of(group, column), DatasetShape{column.type, total, column.components},
                      share_of(communicator, total), rows.data());
  }
}

void restore_particles(DatasetReader& reader, std::string_view group,
                       const Communicator& communicator, ParticleStore& store, Index total,
                       std::span<const ColumnId> columns) {
  const IndexRange mine = share_of(communicator, total);
  store.make_locals(mine);
  for (const ColumnId id : chosen(store, columns)) {
    const auto& column = store.column(id);
    const std::string path = path_of(group, column);
    const DatasetShape shape = reader.shape(path);
    if (shape.rows != total || shape.columns != column.components)
      throw IoError(
          fmt::format("dataset {} has {} rows of {} columns; {} particles with {} components are "
                      "to be read from it",
                      path, shape.rows, shape.columns, total, column.components));
    std::vector<std::byte> rows(static_cast<std::size_t>(mine.size() * column.row_bytes));
    reader.read_rows(path, column.type, mine, rows.data());
    if (!rows.empty()) store.executor().copy_from_host(store.data(id), rows.data(), rows.size());
  }
}

void write_coordinates(DatasetWriter& writer, std::string_view path,
                       const Communicator& communicator, const ParticleStore& store, const Box& box,
                       Index total) {
  const std::vector<std::byte> rows = rows_by_id(communicator, store, store.position(), total);
  std::vector<double> coordinates;
  coordinates.reserve(rows.size() / sizeof(double));
  for (std::size_t at = 0; at < rows.size(); at += sizeof(FixedPosition)) {
    FixedPosition position;
    std::memcpy(&position, rows.data() + at, sizeof position);
    const Vector3 x = box.to_cartesian(position);
    coordinates.insert(coordinates.end(), x.begin(), x.end());
  }
  writer.write_rows(path, DatasetShape{ElementType::float64, total, 3},
                    share_of(communicator, total), coordinates.data());
}

}  // namespace gsim
