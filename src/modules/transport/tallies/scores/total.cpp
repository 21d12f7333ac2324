#include "src/modules/transport/tallies/scores/reaction_rate_score.hpp"

namespace gsim::transport {
namespace {

void total_response(std::span<const double>, const ScoreMaterial& m, std::span<double> response) {
  set_response(m.total, response);
}

}  // namespace

void register_total(Registry& registry) {
  registry.extend(reaction_rate("total", "collisions", total_response, ScoreKind::at_collision));
}

}  // namespace gsim::transport
