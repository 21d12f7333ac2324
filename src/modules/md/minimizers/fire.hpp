#pragma once
// FIRE 2.0, the fast inertial relaxation engine: E. Bitzek, P. Koskinen, F. Gähler, M. Moseler and
// P. Gumbsch, Phys. Rev. Lett. 97 (2006) 170201, as improved by J. Guénolé, W. G. Nöhring, A. Vaid,
// F. Houllé, Z. Xie, A. Prakash and E. Bitzek, Comput. Mater. Sci. 175 (2020) 109584, with their
// parameters and the semi-implicit Euler step.
//
// A step adds dt F / m to the velocities, mixes them with the direction of the forces, and moves
// the atoms. The time step grows while the power F.v is positive; when it is not, atoms move back
// by half a step and start from rest. All atoms have the mean mass, since masses do not change the
// minima.

#include "gsim/exec/array.hpp"
#include "gsim/md/integrators/integrator.hpp"
#include "kernels/md/integrators/fire.hpp"
#include "src/modules/md/integrators/coupling_groups.hpp"
#include "src/modules/md/integrators/faults.hpp"
#include "src/modules/md/integrators/motion_config.hpp"

namespace gsim::md {

struct FireOptions {
  double force_tolerance = 0;   ///< the run ends when the force on every atom is at most this
  double max_displacement = 0;  ///< maximum displacement of an atom in one step
};

/// FIRE as the integrator of a run.
IntegratorPlan fire_minimiser(const FireOptions& options);

class Fire final : public Integrator {
 public:
  Fire(const FireOptions& options, const MotionConfig& config, const IntegratorSetup& setup);
  Fire(const Fire&) = delete;  // coupling_groups_ points into config_
  Fire& operator=(const Fire&) = delete;

  double degrees_of_freedom() const override { return coupling_groups_.freedom; }
  void start(const IntegratorContext& context) override;
  void move(const IntegratorContext& context) override;
  void finish(const IntegratorContext& context) override;
  std::vector<IntegratorColumn> columns() const override;
  std::vector<double> column_values(const IntegratorContext& context) override;
  bool is_done() const override { return is_done_; }
  Fault fault() const override { return faults_.first(); }
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;

 private:
  /// Scalar products of the vectors of all forces f (in quanta) and all velocities v, and the
  /// largest force and velocity of one atom.
  struct Measures {
    double ff = 0, fv = 0, vv = 0, largest_f = 0, largest_v = 0;
  };
  /// Coefficients of a step (FireMoveArgs); `drift_time`: the time by which the displacement is
  /// advanced.
  struct Step {
    double keep = 0, push = 0, back = 0, drift_time = 0;
  };
  /// Sets largest_f_ and largest_v_, over all ranks. Collective.
  void find_largest(Particles& particles);
  /// Sums over all ranks. Collective.
  Measures measure(Particles& particles) const;
  /// Adapts the time step and the mixing to the power F.v.
  void adapt(double power);
  /// The coefficients of the next step.
  Step plan(const Measures& m, double last_drift_time) const;

  FireOptions options_;
  MotionConfig config_;
  IntegratorSetup setup_;
  CouplingGroups coupling_groups_;
  Array<double> weight_;  // by atom class: 1, or 0 for frozen atoms
  FaultRecords faults_;
  Array<FireLargest> largest_;
  double kick_;  // change of velocity by one force quantum in a unit of time

  double time_step_, mixing_;                   // current time step, and alpha
  double last_drift_time_ = 0;                  // time of the last drift
  Index steps_ = 0, positive_power_steps_ = 0;  // all steps; steps since the power was last <= 0
  double largest_f_ = 0, largest_v_ = 0;  // largest force (in quanta) and velocity of one atom
  bool is_largest_known_ = false, is_done_ = false, is_restored_ = false;
};

}  // namespace gsim::md
