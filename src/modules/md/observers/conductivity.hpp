#pragma once
// Electrical conductivity by the Green-Kubo integral
//     sigma(t) = 1 / (3 V kB T) integral from 0 to t of <J(0) . J(t')>,   J = sum of q_i (v_i - u)
// with u the velocity of the centre of mass of all atoms, which matters only if the total charge
// is not zero (J.-P. Hansen and I. R. McDonald, Theory of Simple Liquids, 4th ed. (2013),
// Sec. 10.5). In S/m in metal and real units.

#include "src/modules/md/correlations/green_kubo.hpp"

namespace gsim::md {

class Conductivity : public GreenKubo {
 public:
  /// InputError if neither atoms nor types have charges.
  Conductivity(std::string name, const SampleSteps& steps, const GreenKuboConfig& config,
               const ObserverSetup& setup, Particles& particles);

 protected:
  std::vector<double> flux(const Snapshot& snapshot) override;
  double factor(double volume, double temperature) const override;

 private:
  Particles& particles_;
  std::vector<double> type_charges_;
};

}  // namespace gsim::md
