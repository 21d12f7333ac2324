#pragma once
// Nosé-Hoover chains: G. J. Martyna, M. L. Klein and M. Tuckerman, J. Chem. Phys. 97 (1992) 2635,
// integrated as in G. J. Martyna, M. E. Tuckerman, D. J. Tobias and M. L. Klein, Mol. Phys. 87
// (1996) 1117, with the five weights of M. Suzuki, Phys. Lett. A 146 (1990) 319.
//
// The chain's part of a step is done once, where the last step ends and the next begins: two halves
// there are one, since nothing stands between them.

#include <vector>

#include "gsim/md/thermostats/thermostat.hpp"

namespace gsim::md {

class NoseHooverChain final : public Thermostat {
 public:
  /// Masses of the links: N_f kB T time^2, then kB T time^2 each.
  NoseHooverChain(double freedom, double time, Index links, double time_step);

  double scale(double twice_kinetic, double thermal, Index step) override;
  double energy() const override;
  void save(DatasetWriter& writer, const std::string& path) const override;
  void restore(DatasetReader& reader, const std::string& path) override;

 private:
  void set_thermal(double thermal);
  double mass(std::size_t link) const { return (link == 0 ? freedom_ : 1) * thermal_ * square_; }
  double drive(std::size_t link, double twice_kinetic) const;
  void kick(std::size_t link, double time, double twice_kinetic);
  double part_of_step(double time, double twice_kinetic);

  double freedom_, square_, time_step_;  // square_: of the chain's time
  double thermal_ = 0;                   // that the masses belong to
  std::vector<double> velocity_;         // of the links
  double taken_ = 0;                     // through the links' positions: N_f kB T eta_1 + …
};

/// A chain of `links` with which the temperature oscillates over `time`.
ThermostatPlan nose_hoover_thermostat(double time, Index links);

}  // namespace gsim::md
