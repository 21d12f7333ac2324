#pragma once
// Thermostats that act on a set of atoms through its kinetic energy alone: once a step they say by
// which factor velocities are scaled. All quantities are in energy units and replicated: every rank
// computes the same, and no kernel is needed. gsim's own Nosé-Hoover chains and stochastic velocity
// rescaling are some; a plugin registers others,
//
//   registry.extend(gsim::md::ScalingThermostat{"my_word", "…", describe_mine, example});
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

class Thermostat {
 public:
  virtual ~Thermostat() = default;

  /// One time step of the thermostat's own motion: the factor for velocities whose sum of m v^2 is
  /// `twice_kinetic`, at kB T = `thermal` > 0, in step `step`.
  virtual double scale(double twice_kinetic, double thermal, Index step) = 0;
  /// The thermostat's part of the conserved quantity: what it has taken from the atoms so far, kept
  /// in its own motion or gone. Counted so that a ramp of the temperature conserves it, too.
  virtual double energy() const = 0;

  /// All that scale() and energy() depend on, as the dataset `path` or below it; and back.
  virtual void save(DatasetWriter& writer, const std::string& path) const = 0;
  virtual void restore(DatasetReader& reader, const std::string& path) = 0;
};

/// What a thermostat is made for.
struct ThermostatSetup {
  double freedom = 0;  ///< degrees of freedom of its atoms, > 0
  double time_step = 0;
  std::uint64_t seed = 0;
  std::uint64_t entity = 0;  ///< tells its random numbers from those of other groups' thermostats
};

/// Makes one. InputError for what cannot be, such as times too short for the time step.
using MakeThermostat = std::function<std::unique_ptr<Thermostat>(const ThermostatSetup&)>;

struct ScalingThermostat {
  static constexpr char extends[] = "thermostat", module[] = "md";  // Registry::extend
  std::string_view name, doc;
  /// Describes the keys beside `kind` and `temperature` (gsim/config/section.hpp); what makes a
  /// thermostat of what was read.
  MakeThermostat (*describe)(Section& section) = nullptr;
  /// A whole configuration of module md with it, that runs within seconds.
  std::string_view example = {};

  /// What it lacks (Registry::Extension).
  const char* missing() const { return describe != nullptr ? nullptr : "describe"; }
};

/// InputError where a thermostat's time is less than five time steps.
void check_thermostat_time(double time, double time_step);

}  // namespace gsim::md
