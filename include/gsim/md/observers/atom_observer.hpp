#pragma once
// Observers that measure the atoms of a run at certain steps through views of their columns, and
// report averages with standard errors. An ObserverKind (observer.hpp) describes them by
//
//   gsim::md::ObserverPlan describe_mine(gsim::Section& section) {
//     …
//     return {.make = gsim::md::atom_observer([=](const gsim::md::AtomObserverSetup& setup) {
//               return std::make_unique<Mine>(setup, …);
//             })};
//   }
//
// Sums over atoms are sums of whole numbers (core/exact_sum.hpp, on a device exec/exact_reduce.hpp
// in a kernel of the plugin's), added over ranks by Communicator::sum(); engine/blocking.hpp makes
// means with errors of series.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/fixed_position.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/engine/estimate.hpp"
#include "gsim/exec/executor.hpp"
#include "gsim/exec/view.hpp"
#include "gsim/io/dataset.hpp"
#include "gsim/md/observers/observer.hpp"

namespace gsim::md {

/// The state at the end of a step. Views are of this rank's atoms, in any order, in the executor's
/// memory (Executor::copy_to_host brings a copy).
struct ObservedStep {
  Index step = 0;
  double time = 0;
  const Box& box;
  const Executor& executor;
  const Communicator& communicator;
  Index atoms = 0;  ///< of all ranks; ids are 0 to atoms - 1
  View<const std::int64_t> ids;
  View<const FixedPosition> positions;  ///< Box::to_cartesian
  View<const std::int32_t> images;      ///< crossings of the periodic boundaries: 3 an atom
  View<const double> velocities;        ///< 3 an atom, those of this moment
  View<const std::int32_t> types;       ///< index into AtomObserverSetup::types
  /// Of the whole system, the same on every rank.
  double temperature = 0, kinetic_energy = 0, potential_energy = 0, pressure = 0, volume = 0;
};

/// A type of atom.
struct ObservedType {
  std::string name;
  double mass = 0;
  Index atoms = 0;  ///< of all ranks
};

/// The run that an observer is made for.
struct AtomObserverSetup {
  Index atoms = 0, steps = 0;  ///< of the run
  double time_step = 0;
  double boltzmann = 1;       ///< energy per temperature
  double energy_per_mv2 = 1;  ///< mass velocity^2 times this is an energy
  std::vector<ObservedType> types;
};

class AtomObserver {
 public:
  virtual ~AtomObserver() = default;

  /// Samples one step. Collective. Its state must be the same on every rank, or belong to atoms by
  /// their ids.
  virtual void observe(const ObservedStep& step) = 0;
  /// Averages so far, each with its standard error.
  virtual std::vector<Estimate> estimates() const { return {}; }
  /// Writes the state below `path`; restore() reads it, on any number of ranks.
  virtual void save(DatasetWriter& writer, const std::string& path) const = 0;
  virtual void restore(DatasetReader& reader, const std::string& path) = 0;
  /// Writes tables to the result file, below `path`. Collective.
  virtual void write_results(DatasetWriter& writer, const std::string& path) const = 0;
  /// Digest of its results.
  virtual std::uint64_t digest() const = 0;
};

/// Makes an observer for a run. Throws InputError for what is impossible.
using MakeAtomObserver = std::function<std::unique_ptr<AtomObserver>(const AtomObserverSetup&)>;

/// The plan's function that makes an observer of what `make` makes; Error where that is null. Names
/// of its estimates are preceded by the observer's name and a slash.
MakeObserver atom_observer(MakeAtomObserver make);

}  // namespace gsim::md
