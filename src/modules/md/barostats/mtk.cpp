#include "src/modules/md/barostats/mtk.hpp"

#include <cmath>

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/math/exp.hpp"
#include "gsim/math/policy.hpp"

namespace gsim::md {
namespace {

/// (1 - exp(-x)) / x.
double mean_decay(double x) { return x == 0 ? 1.0 : -expm1<Strict>(-x) / x; }

}  // namespace

MtkBarostat::MtkBarostat(const BarostatSetup& setup, double time, Index links)
    : freedom_(setup.freedom),
      time_squared_(time * time),
      time_step_(setup.time_step),
      rate_(setup.coupling == Coupling::isotropic ? 1 : 3, 0.0),
      chain_(static_cast<double>(rate_.size()), time, links, setup.time_step) {}

double MtkBarostat::mass() const {
  return (freedom_ + 3) * thermal_ * time_squared_ / static_cast<double>(rate_.size());
}

// A new temperature changes the mass, a new pressure changes P V; target_work_ compensates both in
// the conserved quantity.
void MtkBarostat::set_targets(const PressureState& state) {
  if (state.thermal == thermal_ && state.pressure == pressure_) return;
  const bool is_first = thermal_ == 0;
  const double before = energy(state.volume());
  thermal_ = state.thermal;
  pressure_ = state.pressure;
  if (!is_first) target_work_ += before - energy(state.volume());
}

void MtkBarostat::kick(const PressureState& state) {
  const double total_kinetic = state.kinetic[0] + state.kinetic[1] + state.kinetic[2];
  double force[3];
  for (std::size_t a = 0; a < 3; ++a)
    force[a] =
        state.kinetic[a] + state.virial[a] - pressure_ * state.volume() + total_kinetic / freedom_;
  if (rate_.size() == 1) force[0] = force[0] + force[1] + force[2];
  for (std::size_t a = 0; a < rate_.size(); ++a) rate_[a] += 0.5 * time_step_ * force[a] / mass();
}

HalfKick MtkBarostat::end_kick() const {
  const double rate_sum = rate(0) + rate(1) + rate(2);
  HalfKick half_kick;
  for (std::size_t a = 0; a < 3; ++a) {
    const double decay = 0.5 * time_step_ * (rate(a) + rate_sum / freedom_);
    half_kick.decay[a] = exp<Strict>(-decay);
    half_kick.kick[a] = mean_decay(decay);
  }
  return half_kick;
}

BoxStep MtkBarostat::begin_step(const PressureState& state, Index /*step*/) {
  set_targets(state);
  kick(state);
  BoxStep step;
  step.kick = end_kick();
  for (std::size_t a = 0; a < 3; ++a) {
    const double growth = rate(a) * time_step_;
    step.drift[a] = mean_decay(growth);
    step.half_drift[a] = mean_decay(0.5 * growth);
    step.second_half_factor[a] = exp<Strict>(-0.5 * growth);
    step.stretch[a] = exp<Strict>(growth);
  }
  return step;
}

void MtkBarostat::end_step(const PressureState& state, Index step) {
  kick(state);
  set_targets(state);
  double twice_kinetic = 0;
  for (const double w : rate_) twice_kinetic += mass() * w * w;
  const double factor = chain_.scale(twice_kinetic, thermal_, step);
  for (double& w : rate_) w *= factor;
}

double MtkBarostat::energy(double volume) const {
  double sum = pressure_ * volume + chain_.energy() + target_work_;
  for (const double w : rate_) sum += 0.5 * mass() * w * w;
  return sum;
}

void MtkBarostat::save(DatasetWriter& writer, const std::string& path) const {
  std::vector<double> state = rate_;
  state.insert(state.end(), {thermal_, pressure_, target_work_});
  writer.write(path + "/piston", state);
  chain_.save(writer, path + "/chain");
}

void MtkBarostat::restore(DatasetReader& reader, const std::string& path) {
  const auto state = reader.read<double>(path + "/piston");
  const std::size_t n = rate_.size();
  for (std::size_t a = 0; a < n; ++a) rate_[a] = state.at(a);
  thermal_ = state.at(n);
  pressure_ = state.at(n + 1);
  target_work_ = state.at(n + 2);
  chain_.restore(reader, path + "/chain");
}

BarostatPlan mtk_barostat(double time, Index links) {
  return {.make =
              [=](const BarostatSetup& setup) {
                return std::make_unique<MtkBarostat>(setup, time, links);
              },
          .time = time};
}

namespace {

BarostatPlan describe_mtk(Section& s) {
  double time = 0;
  s.required(
      "time", time,
      {.doc = "time scale on which the volume oscillates; the mass of the piston is (degrees of "
              "freedom + 3) kB T time^2",
       .unit = "time",
       .minimum = 0,
       .exclusive_minimum = true});
  Index links = 3;
  s.optional("chain", links,
             {.doc = "number of thermostats in the Nosé-Hoover chain of the piston",
              .minimum = 1,
              .maximum = 16});
  return mtk_barostat(time, links);
}

}  // namespace

void register_mtk(Registry& registry) {
  registry.extend(BarostatKind{
      "mtk", "a piston with inertia and a thermostat of its own (Martyna, Tobias and Klein 1994)",
      describe_mtk});
}

}  // namespace gsim::md
