#include "src/modules/transport/tallies/scores/flux.hpp"

#include "src/modules/transport/tallies/scores/reaction_rate_score.hpp"

namespace gsim::transport {
const ScoreKind flux_score{
    .name = "flux",
    .doc = "integrated over the bin's volume: the track length in it",
    .unit = "cm",
    .response = [](std::span<const double>, const ScoreMaterial&,
                   std::span<double> response) { std::ranges::fill(response, 1.0); },
    .is_direct = true,
    .depends_on_material = false,
    .is_scored_at_surfaces = true,
    .analog_events = ScoreKind::at_collision,
    .unit_at_points = "1/cm2",
    .sum_unit = 1};

void register_flux(Registry& registry) { registry.extend(flux_score); }

}  // namespace gsim::transport
