#pragma once
// Barostats change the box and, with it, the velocities of atoms. Positions of atoms are fractions
// of the box vectors, so they follow the box without further work. Kinetic sums and virials are in
// the run's unit of energy, pressures in energy per volume; all are replicated: every rank computes
// the same values. gsim's own barostats and those of plugins register themselves in the same way,
//
//   registry.extend(gsim::md::BarostatKind{"my_word", "…", describe_mine, example});
//
// and configurations choose them: [barostat] kind = "my_word".

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "gsim/core/types.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/io/dataset.hpp"
#include "gsim/md/barostats/box_step.hpp"

namespace gsim {
class Section;
}

namespace gsim::md {

/// The interface of barostats.
class Barostat {
 public:
  virtual ~Barostat() = default;

  /// Called before the first step; the sums over atoms in `state` are not yet valid.
  virtual void start(const PressureState& state) = 0;
  /// Called at the beginning of each step, with the state at that time; returns the first half
  /// kick, the drift and the change of the box.
  virtual BoxStep begin_step(const PressureState& state, Index step) = 0;
  /// The second half kick, with the new forces.
  virtual HalfKick end_kick() const = 0;
  /// Called after the second half kick, before thermostats act.
  virtual void end_step(const PressureState& state, Index step) = 0;
  /// The contribution of the barostat to the conserved quantity, which must be conserved also while
  /// a ramp changes the target pressure.
  virtual double energy(double volume) const = 0;

  /// Writes the state as the dataset `path` or below it.
  virtual void save(DatasetWriter& writer, const std::string& path) const = 0;
  virtual void restore(DatasetReader& reader, const std::string& path) = 0;
};

/// Which lengths of the box change by the same factor.
enum class Coupling {
  isotropic,  ///< all lengths, controlled by the mean pressure
  xyz         ///< none: each length is controlled by the pressure along it
};

/// The run for which a barostat is created.
struct BarostatSetup {
  double freedom = 0;  ///< degrees of freedom of the atoms
  double time_step = 0;
  double pressure_unit = 1;  ///< converts energy / volume to the pressure unit of the configuration
  Coupling coupling = Coupling::isotropic;
  std::uint64_t seed = 0;
};

/// Creates a barostat. Throws InputError for impossible settings.
using MakeBarostat = std::function<std::unique_ptr<Barostat>(const BarostatSetup&)>;

/// The result of reading the keys of a barostat.
struct BarostatPlan {
  MakeBarostat make = {};
  double time = 0;  ///< relaxation time, which must be at least five time steps; 0: no such limit
};

struct BarostatKind {
  static constexpr char extends[] = "barostat", module[] = "md";  // Registry::extend
  std::string_view name, doc;
  /// Describes the keys besides `kind`, `pressure` and `coupling` (gsim/config/section.hpp) and
  /// returns the plan for the values that were read.
  BarostatPlan (*describe)(Section& section) = nullptr;
  /// A whole configuration of module md with this barostat, which runs within seconds.
  std::string_view example = {};

  /// The function that is missing, or null (Registry::Extension).
  const char* missing() const { return describe != nullptr ? nullptr : "describe"; }
};

}  // namespace gsim::md
