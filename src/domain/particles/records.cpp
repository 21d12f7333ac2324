#include "src/domain/particles/records.hpp"

#include "src/domain/particles/copy_columns.hpp"

namespace gsim::detail {

Index record_bytes(const ParticleStore& store, std::span<const ColumnId> columns) {
  Index bytes = 0;
  for (const ColumnId id : columns) bytes += padded(store.column(id).row_bytes);
  return bytes;
}

void pack_records(const ParticleStore& store, std::span<const ColumnId> columns,
                  const std::int32_t* from_rows, Index count, std::byte* records) {
  domain::CopyRowsArgs args;
  args.from_rows = from_rows;
  args.rows = count;
  const Index stride = record_bytes(store, columns);
  const auto row_bytes = [&](std::size_t k) { return store.column(columns[k]).row_bytes; };
  copy_columns(store.executor(), args, columns.size(), row_bytes,
               [&](domain::ColumnCopy& copy, std::size_t k, Index offset) {
                 const Index bytes = row_bytes(k);
                 copy = {store.data(columns[k]), records + offset, bytes, stride, bytes};
               });
}

void unpack_records(ParticleStore& store, std::span<const ColumnId> columns, Index first_row,
                    const std::int32_t* to_rows, Index count, const std::byte* records) {
  domain::CopyRowsArgs args;
  args.to_rows = to_rows;
  args.rows = count;
  const Index stride = record_bytes(store, columns);
  const auto row_bytes = [&](std::size_t k) { return store.column(columns[k]).row_bytes; };
  copy_columns(
      store.executor(), args, columns.size(), row_bytes,
      [&](domain::ColumnCopy& copy, std::size_t k, Index offset) {
        const Index bytes = row_bytes(k);
        copy = {records + offset, store.data(columns[k]) + first_row * bytes, stride, bytes, bytes};
      });
}

void unpack_and_move(ParticleStore& store, std::span<const ColumnId> columns,
                     const ArrivedRows& arrived, const MovedRows& moved) {
  const Index stride = record_bytes(store, columns);
  domain::CopyRowsArgs unpack, move;
  unpack.to_rows = arrived.to;
  unpack.rows = arrived.count;
  move.from_rows = moved.from;
  move.to_rows = moved.to;
  move.rows = moved.count;
  const auto row_bytes = [&](std::size_t k) { return store.column(columns[k]).row_bytes; };
  copy_columns_of_two_sets(
      store.executor(), unpack, move, columns.size(), row_bytes,
      [&](domain::ColumnCopy& unpacked, domain::ColumnCopy& copy, std::size_t k, Index offset) {
        const Index bytes = row_bytes(k);
        std::byte* const data = store.data(columns[k]);
        unpacked = {arrived.records + offset, data, stride, bytes, bytes};
        copy = {data, data, bytes, bytes, bytes};
      });
}

}  // namespace gsim::detail
