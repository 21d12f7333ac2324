#include "records.hpp"

namespace gsim::detail {
namespace {

Index padded(Index bytes) { return (bytes + 7) / 8 * 8; }

/// Launches in groups of as many columns as a kernel takes. fill(copy, column, offset) says from
/// where to where.
template <class Fill>
void launch_groups(const ParticleStore& store, std::span<const ColumnId> columns,
                   domain::CopyRowsArgs args, Fill fill) {
  Index offset = 0;
  args.columns = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    fill(args.column[args.columns++], columns[k], offset);
    offset += padded(store.column(columns[k]).row_bytes);
    if (args.columns == domain::CopyRowsArgs::most_columns || k + 1 == columns.size()) {
      domain_copy_rows(store.executor(), args);
      args.columns = 0;
    }
  }
}

}  // namespace

Index record_bytes(const ParticleStore& store, std::span<const ColumnId> columns) {
  Index bytes = 0;
  for (const ColumnId id : columns) bytes += padded(store.column(id).row_bytes);
  return bytes;
}

void pack_records(const ParticleStore& store, std::span<const ColumnId> columns,
                  const std::int32_t* from_rows, Index count, std::byte* records) {
  if (count == 0) return;
  domain::CopyRowsArgs args;
  args.from_rows = from_rows;
  args.rows = count;
  const Index stride = record_bytes(store, columns);
  launch_groups(store, columns, args, [&](domain::ColumnCopy& copy, ColumnId id, Index offset) {
    const Index bytes = store.column(id).row_bytes;
    copy = {store.data(id), records + offset, bytes, stride, bytes};
  });
}

void unpack_records(ParticleStore& store, std::span<const ColumnId> columns, Index first_row,
                    const std::int32_t* to_rows, Index count, const std::byte* records) {
  if (count == 0) return;
  domain::CopyRowsArgs args;
  args.to_rows = to_rows;
  args.rows = count;
  const Index stride = record_bytes(store, columns);
  launch_groups(store, columns, args, [&](domain::ColumnCopy& copy, ColumnId id, Index offset) {
    const Index bytes = store.column(id).row_bytes;
    copy = {records + offset, store.data(id) + first_row * bytes, stride, bytes, bytes};
  });
}

}  // namespace gsim::detail
