#include "dynamics.hpp"

#include <fmt/format.h>

#include "kernels/md/lowest_id.hpp"

namespace gsim::md {
namespace {

/// Velocity that one quantum of force gives in half a step, by class.
std::vector<double> kick_factors(const MotionSetup& setup) {
  std::vector<double> factors;
  for (const MotionClass& c : setup.classes)
    factors.push_back(0.5 * setup.time_step * setup.units->acceleration * setup.quanta.force /
                      c.mass);
  return factors;
}

/// Velocity to 2^-64 of the axes' ranges in a time: the inverse of Box::metric, times it.
void set_advance(const Box& box, double time, double* advance) {
  const auto m = box.metric(64);
  advance[0] = time / m[0];
  advance[1] = time / m[1];
  advance[2] = time / m[2];
  advance[3] = -time * m[3] / (m[0] * m[1]);
  advance[4] = time * (m[3] * m[5] - m[1] * m[4]) / (m[0] * m[1] * m[2]);
  advance[5] = -time * m[5] / (m[1] * m[2]);
}

}  // namespace

Dynamics::Dynamics(const MotionConfig& /*config*/, const MotionSetup& setup)
    : setup_(setup),
      kick_(setup.executor, kick_factors(setup)),
      faults_(setup.executor, std::vector<Faults>{{no_particle, no_particle}}) {}

double Dynamics::degrees_of_freedom() const {
  Index atoms = 0;
  for (const MotionClass& c : setup_.classes) atoms += c.atoms;
  return static_cast<double>(3 * atoms - 3);
}

void Dynamics::move(const MotionContext& context) {
  KickDriftArgs args{{context.particles.moving(), kick_.view(), is_kick_due_ ? 2 : 1},
                     {},
                     {},
                     faults_.view().data};
  set_advance(context.box, setup_.time_step, args.advance);
  for (int a = 0; a < 3; ++a) args.periodic[a] = context.box.boundary(a) == Boundary::periodic;
  md_kick_drift(setup_.executor, args);
}

void Dynamics::finish(const MotionContext& context) {
  is_kick_due_ = !context.is_observed;
  if (context.is_observed) md_kick(setup_.executor, {context.particles.moving(), kick_.view(), 1});
}

std::string Dynamics::health() const {
  const Faults faults = faults_.to_host().front();
  std::string message;
  if (faults.runaway != no_particle)
    message = fmt::format(
        "atom {} runs away: in one step it would move by an eighth of the box or more, or its "
        "velocity is no number; take a smaller time step, or minimise the first positions",
        faults.runaway);
  if (faults.lost != no_particle)
    message += fmt::format(
        "{}atom {} has left through an open face, by more than half the box; make the box longer "
        "along its open axes, or periodic",
        message.empty() ? "" : "\n", faults.lost);
  return message;
}

void Dynamics::save(DatasetWriter& /*writer*/) const {}
void Dynamics::restore(DatasetReader& /*reader*/) {}

}  // namespace gsim::md
