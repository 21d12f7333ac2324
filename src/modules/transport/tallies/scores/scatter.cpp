#include "src/modules/transport/tallies/scores/reaction_rate_score.hpp"

namespace gsim::transport {
namespace {

void scatter_response(std::span<const double>, const ScoreMaterial& m, std::span<double> response) {
  set_response(m.scattering, response);
}

}  // namespace

void register_scatter(Registry& registry) {
  registry.extend(
      reaction_rate("scatter", "scattering reactions", scatter_response, ScoreKind::at_scatter));
}

}  // namespace gsim::transport
