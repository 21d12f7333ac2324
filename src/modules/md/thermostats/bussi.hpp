#pragma once
// Stochastic velocity rescaling: G. Bussi, D. Donadio and M. Parrinello, J. Chem. Phys. 126 (2007)
// 014101. The kinetic energy K follows
//   dK = (K_T - K) dt / tau + 2 sqrt(K K_T / N_f) dW / sqrt(tau),   K_T = N_f kB T / 2,
// whose stationary distribution is the canonical one. The step is exact for any length (Appendix
// A).

#include "src/modules/md/thermostats/device_thermostat.hpp"

namespace gsim::md {

class BussiThermostat final : public DeviceThermostat {
 public:
  /// `time`: tau, the relaxation time of K.
  BussiThermostat(double freedom, double time, double time_step, std::uint64_t seed,
                  std::uint64_t entity);

  double scale(double twice_kinetic, double thermal, Index step) override;
  double energy() const override { return state_.removed_energy; }
  void save(DatasetWriter& writer, const std::string& path) const override;
  void restore(DatasetReader& reader, const std::string& path) override;

  void copy_to(ThermostatState& state) const override;
  void copy_from(const ThermostatState& state) override { state_ = state.bussi; }

 private:
  BussiState state_;
};

/// Stochastic velocity rescaling; `time`: the relaxation time of the kinetic energy.
ThermostatPlan bussi_thermostat(double time);

}  // namespace gsim::md
