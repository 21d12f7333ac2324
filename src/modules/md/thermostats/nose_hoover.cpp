#include "src/modules/md/thermostats/nose_hoover.hpp"

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/math/exp.hpp"
#include "gsim/math/policy.hpp"

namespace gsim::md {
namespace {

// The five substeps of a step in units of the time step (Suzuki 1990): 1 / (4 - 4^(1/3)) four
// times, and 1 minus their sum in the middle.
constexpr double outer = 0.41449077179437573714, inner = 1 - 4 * outer;

}  // namespace

NoseHooverChain::NoseHooverChain(double freedom, double time, Index links, double time_step)
    : freedom_(freedom),
      time_squared_(time * time),
      time_step_(time_step),
      velocity_(static_cast<std::size_t>(links), 0.0) {}

// A new temperature changes the masses and thus the kinetic energy of the chain; the difference is
// added to the conserved energy.
void NoseHooverChain::set_thermal(double thermal) {
  if (thermal == thermal_) return;
  const double before = energy();
  thermal_ = thermal;
  position_energy_ += before - energy();
}

double NoseHooverChain::acceleration(std::size_t link, double twice_kinetic) const {
  if (link == 0) return (twice_kinetic - freedom_ * thermal_) / mass(0);
  const double v = velocity_[link - 1];
  return (mass(link - 1) * v * v - thermal_) / mass(link);
}

void NoseHooverChain::kick(std::size_t link, double time, double twice_kinetic) {
  const double push = 0.5 * time * acceleration(link, twice_kinetic);
  if (link + 1 == velocity_.size()) {
    velocity_[link] += push;
    return;
  }
  const double drag = exp<Strict>(-0.25 * time * velocity_[link + 1]);
  velocity_[link] = (velocity_[link] * drag + push) * drag;
}

double NoseHooverChain::substep(double time, double twice_kinetic) {
  for (std::size_t k = velocity_.size(); k-- > 0;) kick(k, time, twice_kinetic);
  const double factor = exp<Strict>(-time * velocity_[0]);
  double velocity_sum = freedom_ * velocity_[0];
  for (std::size_t k = 1; k < velocity_.size(); ++k) velocity_sum += velocity_[k];
  position_energy_ += thermal_ * velocity_sum * time;
  const double scaled = twice_kinetic * factor * factor;
  for (std::size_t k = 0; k < velocity_.size(); ++k) kick(k, time, scaled);
  return factor;
}

double NoseHooverChain::scale(double twice_kinetic, double thermal, Index /*step*/) {
  set_thermal(thermal);
  double factor = 1;
  for (const double weight : {outer, outer, inner, outer, outer})
    factor *= substep(weight * time_step_, twice_kinetic * factor * factor);
  return factor;
}

double NoseHooverChain::energy() const {
  double kinetic = 0;
  for (std::size_t k = 0; k < velocity_.size(); ++k)
    kinetic += 0.5 * mass(k) * velocity_[k] * velocity_[k];
  return kinetic + position_energy_;
}

void NoseHooverChain::save(DatasetWriter& writer, const std::string& path) const {
  std::vector<double> state = velocity_;
  state.push_back(position_energy_);
  state.push_back(thermal_);
  writer.write(path, state);
}

void NoseHooverChain::restore(DatasetReader& reader, const std::string& path) {
  const std::vector<double> state = reader.read<double>(path);
  for (std::size_t k = 0; k < velocity_.size(); ++k) velocity_[k] = state.at(k);
  position_energy_ = state.at(velocity_.size());
  thermal_ = state.at(velocity_.size() + 1);
}

ThermostatPlan nose_hoover_thermostat(double time, Index links) {
  return {.make = [=](const ThermostatSetup& setup) {
    check_thermostat_time(time, setup.time_step);
    return std::make_unique<NoseHooverChain>(setup.freedom, time, links, setup.time_step);
  }};
}

namespace {

ThermostatPlan describe_nose_hoover(Section& s) {
  double time = 0;
  s.required("time", time,
             {.doc = "time scale on which the temperature oscillates; the mass of the first "
                     "thermostat of the "
                     "chain is the degrees of freedom times kB T time^2",
              .unit = "time",
              .minimum = 0,
              .exclusive_minimum = true});
  Index links = 3;
  s.optional("chain", links,
             {.doc = "number of thermostats in the chain", .minimum = 1, .maximum = 16});
  return nose_hoover_thermostat(time, links);
}

}  // namespace

void register_nose_hoover(Registry& registry) {
  registry.extend(ThermostatKind{
      "nose_hoover",
      "deterministic scaling by a Nosé-Hoover chain (Martyna, Klein and Tuckerman 1992)",
      describe_nose_hoover});
}

}  // namespace gsim::md
