#include "src/modules/transport/tallies/scores/reaction_rate_score.hpp"

namespace gsim::transport {
namespace {

void absorption_response(std::span<const double>, const ScoreMaterial& m,
                         std::span<double> response) {
  set_response(m.absorption, response);
}

}  // namespace

void register_absorption(Registry& registry) {
  registry.extend(reaction_rate("absorption", "fission included", absorption_response,
                                ScoreKind::at_absorption));
}

}  // namespace gsim::transport
