#pragma once
// Stochastic cell rescaling: M. Bernetti and G. Bussi, J. Chem. Phys. 153 (2020) 114107;
// independent lengths as in V. Del Tatto, P. Raiteri, M. Bernetti and G. Bussi, Appl. Sci. 12
// (2022) 1139.
//
// The box follows an overdamped Langevin equation whose stationary density is
//   exp(-(H + P V) / kB T) dV
// (with independent lengths dL_x dL_y dL_z in place of dV, which gives V the same density)
// at fixed fractional positions and fixed products of momenta and lengths: when a length grows by
// the factor mu, positions are multiplied and velocities divided by mu. In x = sqrt(V) the noise
// does not depend on x, and with the compressibility b, the time tau and P_int = (sum of m v^2 +
// sum of r F) / 3 V,
//   dx = -(b x / 2 tau) (P - P_int - kB T / 2 V) dt + sqrt(kB T b / 2 tau) dW.
// For one length L of three, with x = sqrt(L), A = V / L and the pressure P_aa along it, the same
// argument with a third of the mobility gives
//   dx = -(b x / 6 tau) (P - P_aa - kB T / 2 V) dt + sqrt(kB T b / (6 tau A)) dW.
// (With mobility D(x), the density p(x) is stationary for the drift D (ln p)' + D'; here ln p is
// -(H + P V) / kB T plus ln x from the change of variables.) Steps are Euler steps.

#include "src/modules/md/barostats/device_barostat.hpp"

namespace gsim::md {

class CellRescaling final : public DeviceBarostat {
 public:
  /// `time`: tau; `compressibility`: b, in 1/(energy per volume).
  CellRescaling(const BarostatSetup& setup, double time, double compressibility);

  void start(const PressureState& /*state*/) override {}
  /// NumericalError if a length, or the volume if isotropic, would change by more than a tenth in
  /// one step.
  BoxStep begin_step(const PressureState& state, Index step) override;
  HalfKick end_kick() const override { return {}; }
  void end_step(const PressureState& state, Index step) override;
  /// The energy transferred from the atoms to the box: the work of the forces, by the trapezoidal
  /// rule as in velocity Verlet, and the kinetic energy lost by scaling velocities.
  double energy(double /*volume*/) const override { return state_.work; }
  void save(DatasetWriter& writer, const std::string& path) const override;
  void restore(DatasetReader& reader, const std::string& path) override;
  void copy_to(BarostatState& state) const override;
  void copy_from(const BarostatState& state) override { state_ = state.rescaling; }

 private:
  RescalingState state_;
};

/// Stochastic cell rescaling; `compressibility` in 1/pressure of the configuration.
BarostatPlan cell_rescaling_barostat(double time, double compressibility);

}  // namespace gsim::md
