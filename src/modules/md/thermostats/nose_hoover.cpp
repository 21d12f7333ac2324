#include "src/modules/md/thermostats/nose_hoover.hpp"

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/math/exp.hpp"
#include "gsim/math/policy.hpp"

namespace gsim::md {
namespace {

// 1 / (4 - 4^(1/3)), four of them, and what they lack of 1.
constexpr double outer = 0.41449077179437573714, inner = 1 - 4 * outer;

}  // namespace

NoseHooverChain::NoseHooverChain(double freedom, double time, Index links, double time_step)
    : freedom_(freedom),
      square_(time * time),
      time_step_(time_step),
      velocity_(static_cast<std::size_t>(links), 0.0) {}

// A new temperature changes masses, and so what the links' motion holds.
void NoseHooverChain::set_thermal(double thermal) {
  if (thermal == thermal_) return;
  const double before = energy();
  thermal_ = thermal;
  taken_ += before - energy();
}

double NoseHooverChain::drive(std::size_t link, double twice_kinetic) const {
  if (link == 0) return (twice_kinetic - freedom_ * thermal_) / mass(0);
  const double v = velocity_[link - 1];
  return (mass(link - 1) * v * v - thermal_) / mass(link);
}

void NoseHooverChain::kick(std::size_t link, double time, double twice_kinetic) {
  const double push = 0.5 * time * drive(link, twice_kinetic);
  if (link + 1 == velocity_.size()) {
    velocity_[link] += push;
    return;
  }
  const double drag = exp<Strict>(-0.25 * time * velocity_[link + 1]);
  velocity_[link] = (velocity_[link] * drag + push) * drag;
}

double NoseHooverChain::part_of_step(double time, double twice_kinetic) {
  for (std::size_t k = velocity_.size(); k-- > 0;) kick(k, time, twice_kinetic);
  const double factor = exp<Strict>(-time * velocity_[0]);
  double path = freedom_ * velocity_[0];
  for (std::size_t k = 1; k < velocity_.size(); ++k) path += velocity_[k];
  taken_ += thermal_ * path * time;
  const double scaled = twice_kinetic * factor * factor;
  for (std::size_t k = 0; k < velocity_.size(); ++k) kick(k, time, scaled);
  return factor;
}

double NoseHooverChain::scale(double twice_kinetic, double thermal, Index /*step*/) {
  set_thermal(thermal);
  double factor = 1;
  for (const double weight : {outer, outer, inner, outer, outer})
    factor *= part_of_step(weight * time_step_, twice_kinetic * factor * factor);
  return factor;
}

double NoseHooverChain::energy() const {
  double kinetic = 0;
  for (std::size_t k = 0; k < velocity_.size(); ++k)
    kinetic += 0.5 * mass(k) * velocity_[k] * velocity_[k];
  return kinetic + taken_;
}

void NoseHooverChain::save(DatasetWriter& writer, const std::string& path) const {
  std::vector<double> state = velocity_;
  state.push_back(taken_);
  state.push_back(thermal_);
  writer.write(path, state);
}

void NoseHooverChain::restore(DatasetReader& reader, const std::string& path) {
  const std::vector<double> state = reader.read<double>(path);
  for (std::size_t k = 0; k < velocity_.size(); ++k) velocity_[k] = state.at(k);
  taken_ = state.at(velocity_.size());
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
  s.required(
      "time", time,
      {.doc = "time over which the temperature swings: the first link's mass is its square times "
              "the degrees of freedom times kB T",
       .unit = "time",
       .minimum = 0,
       .exclusive_minimum = true});
  Index links = 3;
  s.optional("chain", links, {.doc = "links of the chain", .minimum = 1, .maximum = 16});
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
