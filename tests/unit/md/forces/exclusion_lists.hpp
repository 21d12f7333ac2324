#pragma once
// Exclusions from ids, for tests of what uses them.

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "src/modules/md/forces/exclusions.hpp"

namespace gsim::md {

/// Sets the exclusions of atoms without bonds. `partners_of(id)` returns the ids of the partners of
/// the atom `id`; `ids`: of all rows, in host memory.
template <class PartnersOf>
void exclude(Exclusions& exclusions, std::span<const std::int64_t> ids, Index locals,
             const PartnersOf& partners_of) {
  std::map<std::int64_t, std::int32_t> row_of;
  for (std::size_t i = 0; i < ids.size(); ++i) row_of[ids[i]] = static_cast<std::int32_t>(i);
  std::vector<std::int32_t> first{0}, rows;
  std::vector<std::int64_t> codes;
  for (std::size_t i = 0; i < static_cast<std::size_t>(locals); ++i) {
    for (const std::int64_t partner : partners_of(ids[i])) {
      const auto found = row_of.find(partner);
      rows.push_back(found == row_of.end() ? -1 : found->second);
      codes.push_back(partner_code(partner, 0));
    }
    first.push_back(static_cast<std::int32_t>(rows.size()));
  }
  const Executor executor = exclusions.first.executor();
  exclusions.first = Array<std::int32_t>(executor, first);
  exclusions.rows = Array<std::int32_t>(executor, rows);
  exclusions.codes = Array<std::int64_t>(executor, codes);
}

}  // namespace gsim::md
