#pragma once
// Thermostats. Most of them control the kinetic energy of a group of atoms: in each step they
// return a factor by which velocities are scaled. Their quantities are in energy units and
// replicated, so that every rank computes the same values and no kernel is needed. Others replace
// the equations of motion by Langevin dynamics, for which they return only the friction. gsim's own
// thermostats and those of plugins register themselves in the same way,
//
//   registry.extend(gsim::md::ThermostatKind{"my_word", "…", describe_mine, example});
//
// and configurations choose them: [thermostat] kind = "my_word".

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "gsim/core/types.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim {
class Section;
}

namespace gsim::md {

/// A thermostat that scales velocities.
class Thermostat {
 public:
  virtual ~Thermostat() = default;

  /// Advances the thermostat's own degrees of freedom by one time step. Returns the factor for
  /// velocities whose sum of m v^2 is `twice_kinetic`, at kB T = `thermal` > 0, in step `step`.
  virtual double scale(double twice_kinetic, double thermal, Index step) = 0;
  /// The contribution of the thermostat to the conserved quantity: the energy that it has removed
  /// from the atoms, stored in its own degrees of freedom or dissipated. The conserved quantity
  /// must stay constant also while a ramp changes the temperature.
  virtual double energy() const = 0;

  /// Writes the state on which scale() and energy() depend as the dataset `path` or below it.
  virtual void save(DatasetWriter& writer, const std::string& path) const = 0;
  virtual void restore(DatasetReader& reader, const std::string& path) = 0;
};

/// The atoms and the run for which a thermostat is created.
struct ThermostatSetup {
  double freedom = 0;  ///< degrees of freedom of the atoms, > 0
  double time_step = 0;
  std::uint64_t seed = 0;
  /// Random-number entity: different for the thermostats of different groups of atoms.
  std::uint64_t entity = 0;
};

/// Creates a thermostat. Throws InputError for impossible settings, such as a coupling time that is
/// too short for the time step.
using MakeThermostat = std::function<std::unique_ptr<Thermostat>(const ThermostatSetup&)>;

/// The result of reading the keys of a thermostat, which scales velocities (`make`) or adds
/// friction and noise to the motion of every atom (`friction`).
struct ThermostatPlan {
  MakeThermostat make = {};
  bool may_reverse = false;  ///< Thermostat::scale() may return negative factors
  double friction = 0;       ///< > 0: Langevin dynamics with this friction, in 1/time
};

struct ThermostatKind {
  static constexpr char extends[] = "thermostat", module[] = "md";  // Registry::extend
  std::string_view name, doc;
  /// Describes the keys besides `kind` and `temperature` (gsim/config/section.hpp) and returns the
  /// plan for the values that were read.
  ThermostatPlan (*describe)(Section& section) = nullptr;
  /// A whole configuration of module md with this thermostat, which runs within seconds.
  std::string_view example = {};

  /// The function that is missing, or null (Registry::Extension).
  const char* missing() const { return describe != nullptr ? nullptr : "describe"; }
};

/// Throws InputError if the coupling time of a thermostat is less than five time steps.
void check_thermostat_time(double time, double time_step);

}  // namespace gsim::md
