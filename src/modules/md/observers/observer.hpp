#pragma once
// Who looks at a simulation at certain steps: tables, trajectories, correlation functions.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/engine/estimate.hpp"
#include "gsim/io/dataset.hpp"
#include "src/modules/md/integrators/motion.hpp"
#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

class FullListPairForces;
struct BondedParameters;

/// Macroscopic numbers of one step, the same on every rank.
struct Thermo {
  Index step = 0;
  double time = 0;
  double temperature = 0, kinetic = 0, potential = 0, conserved = 0;
  double pressure = 0;
  double pressure_tensor[6] = {};  ///< xx, yy, zz, xy, xz, yz
  std::vector<double> energies;    ///< by part: Snapshot::energy_names
  double volume = 0, density = 0;  ///< density: mass / volume, in Units::gram_per_cm3
  Vector3 lengths{}, tilts{};
  Vector3 momentum{};
  std::vector<double> motion;  ///< Motion::column_values()
};

/// The simulation as it is at the end of a step. Members are collective where they communicate.
struct Snapshot {
  Index step = 0;
  double time = 0;
  Particles& particles;  ///< velocities are whole; ghosts may be of an earlier step
  const Box& box;
  const Communicator& communicator;
  Index atoms = 0;                 ///< in the whole system; ids are 0 to atoms - 1
  const Thermo* thermo = nullptr;  ///< for observers that need_thermo()
};

/// What an observer knows before the run; kept by reference: it outlives observers.
struct ObserverSetup {
  Executor executor;
  Communicator communicator;
  const Units* units = nullptr;
  double time_step = 0;
  Index steps = 0;
  Index atoms = 0;
  std::vector<std::string> type_names = {};
  std::vector<double> type_masses = {};  ///< g/mol or 1
  std::vector<Index> type_counts = {};
  std::vector<double> type_charges = {};       ///< of a type, where atoms have none of their own
  std::vector<std::string> energy_names = {};  ///< parts of the potential energy
  std::vector<Index> given_ids = {};           ///< AtomSystem::given_ids
  ForceQuanta quanta = {};
  std::string output = {};  ///< result file without ".h5": what files of their own are named after
  const Topology* topology = nullptr;                 ///< where the system has one
  const BondedParameters* bonded = nullptr;           ///< of its types
  std::vector<CoefficientSection> coefficients = {};  ///< StartConfig::coefficients
  /// Makes pair forces that give the energies of single atoms; InputError where forces are not
  /// those of pairs alone.
  std::function<std::unique_ptr<FullListPairForces>()> make_single_atom_pairs = {};
  std::vector<std::string> type_elements = {};    ///< StartConfig::type_elements()
  std::vector<MotionColumn> motion_columns = {};  ///< Motion::columns()
  /// Molecules of the atoms with these indices, AtomColumns::molecule; empty where nothing is
  /// known.
  std::function<std::vector<std::int64_t>(IndexRange)> molecules = {};

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

  /// The first step >= `step` at which it looks; a fixed function of the configuration. A number
  /// beyond the run: never.
  virtual Index next(Index step) const = 0;
  virtual bool needs_thermo() const { return false; }
  /// Whether ghosts must be there, of this step, out to reach(). 0: no ghosts.
  virtual double reach() const { return 0; }
  /// Collective. Sums over atoms are exact sums (core/exact_sum.hpp), so that estimates have the
  /// same bits at any rank count.
  virtual void observe(const Snapshot& snapshot) = 0;

  /// Averages so far, each with its standard error (block averages or autocorrelation).
  virtual std::vector<Estimate> estimates() const { return {}; }

  /// All that it has seen, under a path of its own; and back, on any number of ranks. Files that it
  /// writes during the run are made durable in save(), up to this step.
  virtual void save(DatasetWriter& writer) const = 0;
  virtual void restore(DatasetReader& reader) = 0;
  /// The run ends with a fault: write_results() follows, and leaves on the disk what an earlier
  /// run of the same name that is not finished needs to go on.
  virtual void abandon() {}
  /// Tables for the result file. Collective.
  virtual void write_results(DatasetWriter& writer) const = 0;
  /// Digest of what "same bits" covers of its results.
  virtual std::uint64_t digest() const = 0;
};

}  // namespace gsim::md
