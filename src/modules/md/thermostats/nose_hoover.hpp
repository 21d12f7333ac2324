#pragma once
// Nosé-Hoover chains: G. J. Martyna, M. L. Klein and M. Tuckerman, J. Chem. Phys. 97 (1992) 2635,
// integrated as in G. J. Martyna, M. E. Tuckerman, D. J. Tobias and M. L. Klein, Mol. Phys. 87
// (1996) 1117, with the five weights of M. Suzuki, Phys. Lett. A 146 (1990) 319.
//
// The half step of the chain at the end of a time step and that at the beginning of the next one
// are combined into one, since nothing happens between them.

#include <string>

#include "src/modules/md/thermostats/device_thermostat.hpp"

namespace gsim::md {

/// The state of a chain of `links` thermostats at rest, at most NoseHooverState::max_links.
NoseHooverState nose_hoover_state(double freedom, double time, Index links, double time_step);
/// Writes what changes of a state as the dataset `path`, and reads it.
void save_chain(const NoseHooverState& state, DatasetWriter& writer, const std::string& path);
void restore_chain(NoseHooverState& state, DatasetReader& reader, const std::string& path);

class NoseHooverChain final : public DeviceThermostat {
 public:
  /// `freedom`: N_f, the number of degrees of freedom. The masses are N_f kB T time^2 for the first
  /// link and kB T time^2 for all others. `links`: at most NoseHooverState::max_links.
  NoseHooverChain(double freedom, double time, Index links, double time_step);

  double scale(double twice_kinetic, double thermal, Index step) override;
  double energy() const override;
  void save(DatasetWriter& writer, const std::string& path) const override {
    save_chain(state_, writer, path);
  }
  void restore(DatasetReader& reader, const std::string& path) override {
    restore_chain(state_, reader, path);
  }
  void copy_to(ThermostatState& state) const override;
  void copy_from(const ThermostatState& state) override { state_ = state.chain; }

 private:
  NoseHooverState state_;
};

/// A chain of `links` thermostats; the temperature oscillates on the time scale `time`: for a small
/// deviation of an ideal gas with the period 2 pi time / sqrt(2).
ThermostatPlan nose_hoover_thermostat(double time, Index links);

}  // namespace gsim::md
