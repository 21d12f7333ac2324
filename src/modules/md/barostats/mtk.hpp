#pragma once
// The barostat of G. J. Martyna, D. J. Tobias and M. L. Klein, J. Chem. Phys. 101 (1994) 4177
// (their isotropic cell; their flexible one kept diagonal), integrated as in G. J. Martyna, M. E.
// Tuckerman, D. J. Tobias and M. L. Klein, Mol. Phys. 87 (1996) 1117. With a rate w_a = d ln(L_a) /
// dt along each axis (isotropic: one for all three), N_f degrees of freedom and S = w_x + w_y +
// w_z,
//   dr_a / dt = v_a + w_a r_a
//   dv_a / dt = F_a / m - (w_a + S / N_f) v_a
//   W dw_a / dt = sum of m v_a^2 + sum of r_a F_a - P V + (sum of m v^2) / N_f,
// and in the isotropic case W dw / dt is the sum of the three right-hand sides. The conserved
// quantity is the energy of the atoms plus W w^2 / 2 for each rate, P V, and the energy of the
// chain that thermostats the rates.
//
// During a step dt, w is constant. With b = w_a + S / N_f and phi(x) = (1 - exp(-x)) / x, a half
// kick multiplies a velocity by exp(-b dt / 2) and the force by phi(b dt / 2). A fractional
// coordinate s = r / L follows ds / dt = v / L with L = L(0) exp(w t), so that it changes by
// phi(w dt) v dt / L(0) in a step.

#include "src/modules/md/barostats/device_barostat.hpp"

namespace gsim::md {

class MtkBarostat final : public DeviceBarostat {
 public:
  /// The mass W is (N_f + 3) kB T time^2, or a third of that for each of three rates. `links`:
  /// length of the chain that thermostats the rates, at most NoseHooverState::max_links.
  MtkBarostat(const BarostatSetup& setup, double time, Index links);

  void start(const PressureState& state) override;
  BoxStep begin_step(const PressureState& state, Index step) override;
  HalfKick end_kick() const override;
  void end_step(const PressureState& state, Index step) override;
  double energy(double volume) const override;
  void save(DatasetWriter& writer, const std::string& path) const override;
  void restore(DatasetReader& reader, const std::string& path) override;
  void copy_to(BarostatState& state) const override;
  void copy_from(const BarostatState& state) override { state_ = state.mtk; }

 private:
  MtkState state_;
};

/// The MTK barostat; `links`: length of the Nosé-Hoover chain that thermostats the rates.
BarostatPlan mtk_barostat(double time, Index links);

}  // namespace gsim::md
