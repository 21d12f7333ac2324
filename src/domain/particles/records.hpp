#pragma once
// Packs rows of several columns into records, one per particle, for messages between ranks.

#include <span>

#include "gsim/domain/particle_store.hpp"
#include "kernels/domain/copy_rows.hpp"

namespace gsim::detail {

/// Size in bytes of a record of `columns`: each row begins at a multiple of 8.
Index record_bytes(const ParticleStore& store, std::span<const ColumnId> columns);

/// Packs: record i receives row from_rows[i] of the store's columns (executor memory; null: row i).
void pack_records(const ParticleStore& store, std::span<const ColumnId> columns,
                  const std::int32_t* from_rows, Index count, std::byte* records);
/// Unpacks: row first_row + (to_rows ? to_rows[i] : i) receives record i.
void unpack_records(ParticleStore& store, std::span<const ColumnId> columns, Index first_row,
                    const std::int32_t* to_rows, Index count, const std::byte* records);

/// Records that become rows to[0 … count), and rows from[0 … count) that become rows to[0 … count).
struct ArrivedRows {
  const std::int32_t* to;
  Index count;
  const std::byte* records;
};
struct MovedRows {
  const std::int32_t *from, *to;
  Index count;
};
/// Unpacks records and moves rows together. No row is the target of both, or of one and moved.
void unpack_and_move(ParticleStore& store, std::span<const ColumnId> columns,
                     const ArrivedRows& arrived, const MovedRows& moved);

}  // namespace gsim::detail
