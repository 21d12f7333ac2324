#pragma once
// Thermal conductivity of a pure fluid or crystal by the Green-Kubo integral
//     lambda(t) = 1 / (3 V kB T^2) integral from 0 to t of <J(0) . J(t')>
//     J = sum over i of (m v_i^2 / 2 + 1/2 sum over j of u_ij) v_i
//         + 1/2 sum over i, j of r_ij (F_ij . v_i),   r_ij = r_i - r_j, F_ij the force of j on i
// with velocities relative to the centre of mass (J. H. Irving and J. G. Kirkwood, J. Chem. Phys.
// 18 (1950) 817, Eq. 6.23 summed over the system; J.-P. Hansen and I. R. McDonald, Theory of Simple
// Liquids, 4th ed. (2013), Eqs. 8.5.28 and 8.5.29). For pair forces only: the
// division of many-body energies among atoms is not unique, and simple choices are wrong (Z. Fan et
// al., Phys. Rev. B 92 (2015) 094301). In a mixture the heat carried by diffusion would have to be
// subtracted from J. In W/(m K) in metal and real units.

#include <memory>

#include "src/modules/md/correlations/green_kubo.hpp"
#include "src/modules/md/pair_forces/full_list_pair_forces.hpp"

namespace gsim::md {

class ThermalConductivity : public GreenKubo {
 public:
  /// InputError for atoms of several types and for forces other than pair forces.
  ThermalConductivity(std::string name, const SampleSteps& steps, const GreenKuboConfig& config,
                      const ObserverSetup& setup);

  /// InputError if more than one of `counts`, the numbers of atoms of each type, is not zero.
  static void require_one_type(const std::string& name, const std::vector<Index>& counts);

  /// The energy of an atom needs all its neighbours.
  double reach() const override { return pairs_->cutoff(); }

 protected:
  std::vector<double> flux(const Snapshot& snapshot) override;
  double factor(double volume, double temperature) const override;

 private:
  std::unique_ptr<FullListPairForces> pairs_;
};

}  // namespace gsim::md
