#include "src/modules/md/simulation/thermodynamics.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/md/integrators/integrate.hpp"

namespace gsim::md {

Thermodynamics::Thermodynamics(Executor executor, Communicator communicator, const Units& units,
                               std::span<const AtomClass> classes, double typical_speed)
    : executor_(std::move(executor)),
      communicator_(std::move(communicator)),
      units_(&units),
      mass_in_quanta_(executor_, static_cast<Index>(classes.size())) {
  double heaviest = 0;
  for (const AtomClass& c : classes) {
    heaviest = std::max(heaviest, c.mass);
    total_mass_ += c.mass * static_cast<double>(c.atoms);
  }
  // Kinetic terms m v v are summed as integers of 2^-48 of the typical m v^2 of the heaviest atom.
  quantum_ = std::ldexp(1.0, std::ilogb(heaviest * typical_speed * typical_speed) - 48);
  std::vector<double> masses;
  for (const AtomClass& c : classes) masses.push_back(c.mass / quantum_);
  mass_in_quanta_ = Array<double>(executor_, std::span<const double>(masses));
}

KineticSums Thermodynamics::kinetic(Particles& particles) const {
  std::array<ExactSum, 9> sums;
  md_kinetic_sums(executor_, {particles.moving(), mass_in_quanta_.view(), sums.data()});
  communicator_.sum(sums);
  KineticSums result;
  for (std::size_t a = 0; a < 6; ++a)
    result.mvv[a] = sums[a].value(quantum_) * units_->energy_per_mv2;
  for (std::size_t a = 0; a < 3; ++a) result.momentum[a] = sums[6 + a].value(quantum_);
  return result;
}

ForceTotals Thermodynamics::totals(std::span<const ForceSums> parts,
                                   const ForceQuanta& quanta) const {
  std::vector<ExactSum> all(6);  // virial, then energies
  for (const ForceSums& sums : parts) {
    for (std::size_t v = 0; v < 6; ++v) all[v].add(sums.virial[v]);
    all.insert(all.end(), sums.energy.begin(), sums.energy.end());
  }
  communicator_.sum(all);
  const double half = 0.5 * quanta.energy;  // each interaction is counted twice
  ForceTotals result;
  for (std::size_t v = 0; v < 6; ++v) result.virial[v] = all[v].value(half);
  for (const ExactSum& energy : std::span(all).subspan(6)) {
    result.energies.push_back(energy.value(half));
    result.potential += result.energies.back();
  }
  return result;
}

Thermo Thermodynamics::thermo(Index step, double time, const Box& box, const KineticSums& kinetic,
                              const ForceTotals& totals, double degrees_of_freedom,
                              double conserved) const {
  Thermo t;
  t.step = step;
  t.time = time;
  t.energies = totals.energies;
  t.potential = totals.potential;
  t.kinetic = 0.5 * (kinetic.mvv[0] + kinetic.mvv[1] + kinetic.mvv[2]);
  t.temperature =
      degrees_of_freedom > 0 ? 2 * t.kinetic / (degrees_of_freedom * units_->boltzmann) : 0;
  t.conserved = t.kinetic + t.potential + conserved;
  t.volume = box.volume();
  t.density = total_mass_ / t.volume * units_->gram_per_cm3;
  t.lengths = box.lengths();
  t.tilts = box.tilts();
  for (std::size_t v = 0; v < 6; ++v)
    t.pressure_tensor[v] = (kinetic.mvv[v] + totals.virial[v]) / t.volume * units_->pressure;
  t.pressure = (t.pressure_tensor[0] + t.pressure_tensor[1] + t.pressure_tensor[2]) / 3;
  for (std::size_t a = 0; a < 3; ++a) t.momentum[a] = kinetic.momentum[a];
  return t;
}

}  // namespace gsim::md
