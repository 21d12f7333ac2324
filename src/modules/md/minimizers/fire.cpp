#include "src/modules/md/minimizers/fire.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "gsim/engine/registry.hpp"
#include "src/modules/md/integrators/advance_matrix.hpp"

namespace gsim::md {
namespace {

// Recommended parameters: Guénolé et al. 2020, Table 2.
constexpr Index delay = 20;
constexpr double time_growth = 1.1, time_reduction = 0.5, first_mixing = 0.25,
                 mixing_reduction = 0.99;
// Bounds of the ratio of the time step to the initial time step.
constexpr double largest_time_factor = 10, smallest_time_factor = 0.02;

/// By atom class: 1, or 0 for frozen atoms.
std::vector<double> class_weights(const CouplingGroups& coupling_groups) {
  std::vector<double> by_class;
  for (const int coupling : coupling_groups.of_class) by_class.push_back(coupling < 0 ? 0.0 : 1.0);
  return by_class;
}

double mean_mass(const CouplingGroups& coupling_groups) {
  double mass = 0, atoms = 0;
  for (const CouplingGroup& coupling : coupling_groups.list) {
    mass += coupling.mass;
    atoms += static_cast<double>(coupling.atoms);
  }
  return mass / atoms;
}

}  // namespace

Fire::Fire(const FireOptions& options, const MotionConfig& config, const IntegratorSetup& setup)
    : options_(options),
      config_(config),
      setup_(setup),
      coupling_groups_(make_coupling_groups(config_, setup_.classes, setup_.is_momentum_kept)),
      weight_(setup.executor, class_weights(coupling_groups_)),
      faults_(setup.executor, setup.given_ids),
      largest_(setup.executor, 1),
      kick_(setup_.units->acceleration * setup_.quanta.force / mean_mass(coupling_groups_)),
      time_step_(setup.time_step),
      mixing_(first_mixing) {}

void Fire::start(const IntegratorContext& context) {
  if (is_restored_) return;
  const auto v = context.particles.store.elements<double>(context.particles.velocity);
  if (v.size > 0)
    setup_.executor.fill_zero(v.data, static_cast<std::size_t>(v.size) * sizeof(double));
}

void Fire::find_largest(Particles& particles) {
  largest_.resize_discard(1);
  md_fire_largest(setup_.executor, {particles.moving(), weight_.view(), largest_.view().data});
  const FireLargest local = largest_.to_host().front();
  std::array<std::int64_t, 2> both{local.force, local.velocity};
  setup_.communicator.backend().allreduce(std::span<std::int64_t>(both), ReduceOp::max);
  largest_f_ = std::sqrt(std::bit_cast<double>(both[0]));
  largest_v_ = std::sqrt(std::bit_cast<double>(both[1]));
  is_largest_known_ = true;
}

Fire::Measures Fire::measure(Particles& particles) const {
  // Slightly larger than the largest values, so that rounding makes no quotient larger than 1.
  const double f = 1.0000001 * largest_f_, v = 1.0000001 * largest_v_;
  std::array<ExactSum, 3> sums;
  md_fire_sums(setup_.executor, {particles.moving(), weight_.view(), f > 0 ? 1 / f : 0.0,
                                 v > 0 ? 1 / v : 0.0, sums.data()});
  setup_.communicator.sum(std::span<ExactSum>(sums));
  constexpr double unit = 0x1p-60;
  return {sums[0].value(unit) * f * f, sums[1].value(unit) * f * v, sums[2].value(unit) * v * v,
          largest_f_, largest_v_};
}

// Guénolé et al. 2020, Algorithm 2: adapts the time step and the mixing to the power.
void Fire::adapt(double power) {
  if (power > 0) {
    if (++positive_power_steps_ > delay) {
      time_step_ = std::min(time_step_ * time_growth, largest_time_factor * setup_.time_step);
      mixing_ *= mixing_reduction;
    }
    return;
  }
  positive_power_steps_ = 0;
  if (steps_ < delay) return;
  time_step_ = std::max(time_step_ * time_reduction, smallest_time_factor * setup_.time_step);
  mixing_ = first_mixing;
}

// v' = (1 - alpha) (v + k f) + alpha f |v + k f| / |f| with k = dt / m, written as keep v + push f.
Fire::Step Fire::plan(const Measures& m, double last_drift_time) const {
  const double kick = kick_ * time_step_;
  const bool is_downhill = m.fv > 0;
  Step step;
  step.push = kick;
  if (is_downhill) {
    const double speed = std::sqrt(m.vv + kick * (2 * m.fv + kick * m.ff));
    step.keep = 1 - mixing_;
    step.push = step.keep * kick + mixing_ * speed / std::sqrt(m.ff);
  }
  // Limits the displacement of every atom, whose velocity is at most the sum of both terms. If the
  // power is not positive, atoms also move back by half of the last displacement, which is at most
  // half of the limit; the other half is left for the displacement by the forces.
  const double fastest = step.keep * m.largest_v + step.push * m.largest_f;
  const double largest_displacement = options_.max_displacement * (is_downhill ? 1.0 : 0.5);
  step.drift_time =
      fastest * time_step_ > largest_displacement ? largest_displacement / fastest : time_step_;
  if (!is_downhill) step.back = -0.5 * last_drift_time / step.drift_time;
  return step;
}

void Fire::move(const IntegratorContext& context) {
  if (!is_largest_known_) find_largest(context.particles);
  is_largest_known_ = false;
  if (largest_f_ == 0) return;
  const Measures m = measure(context.particles);
  adapt(m.fv);
  const Step step = plan(m, last_drift_time_);
  FireMoveArgs args;
  args.particles = context.particles.moving();
  args.weight = weight_.view();
  args.keep = step.keep;
  args.push = step.push;
  args.back = step.back;
  set_advance(context.box, step.drift_time, {1, 1, 1}, args.advance);
  for (int a = 0; a < 3; ++a) args.periodic[a] = context.box.boundary(a) == Boundary::periodic;
  args.faults = faults_.record(context.step);
  md_fire_move(setup_.executor, args);
  last_drift_time_ = step.drift_time;
  ++steps_;
}

void Fire::finish(const IntegratorContext& context) {
  find_largest(context.particles);
  is_done_ = largest_f_ * setup_.quanta.force <= options_.force_tolerance;
}

std::vector<IntegratorColumn> Fire::columns() const {
  const Units& u = *setup_.units;
  return {{"max_force", std::string(u.force_name), "largest force on an atom that is not frozen"},
          {"minimiser_time_step", std::string(u.time_name), "current time step of the minimiser"}};
}

std::vector<double> Fire::column_values(const IntegratorContext& context) {
  if (!is_largest_known_) find_largest(context.particles);
  return {largest_f_ * setup_.quanta.force, time_step_};
}

void Fire::save(DatasetWriter& writer) const {
  writer.write("motion/fire", std::vector<double>{time_step_, mixing_, last_drift_time_});
  writer.write("motion/fire_steps",
               std::vector<std::int64_t>{steps_, positive_power_steps_, is_done_ ? 1 : 0});
}

void Fire::restore(DatasetReader& reader) {
  const auto state = reader.read<double>("motion/fire");
  time_step_ = state.at(0);
  mixing_ = state.at(1);
  last_drift_time_ = state.at(2);
  const auto steps = reader.read<std::int64_t>("motion/fire_steps");
  steps_ = steps.at(0);
  positive_power_steps_ = steps.at(1);
  is_done_ = steps.at(2) != 0;
  is_restored_ = true;
}

IntegratorPlan fire_minimiser(const FireOptions& options) {
  return {.make =
              [options](const MotionConfig& config, const IntegratorSetup& setup) {
                return std::make_unique<Fire>(options, config, setup);
              },
          .force_tolerance = options.force_tolerance};
}

namespace {

IntegratorPlan describe_fire(Section& s) {
  FireOptions options;
  s.required("force_tolerance", options.force_tolerance,
             {.doc = "convergence criterion: largest force on an atom at the end of the run",
              .unit = "force",
              .minimum = 0,
              .exclusive_minimum = true});
  s.required(
      "max_displacement", options.max_displacement,
      {.doc =
           "maximum displacement of an atom in one step; usual is a tenth of the atomic diameter",
       .unit = "length",
       .minimum = 0,
       .exclusive_minimum = true});
  return fire_minimiser(options);
}

}  // namespace

void register_fire(Registry& registry) {
  registry.extend(IntegratorKind{"minimise",
                                 "energy minimisation by FIRE 2.0 (Guénolé et al. 2020); "
                                 "velocities have no physical meaning",
                                 describe_fire});
}

}  // namespace gsim::md
