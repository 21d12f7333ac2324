#pragma once
// Nosé-Hoover chains: G. J. Martyna, M. L. Klein and M. Tuckerman, J. Chem. Phys. 97 (1992) 2635,
// integrated as in G. J. Martyna, M. E. Tuckerman, D. J. Tobias and M. L. Klein, Mol. Phys. 87
// (1996) 1117, with the five weights of M. Suzuki, Phys. Lett. A 146 (1990) 319.
//
// The half step of the chain at the end of a time step and that at the beginning of the next one
// are combined into one, since nothing happens between them.

#include <vector>

#include "gsim/md/thermostats/thermostat.hpp"

namespace gsim::md {

class NoseHooverChain final : public Thermostat {
 public:
  /// `freedom`: N_f, the number of degrees of freedom. The masses are N_f kB T time^2 for the first
  /// link and kB T time^2 for all others.
  NoseHooverChain(double freedom, double time, Index links, double time_step);

  double scale(double twice_kinetic, double thermal, Index step) override;
  double energy() const override;
  void save(DatasetWriter& writer, const std::string& path) const override;
  void restore(DatasetReader& reader, const std::string& path) override;

 private:
  /// Sets kB T, from which the masses follow; the conserved energy is unchanged.
  void set_thermal(double thermal);
  double mass(std::size_t link) const {
    return (link == 0 ? freedom_ : 1) * thermal_ * time_squared_;
  }
  /// The time derivative of the velocity of a link, without the friction of the next link.
  double acceleration(std::size_t link, double twice_kinetic) const;
  /// Advances the velocity of a link by half of `time`.
  void kick(std::size_t link, double time, double twice_kinetic);
  /// Advances the chain by `time`; returns the factor of the velocities of the atoms.
  double substep(double time, double twice_kinetic);

  double freedom_, time_squared_, time_step_;  // N_f; square of `time`; time step of the run
  double thermal_ = 0;                         // kB T of the current masses
  std::vector<double> velocity_;               // of the links
  double position_energy_ = 0;                 // N_f kB T eta_1 + kB T eta_2 + …
};

/// A chain of `links` thermostats; the temperature oscillates on the time scale `time`: for a small
/// deviation of an ideal gas with the period 2 pi time / sqrt(2).
ThermostatPlan nose_hoover_thermostat(double time, Index links);

}  // namespace gsim::md
