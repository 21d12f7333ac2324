#pragma once
// The record and the response that the built-in scores of reaction rates share.

#include <algorithm>

#include "gsim/engine/registry.hpp"
#include "gsim/transport/score_kind.hpp"

namespace gsim::transport {

/// A score of a reaction rate that tallies name without a [[score]]: reactions per source particle,
/// 0 in void.
inline ScoreKind reaction_rate(std::string_view name, std::string_view doc,
                               void (*response)(std::span<const double>, const ScoreMaterial&,
                                                std::span<double>),
                               std::int32_t analog_events) {
  return {.name = name,
          .doc = doc,
          .response = response,
          .is_direct = true,
          .scores_in_void = false,
          .analog_events = analog_events,
          .unit_at_points = "1/cm3",
          .sum_unit = 1};
}

/// Copies one cross section into the response.
inline void set_response(std::span<const double> cross_section, std::span<double> response) {
  std::copy(cross_section.begin(), cross_section.end(), response.begin());
}

}  // namespace gsim::transport
