#include "src/modules/md/thermostats/plugin_thermostat.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::md {
namespace {

class SoundThermostat : public Thermostat {
 public:
  SoundThermostat(std::string name, std::unique_ptr<Thermostat> theirs)
      : name_(std::move(name)), theirs_(std::move(theirs)) {}

  double scale(double twice_kinetic, double thermal, Index step) override {
    const double factor = theirs_->scale(twice_kinetic, thermal, step);
    // Where atoms have gone out of bounds it is they who are to be told of.
    if (std::isfinite(twice_kinetic) && !(factor > 0 && std::isfinite(factor)))
      throw NumericalError(fmt::format(
          "thermostat `{}` scales velocities by {} in step {}, where m v^2 is {} in all", name_,
          factor, step, twice_kinetic));
    return factor;
  }
  double energy() const override {
    const double energy = theirs_->energy();
    if (!std::isfinite(energy))
      throw NumericalError(fmt::format("the energy of thermostat `{}` is {}", name_, energy));
    return energy;
  }
  void save(DatasetWriter& writer, const std::string& path) const override {
    theirs_->save(writer, path);
  }
  void restore(DatasetReader& reader, const std::string& path) override {
    theirs_->restore(reader, path);
  }

 private:
  std::string name_;
  std::unique_ptr<Thermostat> theirs_;
};

}  // namespace

MakeThermostat sound_thermostat(std::string name, MakeThermostat make) {
  return [name = std::move(name),
          make = std::move(make)](const ThermostatSetup& setup) -> std::unique_ptr<Thermostat> {
    std::unique_ptr<Thermostat> theirs = make(setup);
    if (theirs == nullptr) throw Error(fmt::format("no thermostat was made of `{}`", name));
    return std::make_unique<SoundThermostat>(name, std::move(theirs));
  };
}

}  // namespace gsim::md
