#include "src/modules/transport/tallies/scores/reaction_rate_score.hpp"

namespace gsim::transport {
namespace {

void current_response(std::span<const double>, const ScoreMaterial&, std::span<double> response) {
  std::ranges::fill(response, 1.0);
}

}  // namespace

void register_current(Registry& registry) {
  registry.extend(ScoreKind{.name = "current",
                            .doc = "net weight through surfaces, along their normals",
                            .response = current_response,
                            .is_direct = true,
                            .depends_on_material = false,
                            .scores_in_void = false,
                            .is_scored_in_volumes = false,
                            .is_scored_at_surfaces = true,
                            .is_scored_at_points = false,
                            .is_net_current = true,
                            .analog_events = ScoreKind::at_absorption,
                            .sum_unit = 1});
}

}  // namespace gsim::transport
