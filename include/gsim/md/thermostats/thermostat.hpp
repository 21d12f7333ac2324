#pragma once
// Thermostats. Most act on a group of atoms through its kinetic energy alone: once a step they
// return the factor by which velocities are scaled. All quantities are in energy units and
// replicated: every rank computes the same, and no kernel is needed. Others replace Newton's
// equations by Langevin's, of which only the friction is needed. gsim's own thermostats and those
// of plugins register themselves in the same way,
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
  /// The thermostat's part of the conserved quantity: the energy that it has removed from the atoms
  /// so far, whether its own degrees of freedom hold it or it is dissipated. A ramp of the
  /// temperature must conserve the sum as well.
  virtual double energy() const = 0;

  /// Writes all that scale() and energy() depend on, as the dataset `path` or below it.
  virtual void save(DatasetWriter& writer, const std::string& path) const = 0;
  virtual void restore(DatasetReader& reader, const std::string& path) = 0;
};

/// The atoms and the run that a thermostat is made for.
struct ThermostatSetup {
  double freedom = 0;  ///< degrees of freedom of its atoms, > 0
  double time_step = 0;
  std::uint64_t seed = 0;
  /// Random-number entity: different for the thermostats of different groups of atoms.
  std::uint64_t entity = 0;
};

/// Makes a thermostat. Throws InputError for impossible settings, such as a coupling time that is
/// too short for the time step.
using MakeThermostat = std::function<std::unique_ptr<Thermostat>(const ThermostatSetup&)>;

/// How a thermostat acts, from its keys: it scales velocities (`make`), or adds friction and noise
/// to the motion of every atom (`friction`).
struct ThermostatPlan {
  MakeThermostat make = {};
  bool may_reverse = false;  ///< Thermostat::scale() may return negative factors
  double friction = 0;       ///< > 0: Langevin dynamics with this friction, in 1/time
};

struct ThermostatKind {
  static constexpr char extends[] = "thermostat", module[] = "md";  // Registry::extend
  std::string_view name, doc;
  /// Describes the keys beside `kind` and `temperature` (gsim/config/section.hpp); returns the
  /// plan that follows from what was read.
  ThermostatPlan (*describe)(Section& section) = nullptr;
  /// A whole configuration of module md with this thermostat, which runs within seconds.
  std::string_view example = {};

  /// The function that is missing, or null (Registry::Extension).
  const char* missing() const { return describe != nullptr ? nullptr : "describe"; }
};

/// Throws InputError where a thermostat's coupling time is less than five time steps.
void check_thermostat_time(double time, double time_step);

}  // namespace gsim::md
