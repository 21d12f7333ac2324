// Surfaces, scores, filters and sources of plugins that lack one of their required functions; the
// plugin loader refuses them.

#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/transport/filter_kind.hpp"
#include "gsim/transport/score_kind.hpp"
#include "gsim/transport/source_kind.hpp"
#include "gsim/transport/surface_kind.hpp"
#include "tests/support/complete_kinds.hpp"

using namespace gsim;
using namespace gsim::transport;

TEST_CASE(
    "transport kinds: a surface, score or source without one of its functions is incomplete") {
  const auto describe = [](Section&) { return std::vector<double>(); };
  check_missing_functions_are_reported(SurfaceKind{"", "", [](Section&) { return SurfaceShape(); }},
                                       &SurfaceKind::describe);
  check_missing_functions_are_reported(
      ScoreKind{"", "", "1", describe,
                [](std::span<const double>, const ScoreMaterial&, std::span<double>) {}},
      &ScoreKind::describe, &ScoreKind::response);
  check_missing_functions_are_reported(
      FilterKind{.name = "",
                 .doc = "",
                 .describe = [](Section&, FilterConfig&) {},
                 .bins = [](const FilterConfig&, const FilterSystem&) { return FilterBins(); }},
      &FilterKind::describe, &FilterKind::bins);
  check_missing_functions_are_reported(
      SourceKind{"", "", [](Section&, std::int32_t) { return std::vector<double>(); },
                 [](const Executor&, const SourceJob&) {}},
      &SourceKind::describe, &SourceKind::sample);
}
