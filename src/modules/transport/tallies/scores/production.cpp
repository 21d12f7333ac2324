#include "src/modules/transport/tallies/scores/score_parts.hpp"

namespace gsim::transport {
namespace {

void production_response(std::span<const double>, const ScoreMaterial& m,
                         std::span<double> response) {
  for (std::size_t g = 0; g < response.size(); ++g)
    response[g] = m.nu_fission[g] + m.scattering_gain[g];
}

}  // namespace

void register_production(Registry& registry) {
  registry.extend(
      reaction_rate("production", "neutrons from fission, and beyond one from each scattering",
                    production_response, ScoreKind::at_absorption | ScoreKind::at_gain));
}

}  // namespace gsim::transport
