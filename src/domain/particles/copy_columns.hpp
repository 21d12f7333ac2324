#pragma once
// Copies rows of any number of columns or fields to and from records, by a kernel that processes a
// few columns at a time.

#include "kernels/domain/copy_rows.hpp"

namespace gsim::detail {

/// Size of a row in a record: rows begin at multiples of 8 bytes.
inline Index padded(Index row_bytes) { return (row_bytes + 7) / 8 * 8; }

/// Copies the rows selected by `first` and those selected by `second` of `count` columns:
/// row_bytes(k) is the row size of column k, and fill(a, b, k, offset) sets source and target of
/// the first and of the second rows, where `offset` is the position of the column in a record. No
/// row is both a source and a target.
template <class RowBytes, class Fill>
void copy_columns_of_two_sets(const Executor& executor, domain::CopyRowsArgs first,
                              domain::CopyRowsArgs second, std::size_t count,
                              const RowBytes& row_bytes, const Fill& fill) {
  if (first.rows + second.rows == 0) return;
  Index offset = 0;
  int columns = 0;
  for (std::size_t k = 0; k < count; ++k) {
    fill(first.column[columns], second.column[columns], k, offset);
    ++columns;
    offset += padded(row_bytes(k));
    if (columns == domain::CopyRowsArgs::max_columns || k + 1 == count) {
      first.columns = second.columns = columns;
      if (second.rows == 0)
        domain_copy_rows(executor, first);
      else
        domain_copy_two_row_sets(executor, {first, second});
      columns = 0;
    }
  }
}

/// The same for the rows selected by `args` alone, with fill(copy, k, offset).
template <class RowBytes, class Fill>
void copy_columns(const Executor& executor, const domain::CopyRowsArgs& args, std::size_t count,
                  const RowBytes& row_bytes, const Fill& fill) {
  copy_columns_of_two_sets(executor, args, {}, count, row_bytes,
                           [&](domain::ColumnCopy& copy, domain::ColumnCopy& /*unused*/,
                               std::size_t k, Index offset) { fill(copy, k, offset); });
}

}  // namespace gsim::detail
