#include "src/modules/transport/tallies/scores/reaction_rate_score.hpp"

namespace gsim::transport {
namespace {

void nu_fission_response(std::span<const double>, const ScoreMaterial& m,
                         std::span<double> response) {
  set_response(m.nu_fission, response);
}

}  // namespace

void register_nu_fission(Registry& registry) {
  registry.extend(reaction_rate("nu-fission", "neutrons from fission", nu_fission_response,
                                ScoreKind::at_absorption));
}

}  // namespace gsim::transport
