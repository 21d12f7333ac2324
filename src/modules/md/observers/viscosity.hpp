#pragma once
// Shear viscosity of an isotropic fluid by the Green-Kubo integral
//     eta(t) = V / (kB T) integral from 0 to t of <P(0) P(t')>
// averaged over the five independent components of the traceless pressure tensor: Pxy, Pxz, Pyz,
// (Pxx - Pyy) / 2 and (2 Pzz - Pxx - Pyy) / (2 sqrt 3), which have the same correlation function.
// (The sum over all nine elements of P. J. Daivis and D. J. Evans, J. Chem. Phys. 100 (1994) 541,
// Eq. 13, is twice the sum over these five.)

#include "src/modules/md/correlations/green_kubo.hpp"

namespace gsim::md {

class Viscosity : public GreenKubo {
 public:
  Viscosity(std::string name, const SampleSteps& steps, const GreenKuboConfig& config,
            const ObserverSetup& setup);

 protected:
  std::vector<double> flux(const Snapshot& snapshot) override;
  double factor(double volume, double temperature) const override;
};

}  // namespace gsim::md
