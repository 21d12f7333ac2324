#include "kinetic.hpp"

#include <array>
#include <cmath>

namespace gsim::md {
namespace {

std::vector<double> masses_in_quanta(const MotionSetup& setup, std::span<const bool> counts) {
  std::vector<double> masses;
  for (std::size_t c = 0; c < setup.classes.size(); ++c)
    masses.push_back(
        counts.empty() || counts[c] ? setup.classes[c].mass / kinetic_quantum(*setup.units) : 0.0);
  return masses;
}

}  // namespace

double kinetic_quantum(const Units& units) {
  return std::ldexp(1.0, -44 - std::ilogb(units.energy_per_mv2) - 1);
}

KineticSummation::KineticSummation(const MotionSetup& setup, std::span<const bool> counts)
    : executor_(setup.executor),
      communicator_(setup.communicator),
      energy_(kinetic_quantum(*setup.units) * setup.units->energy_per_mv2),
      momentum_(kinetic_quantum(*setup.units)),
      masses_(setup.executor, masses_in_quanta(setup, counts)) {}

KineticSums KineticSummation::operator()(Particles& particles) const {
  std::array<ExactSum, 9> sums;
  md_kinetic_sums(executor_, {particles.moving(), masses_.view(), sums.data()});
  return total(sums);
}

KineticSums KineticSummation::total(std::span<ExactSum, 9> sums) const {
  communicator_.sum(sums);
  KineticSums result;
  for (std::size_t k = 0; k < 6; ++k) result.mvv[k] = sums[k].value(energy_);
  for (std::size_t k = 0; k < 3; ++k) result.momentum[k] = sums[6 + k].value(momentum_);
  return result;
}

}  // namespace gsim::md
