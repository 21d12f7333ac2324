#include "src/modules/md/many_body/eam_forces.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "src/modules/md/forces/powers_of_two.hpp"

namespace gsim::md {
namespace {

// The choice of quanta. In mixed precision forces are multiples of 2^-21 eV/angstrom, and a pair
// overlaps where F/r is above 64 eV/angstrom^2 (copper: below some 1.5 angstrom). If all atoms are
// at least a distance r apart, an atom has at most 12 neighbours at distance r (the kissing
// number). At most 9 of these are in a closed hemisphere, so that their forces have a component
// along its axis, and these components add up to less than 4 times the force of one pair. At r = 2
// angstrom, where a pair force is at most 128 eV/angstrom, that is half of the 1024 eV/angstrom
// that 32 bits hold. At smaller r the limit of the force is smaller, and forces of more distant
// neighbours are weaker.
constexpr double mixed_force_quantum = 0x1p-21, mixed_stiffness = 64;
// A pair's energy is below 2^31 quanta of 2^-22 eV, and its virial below 2^31 quanta of 2^-19 eV:
// 64 eV/angstrom^2 times (8 angstrom)^2 are 2^12 eV.
constexpr double mixed_energy_quantum = 0x1p-22, mixed_virial_quantum = 0x1p-19;
// The largest force of a pair in eV/angstrom, and its largest energy in eV.
constexpr double largest_force = 0x1p10, largest_energy = 0x1p12;
// Densities, in quanta: a pair may contribute a quarter of the range of the embedding table, which
// is 2^28 quanta in mixed precision, so that sums over neighbours as above stay below 2^31. Where
// the table ends early, the density of a pair at 1.5 angstrom determines the range.
constexpr int mixed_density_bits = 28, double_density_bits = 50;
constexpr double closest_for_density = 1.5;

/// The power of two from which the quantum of densities is derived.
double density_range(const EamTables& tables) {
  double range = 0;
  for (const CubicTable& f : tables.embedding) range = std::max(range, f.end());
  for (const CubicTable& rho : tables.density)
    for (double r = closest_for_density; r < tables.cutoff; r += rho.step())
      range = std::max(range, 4 * std::abs(rho.at(r).value));
  return power_of_two_above(range);
}

}  // namespace

template <class Real>
EamForces<Real>::EamForces(const EamTables& tables, const EamOptions& options, Particles& particles)
    : tables_(tables),
      options_(options),
      density_quantum_(
          std::ldexp(density_range(tables), mixed ? -mixed_density_bits : -double_density_bits)),
      column_(particles.store.add_column("embedding_slope",
                                         mixed ? ElementType::float32 : ElementType::float64, 1,
                                         Ghosts::room)) {
  EamForces::set_quanta(quanta_for(EamForces::largest()));
}

template <class Real>
LargestForce EamForces<Real>::largest() const {
  return {largest_force, largest_energy};
}

template <class Real>
void EamForces<Real>::set_quanta(const ForceQuanta& common) {
  require_range(largest(), common);
  quanta_ = common;
  force_shift_ = mixed ? exponent_above(mixed_force_quantum, common.force) : 0;
  energy_shift_ = mixed ? exponent_above(mixed_energy_quantum, common.energy) : 0;
  virial_shift_ = mixed ? exponent_above(mixed_virial_quantum, common.energy) : 0;
  rows_.fill(tables_, density_quantum_, force_quantum());
}

template <class Real>
double EamForces<Real>::force_quantum() const {
  return std::ldexp(quanta_.force, force_shift_);
}

template <class Real>
Real EamForces<Real>::energy_scale() const {
  return static_cast<Real>(-force_quantum() / std::ldexp(quanta_.energy, energy_shift_));
}

template <class Real>
Real EamForces<Real>::virial_scale() const {
  return static_cast<Real>(force_quantum() / std::ldexp(quanta_.energy, virial_shift_));
}

template <class Real>
std::uint32_t EamForces<Real>::density_limit() const {
  return high_word(
      static_cast<Real>(std::ldexp(1.0, (mixed ? mixed_density_bits : double_density_bits) - 2)));
}

template <class Real>
std::uint32_t EamForces<Real>::force_limit() const {
  const double stiffness = mixed ? mixed_stiffness : largest_force / std::max(4.0, tables_.cutoff);
  return high_word(static_cast<Real>(stiffness / force_quantum()));
}

template <class Real>
EamEmbedding EamForces<Real>::embedding(const CubicCurve* curves) const {
  return {curves, types(), density_quantum_,
          -density_quantum_ / tables_.density[0].step() / force_quantum(), quanta_.energy};
}

template <class Real>
void EamForces<Real>::add_sums(const EamSums& kernel_sums, ForceSums& sums) const {
  sums.energy.resize(2);
  sums.energy[0].add(kernel_sums.embedding);
  sums.energy[1].add(shifted(kernel_sums.pair, energy_shift_));
  for (int v = 0; v < 6; ++v) sums.virial[v].add(shifted(kernel_sums.virial[v], virial_shift_));
}

template <class Real>
std::string EamForces<Real>::overlap_message(const std::string& atoms) const {
  return atoms +
         " are so near to each other that forces or densities exceed the range of their sums; "
         "start from a configuration without overlaps, make the time step smaller, or set "
         "precision = \"double\", which allows stiffer pairs";
}

template <class Real>
void EamForces<Real>::plan_exchange(const ForceContext& context) {
  if (halo_ == nullptr)
    halo_ = std::make_unique<HaloExchange>(context.plan, context.particles.store, options_.buffers,
                                           options_.halo_tag);
}

template <class Real>
void EamForces<Real>::finish_slopes() {
  halo_->finish();
}

template class EamForces<float>;
template class EamForces<double>;

}  // namespace gsim::md
