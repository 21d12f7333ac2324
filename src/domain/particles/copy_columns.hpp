#pragma once
// Rows of any number of columns or fields as records, through a kernel that takes a few at a time.

#include "kernels/domain/copy_rows.hpp"

namespace gsim::detail {

/// Bytes that a row takes in a record: rows begin at multiples of 8.
inline Index padded(Index row_bytes) { return (row_bytes + 7) / 8 * 8; }

/// Copies the rows that `args` names of `count` columns: row_bytes(k) are those of column k, and
/// fill(copy, k, offset) says from where to where, `offset` being the column's place in a record.
template <class RowBytes, class Fill>
void copy_columns(const Executor& executor, domain::CopyRowsArgs args, std::size_t count,
                  const RowBytes& row_bytes, const Fill& fill) {
  if (args.rows == 0) return;
  Index offset = 0;
  args.columns = 0;
  for (std::size_t k = 0; k < count; ++k) {
    fill(args.column[args.columns++], k, offset);
    offset += padded(row_bytes(k));
    if (args.columns == domain::CopyRowsArgs::most_columns || k + 1 == count) {
      domain_copy_rows(executor, args);
      args.columns = 0;
    }
  }
}

}  // namespace gsim::detail
