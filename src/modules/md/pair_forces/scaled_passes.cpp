#include "src/modules/md/pair_forces/scaled_passes.hpp"

#include <algorithm>
#include <cmath>

#include "src/modules/md/forces/powers_of_two.hpp"

namespace gsim::md {
namespace {

template <class Real>
std::vector<Real> converted(const std::vector<double>& x) {
  std::vector<Real> to(x.size());
  std::transform(x.begin(), x.end(), to.begin(), [](double v) { return static_cast<Real>(v); });
  return to;
}

}  // namespace

template <class Real>
ScaledPasses<Real>::ScaledPasses(const PairTable& table, double largest_charge)
    : has_charges_(!table.charged().empty()), cutoff_(table.cutoff()) {
  for (PairPass& pass : passes_of(table)) {
    const LargestForce pass_largest = pass.largest(largest_charge * largest_charge);
    largest_.force = std::max(largest_.force, pass_largest.force);
    largest_.energy = std::max(largest_.energy, pass_largest.energy);
    // A pass whose largest force is 0 has no forces.
    if (pass_largest.force > 0) passes_.push_back({std::move(pass), pass_largest.force});
  }
  if (largest_.force == 0) largest_ = {1, 1};
  set_quanta(quanta_for(largest_));
}

template <class Real>
void ScaledPasses<Real>::set_quanta(const ForceQuanta& common) {
  const double force = power_of_two_above(largest_.force),
               energy = power_of_two_above(largest_.energy);
  require_range(largest_, common);
  quanta_ = common;
  // A force that is not detected as an overlap is below the next power of two above the largest
  // force, or below the largest force itself where |F/r| is checked. Energies are then at most
  // four times the largest one or, where |F/r| is checked, at most the largest one. In mixed
  // precision the force of a pair is rounded to 2^-28 of the largest allowed one, so that it fits
  // an integer of 32 bits. Energies are rounded to as many bits.
  const bool all_force_over_r = std::all_of(
      passes_.begin(), passes_.end(), [](const Pass& p) { return p.pass.checks_force_over_r(); });
  force_shift_ = mixed ? exponent_above(std::ldexp(force, -28), common.force) : 0;
  energy_shift_ =
      mixed ? exponent_above(std::ldexp(energy, all_force_over_r ? -31 : -29), common.energy) : 0;
  const double kernel_quantum = std::ldexp(quanta_.force, force_shift_);
  for (Pass& p : passes_) {
    p.coefficients = converted<Real>(p.pass.coefficients(1 / kernel_quantum));
    p.data = converted<Real>(p.pass.data());
    const double limit = p.pass.checks_force_over_r()
                             ? p.max_force / p.pass.closest() / kernel_quantum
                             : (force / kernel_quantum) * (force / kernel_quantum);
    p.limit = high_word(static_cast<Real>(limit));
  }
}

template <class Real>
Real ScaledPasses<Real>::energy_scale() const {
  return static_cast<Real>(std::ldexp(quanta_.force, force_shift_) /
                           std::ldexp(quanta_.energy, energy_shift_));
}

template class ScaledPasses<float>;
template class ScaledPasses<double>;

}  // namespace gsim::md
