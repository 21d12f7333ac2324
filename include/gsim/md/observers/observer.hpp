#pragma once
// Observers measure quantities at certain steps of a run. gsim's own observers and those of plugins
// register themselves in the same way,
//
//   registry.extend(gsim::md::ObserverKind{"my_word", "…", describe_mine, example});
//
// and configurations choose them: [[observe]] kind = "my_word". The keys `name`, `every` and `from`
// belong to every observer. atom_observer.hpp offers a simpler interface, with views of the atoms,
// for observers that need no ghosts and add no columns to the atoms.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/types.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/engine/estimate.hpp"
#include "gsim/exec/executor.hpp"
#include "gsim/io/dataset.hpp"
#include "gsim/md/particles.hpp"
#include "gsim/md/units.hpp"

namespace gsim {
class Section;
}

namespace gsim::md {

class FullListPairForces;

/// The steps at which an observer samples: the multiples of `every` from step `from` on.
struct SampleSteps {
  Index every = 1;
  Index from = 0;

  Index next(Index step) const {
    const Index at_least = step > from ? step : from;
    return (at_least + every - 1) / every * every;
  }
  /// Number of samples before that of `step`.
  Index index(Index step) const { return (step - next(0)) / every; }
};

/// Thermodynamic quantities of the whole system at one step, in the units of the run (Units), the
/// same on every rank.
struct Thermo {
  Index step = 0;
  double time = 0;
  double temperature = 0, kinetic = 0, potential = 0, conserved = 0;
  double pressure = 0;
  double pressure_tensor[6] = {};  ///< xx, yy, zz, xy, xz, yz
  std::vector<double> energies;    ///< potential energies, in the order of the forces
  double volume = 0, density = 0;  ///< density: mass / volume, in Units::gram_per_cm3
  Vector3 lengths{}, tilts{};      ///< lengths and tilts of the simulation box
  Vector3 momentum{};
  std::vector<double> motion;  ///< columns that the integrator adds to the thermo table
};

/// The state of the simulation at the end of a step.
struct Snapshot {
  Index step = 0;
  double time = 0;
  Particles& particles;  ///< velocities are those of this step; ghosts may be from an earlier one
  const Box& box;
  const Communicator& communicator;
  Index atoms = 0;                 ///< number of atoms of the system; ids are 0 to atoms - 1
  const Thermo* thermo = nullptr;  ///< set for observers with needs_thermo()
};

/// The run for which an observer is created.
struct ObserverSetup {
  Executor executor;
  Communicator communicator;
  const Units* units = nullptr;
  double time_step = 0;
  Index steps = 0;  ///< number of steps of the run
  Index atoms = 0;  ///< number of atoms in the whole system
  std::vector<std::string> type_names = {};
  std::vector<double> type_masses = {};  ///< g/mol or 1
  std::vector<Index> type_counts = {};   ///< atoms of each type in the whole system
  /// Charge of each type, used if atoms have no charges of their own.
  std::vector<double> type_charges = {};
  /// Creates pair forces that compute energies of single atoms. Throws InputError if there are
  /// forces other than pair forces.
  std::function<std::unique_ptr<FullListPairForces>()> make_single_atom_pairs = {};

  double total_mass() const {
    double mass = 0;
    for (std::size_t t = 0; t < type_masses.size(); ++t)
      mass += type_masses[t] * static_cast<double>(type_counts[t]);
    return mass;
  }
};

class Observer {
 public:
  virtual ~Observer() = default;

  /// The first step >= `step` at which the observer samples: it depends on the configuration only.
  /// A number beyond the end of the run means never.
  virtual Index next(Index step) const = 0;
  virtual bool needs_thermo() const { return false; }
  /// The distance up to which ghosts are needed. 0: no ghosts.
  virtual double reach() const { return 0; }
  /// Samples one step. Collective. Sums over atoms must be exact sums (core/exact_sum.hpp), so that
  /// estimates have the same bits at any number of ranks.
  virtual void observe(const Snapshot& snapshot) = 0;

  /// The averages so far, with standard errors (from block averages or autocorrelation).
  virtual std::vector<Estimate> estimates() const { return {}; }

  /// Writes the state, under a path of its own; restore() reads it, on any number of ranks. Files
  /// that are written during the run are made durable in save(), up to this step.
  virtual void save(DatasetWriter& writer) const = 0;
  virtual void restore(DatasetReader& reader) = 0;
  /// Called before write_results() if the run ends with a fault. write_results() must then keep the
  /// files that an earlier, unfinished run of the same name needs to continue.
  virtual void abandon() {}
  /// Writes tables to the result file. Collective.
  virtual void write_results(DatasetWriter& writer) const = 0;
  /// Digest of those results that have the same bits on every machine.
  virtual std::uint64_t digest() const = 0;
};

/// The arguments of the function that creates an observer.
struct ObserverArguments {
  std::string name;  ///< state is saved as observe/NAME, results are written as observables/NAME
  SampleSteps steps;
  const ObserverSetup& setup;  ///< outlives the observer
  Particles& particles;  ///< outlives the observer; contains no atoms yet, so columns can be added
};

/// Creates an observer. Throws InputError for impossible settings.
using MakeObserver = std::function<std::unique_ptr<Observer>(const ObserverArguments&)>;

/// The properties of the system before the run, for checks of the configuration of an observer.
struct SystemSummary {
  const std::string& observer;  ///< name of the observer
  const Box& box;
  double skin = 0;
  bool is_charged = false;  ///< whether atoms have charges
  /// The number of atoms of each type in the whole system. Collective.
  std::function<std::vector<Index>()> type_counts;
  /// Throws InputError if there are forces other than pair forces.
  std::function<void()> require_pairs_alone;
};

/// The result of reading the keys of an observer.
struct ObserverPlan {
  MakeObserver make = {};
  /// Names of the atom types that the key `types` selects, each of which must exist and have atoms.
  std::vector<std::string> types = {};
  double reach = 0;  ///< distance up to which pairs are needed, if it is known before the run
  /// Checks that need more than one key of the table. Throws ConfigError.
  std::function<void()> validate = {};
  /// Checks that need the system. Throws ConfigError or InputError. Collective.
  std::function<void(const SystemSummary&)> check = {};
};

struct ObserverKind {
  static constexpr char extends[] = "observer", module[] = "md";  // Registry::extend
  std::string_view name, doc;
  /// Describes the keys besides `kind`, `name`, `every` and `from` (gsim/config/section.hpp) and
  /// returns the plan for the values that were read.
  ObserverPlan (*describe)(Section& section) = nullptr;
  /// A whole configuration of module md with this observer, which runs within seconds.
  std::string_view example = {};

  /// The function that is missing, or null (Registry::Extension).
  const char* missing() const { return describe != nullptr ? nullptr : "describe"; }
};

}  // namespace gsim::md
