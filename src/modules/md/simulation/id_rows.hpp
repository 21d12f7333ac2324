#pragma once
// The map from the id of an atom to its row in the columns of a rank, built on the executor
// (kernels/domain/id_rows.hpp).

#include <cstdint>

#include "gsim/exec/array.hpp"
#include "gsim/exec/executor.hpp"
#include "kernels/domain/id_rows.hpp"

namespace gsim::md {

/// A table of all ids of a range if it is not much longer than the number of atoms; else a hash
/// table.
class IdRows {
 public:
  explicit IdRows(const Executor& executor) : rows_(executor, 0), slots_(executor, 0) { build({}); }

  /// Builds the map of the ids of rows 0 … ids.size - 1, in executor memory. All ids are in
  /// [lowest, highest].
  void build(View<const std::int64_t> ids, std::int64_t lowest = 0, std::int64_t highest = 0);
  /// The map in executor memory, valid until the next build().
  const domain::IdTable& table() const { return table_; }

 private:
  Array<std::int32_t> rows_;
  Array<domain::IdSlot> slots_;
  domain::IdTable table_;
};

}  // namespace gsim::md
