#include "src/modules/transport/tallies/scores/reaction_rate_score.hpp"

namespace gsim::transport {
namespace {

void kappa_fission_response(std::span<const double>, const ScoreMaterial& m,
                            std::span<double> response) {
  set_response(m.kappa_fission, response);
}
const char* missing_kappa_fission(const ScoreMaterial& m) {
  const bool has_none = std::ranges::all_of(m.kappa_fission, [](double x) { return !(x > 0); });
  return m.is_fissile && has_none ? "kappa_fission" : nullptr;
}

}  // namespace

void register_kappa_fission(Registry& registry) {
  ScoreKind kind = reaction_rate("kappa-fission", "eV released by fission", kappa_fission_response,
                                 ScoreKind::at_absorption);
  kind.unit = "eV";
  kind.unit_at_points = "eV/cm3";
  // A fission releases some 2e8 eV: in units of 2^27 eV sums have the range of other scores.
  kind.sum_unit = 0x1p27;
  kind.missing_data = missing_kappa_fission;
  registry.extend(kind);
}

}  // namespace gsim::transport
