#pragma once
// Copies rows of any number of columns or fields to and from records, by a kernel that processes a
// few columns at a time.

#include "kernels/domain/copy_rows.hpp"

namespace gsim::detail {

/// Size of a row in a record: rows begin at multiples of 8 bytes.
inline Index padded(Index row_bytes) { return (row_bytes + 7) / 8 * 8; }

/// Copies the rows selected by `args` of `count` columns: row_bytes(k) is the row size of column k,
/// and fill(copy, k, offset) sets source and target, where `offset` is the position of the column
/// in a record.
template <class RowBytes, class Fill>
void copy_columns(const Executor& executor, domain::CopyRowsArgs args, std::size_t count,
                  const RowBytes& row_bytes, const Fill& fill) {
  if (args.rows == 0) return;
  Index offset = 0;
  args.columns = 0;
  for (std::size_t k = 0; k < count; ++k) {
    fill(args.column[args.columns++], k, offset);
    offset += padded(row_bytes(k));
    if (args.columns == domain::CopyRowsArgs::max_columns || k + 1 == count) {
      domain_copy_rows(executor, args);
      args.columns = 0;
    }
  }
}

}  // namespace gsim::detail
