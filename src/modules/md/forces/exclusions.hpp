#pragma once
// Pairs of bonded atoms that are excluded from the pair lists, in executor memory.

#include <cstdint>

#include "gsim/exec/array.hpp"
#include "gsim/exec/executor.hpp"
#include "kernels/md/bonded/partner_code.hpp"

namespace gsim::md {

/// The partners of local row i are entries first[i] … first[i + 1] - 1; they may be locals, ghosts,
/// or too far away to be either. Each atom of a pair lists the other. Rows are those of the last
/// rebuild.
struct Exclusions {
  explicit Exclusions(const Executor& executor)
      : first(executor, 0), rows(executor, 0), codes(executor, 0) {}

  bool empty() const { return first.size() == 0; }
  /// Number of entries.
  Index size() const { return rows.size(); }

  Array<std::int32_t> first;  ///< locals + 1 entries; or none: no exclusions
  Array<std::int32_t> rows;   ///< rows of the partners; -1: neither local nor ghost
  Array<std::int64_t> codes;  ///< partner_code() of the partners
};

}  // namespace gsim::md
