#pragma once
// Stochastic cell rescaling: M. Bernetti and G. Bussi, J. Chem. Phys. 153 (2020) 114107; lengths
// each by itself after V. Del Tatto, P. Raiteri, M. Bernetti and G. Bussi, Appl. Sci. 12 (2022)
// 1139.
//
// The box follows an overdamped Langevin equation that leaves the density
//   exp(-(H + P V) / kB T) dV   (each length by itself: dL_x dL_y dL_z, which is the same for V)
// as it is, at fixed fractions of the box and fixed products of momenta and lengths: a length that
// grows by mu takes positions along and divides velocities by mu. In x = sqrt(V) the noise does not
// depend on x, and with the compressibility b, the time tau and P_int = (sum of
// m v^2 + sum of r F) / 3 V,
//   dx = -(b x / 2 tau) (P - P_int - kB T / 2 V) dt + sqrt(kB T b / 2 tau) dW.
// For one length L of three, with x = sqrt(L), A = V / L and the pressure P_aa along it, the same
// argument with a third of the mobility gives
//   dx = -(b x / 6 tau) (P - P_aa - kB T / 2 V) dt + sqrt(kB T b / (6 tau A)) dW.
// (A mobility D(x) and a density p(x) need the drift D (ln p)' + D'; ln p is -(H + P V) / kB T, and
// ln x for the change of variables.) A step is Euler's.

#include "gsim/md/barostats/barostat.hpp"
#include "gsim/random/philox.hpp"

namespace gsim::md {

class CellRescaling final : public Barostat {
 public:
  /// `time`: tau; `compressibility`: b, in 1/(energy per volume).
  CellRescaling(const BarostatSetup& setup, double time, double compressibility);

  /// NumericalError where a length would change by more than a tenth.
  void start(const PressureState& /*state*/) override {}
  BoxStep begin_step(const PressureState& state, Index step) override;
  KickShape end_kick() const override { return {}; }
  void end_step(const PressureState& state, Index step) override;
  /// What atoms have given to the box so far: the work of forces, by the trapezoidal rule as in
  /// velocity Verlet, and what scaled velocities lost.
  double energy(double /*volume*/) const override { return taken_; }
  void save(DatasetWriter& writer, const std::string& path) const override;
  void restore(DatasetReader& reader, const std::string& path) override;

 private:
  double grow(const PressureState& state, int axis, Index step) const;

  bool is_isotropic_;
  double mobility_;  // b dt / tau
  PhiloxKey key_;
  Vector3 strain_{};  // ln of the last stretch
  double taken_ = 0;  // energy that the atoms have given to the box
};

/// CellRescaling with these settings; `compressibility` in 1/pressure of the configuration.
BarostatPlan cell_rescaling_barostat(double time, double compressibility);

}  // namespace gsim::md
