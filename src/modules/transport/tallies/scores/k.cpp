#include "src/modules/transport/tallies/scores/reaction_rate_score.hpp"

namespace gsim::transport {
namespace {

void k_response(std::span<const double>, const ScoreMaterial& m, std::span<double> response) {
  set_response(m.nu_fission, response);
}

}  // namespace

void register_k(Registry& registry) {
  ScoreKind kind = reaction_rate(
      "k",
      "fission neutrons per started neutron (of the source or of fission): k-effective, or with a "
      "fixed source the multiplication k_s",
      k_response, ScoreKind::at_absorption);
  kind.is_scored_at_points = false;
  kind.is_per_started_particle = true;
  registry.extend(kind);
}

}  // namespace gsim::transport
