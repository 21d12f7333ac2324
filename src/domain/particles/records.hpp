#pragma once
// Rows of several columns as records, one a particle, on their way between ranks.

#include <span>

#include "gsim/domain/particle_store.hpp"
#include "kernels/domain/copy_rows.hpp"

namespace gsim::detail {

/// Bytes of a record of `columns`: each row begins at a multiple of 8.
Index record_bytes(const ParticleStore& store, std::span<const ColumnId> columns);

/// Record i becomes row from_rows[i] of the store's columns (executor memory; null: row i).
void pack_records(const ParticleStore& store, std::span<const ColumnId> columns,
                  const std::int32_t* from_rows, Index count, std::byte* records);
/// Row first_row + (to_rows ? to_rows[i] : i) becomes what record i says.
void unpack_records(ParticleStore& store, std::span<const ColumnId> columns, Index first_row,
                    const std::int32_t* to_rows, Index count, const std::byte* records);

}  // namespace gsim::detail
