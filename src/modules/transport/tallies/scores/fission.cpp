#include "src/modules/transport/tallies/scores/reaction_rate_score.hpp"

namespace gsim::transport {
namespace {

void fission_response(std::span<const double>, const ScoreMaterial& m, std::span<double> response) {
  set_response(m.fission, response);
}

}  // namespace

void register_fission(Registry& registry) {
  registry.extend(
      reaction_rate("fission", "fission reactions", fission_response, ScoreKind::at_absorption));
}

}  // namespace gsim::transport
