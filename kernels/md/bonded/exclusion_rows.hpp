#pragma once
// Lists the excluded partners of atoms by rows, from a column of their ids.

#include <cstdint>

#include "gsim/exec/launch.hpp"
#include "kernels/domain/id_rows.hpp"

namespace gsim::md {

/// The partners of row i are the codes (partner_code.hpp) column[i * capacity] … up to `capacity`
/// of them, ended by -1.
struct ExclusionRowsArgs {
  const std::int64_t* column;
  Index capacity;
  Index locals;
  /// By md_count_exclusions: the number of partners of each row; for md_list_exclusions the sum of
  /// those of all preceding rows.
  std::int32_t* first;
  domain::IdTable table;  ///< used, like the following members, by md_list_exclusions only
  std::int32_t* rows;     ///< row of each partner, or -1
  std::int64_t* codes;
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(md_count_exclusions, md::ExclusionRowsArgs)
GSIM_DECLARE_LAUNCHER(md_list_exclusions, md::ExclusionRowsArgs)
