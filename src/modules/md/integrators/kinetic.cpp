#include "src/modules/md/integrators/kinetic.hpp"

#include <cmath>

namespace gsim::md {

double kinetic_quantum(const Units& units) {
  return std::ldexp(1.0, -44 - std::ilogb(units.energy_per_mv2) - 1);
}

KineticSummation::KineticSummation(const IntegratorSetup& setup, std::span<const int> part,
                                   int parts)
    : executor_(setup.executor),
      communicator_(setup.communicator),
      energy_quantum_(kinetic_quantum(*setup.units) * setup.units->energy_per_mv2),
      momentum_quantum_(kinetic_quantum(*setup.units)) {
  for (int p = 0; p < parts; ++p) {
    std::vector<double> masses;
    for (std::size_t c = 0; c < setup.classes.size(); ++c)
      masses.push_back(part[c] == p ? setup.classes[c].mass / momentum_quantum_ : 0.0);
    masses_in_quanta_.emplace_back(executor_, masses);
  }
}

std::vector<KineticSums> KineticSummation::operator()(Particles& particles) const {
  std::vector<ExactSum> sums(9 * masses_in_quanta_.size());
  add_parts(particles, 0, sums);
  return total(sums);
}

std::vector<KineticSums> KineticSummation::after_kick(Particles& particles,
                                                      View<const double> factor,
                                                      const HalfKick& half_kick) const {
  std::vector<ExactSum> sums(9 * masses_in_quanta_.size());
  md_kick_sums(executor_, {particles.moving(), factor, half_kick, masses_in_quanta_.front().view(),
                           sums.data()});
  add_parts(particles, 1, sums);
  return total(sums);
}

void KineticSummation::after_kick(Particles& particles, View<const double> factor,
                                  WideInteger* sums, const ChangingBox* box) const {
  md_kick_sums(
      executor_,
      {particles.moving(), factor, {}, masses_in_quanta_.front().view(), nullptr, sums, box});
  for (std::size_t p = 1; p < masses_in_quanta_.size(); ++p)
    md_kinetic_sums(executor_,
                    {particles.moving(), masses_in_quanta_[p].view(), nullptr, sums + 9 * p});
}

void KineticSummation::add_parts(Particles& particles, int first,
                                 std::vector<ExactSum>& sums) const {
  for (auto p = static_cast<std::size_t>(first); p < masses_in_quanta_.size(); ++p)
    md_kinetic_sums(executor_,
                    {particles.moving(), masses_in_quanta_[p].view(), sums.data() + 9 * p});
}

std::vector<KineticSums> KineticSummation::total(std::vector<ExactSum>& sums) const {
  communicator_.sum(sums);
  std::vector<KineticSums> result(masses_in_quanta_.size());
  for (std::size_t p = 0; p < result.size(); ++p) {
    for (std::size_t k = 0; k < 6; ++k) result[p].mvv[k] = sums[9 * p + k].value(energy_quantum_);
    for (std::size_t k = 0; k < 3; ++k)
      result[p].momentum[k] = sums[9 * p + 6 + k].value(momentum_quantum_);
  }
  return result;
}

}  // namespace gsim::md
