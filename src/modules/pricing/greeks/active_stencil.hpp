#pragma once
// The rows of a stencil that a job computes.

#include <algorithm>
#include <span>
#include <vector>

#include "src/modules/pricing/greeks/greek_simulations.hpp"

namespace gsim::pricing {

/// The active rows of a stencil, in host memory.
struct ActiveStencil {
  std::vector<std::int32_t> entries, base, first_row;
  std::vector<GreekRow> rows;
  std::vector<Index> greeks;  ///< of the rows

  void select(const PlannedStencil& stencil, const std::vector<Index>& base_trades,
              std::span<const std::uint8_t> active, std::vector<std::uint8_t>& is_base_active) {
    for (std::vector<std::int32_t>* list : {&entries, &base, &first_row}) list->clear();
    rows.clear();
    greeks.clear();
    for (std::size_t e = 0; e < stencil.entries.size(); ++e) {
      const std::size_t before = rows.size();
      for (const PlannedRow& planned : stencil.entries[e].rows) {
        if (active[static_cast<std::size_t>(planned.greek)] == 0) continue;
        GreekRow row{};
        std::copy(planned.coefficient.begin(), planned.coefficient.end(), row.coefficient);
        rows.push_back(row);
        greeks.push_back(planned.greek);
      }
      if (rows.size() == before) continue;
      const Index at = position_of(base_trades, stencil.entries[e].trade);
      entries.push_back(static_cast<std::int32_t>(e));
      base.push_back(static_cast<std::int32_t>(at));
      first_row.push_back(static_cast<std::int32_t>(before));
      is_base_active[static_cast<std::size_t>(at)] = 1;
    }
    first_row.push_back(static_cast<std::int32_t>(rows.size()));
  }
  /// Replaces positions among the trades of the base simulation by those among its active ones.
  void set_base(const std::vector<std::int32_t>& position) {
    for (std::int32_t& b : base) b = position[static_cast<std::size_t>(b)];
  }
};

}  // namespace gsim::pricing
