#include "src/modules/transport/tallies/scores/reaction_rate_score.hpp"

namespace gsim::transport {
namespace {

void production_response(std::span<const double>, const ScoreMaterial& m,
                         std::span<double> response) {
  for (std::size_t g = 0; g < response.size(); ++g)
    response[g] = m.nu_fission[g] + m.nxn_production[g];
}

}  // namespace

void register_production(Registry& registry) {
  registry.extend(reaction_rate("production",
                                "neutrons from fission, and the second and further ones of (n,xn)",
                                production_response, ScoreKind::at_absorption | ScoreKind::at_nxn));
}

}  // namespace gsim::transport
