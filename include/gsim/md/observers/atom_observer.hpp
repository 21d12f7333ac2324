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
// Sums over atoms must be sums of integers (core/exact_sum.hpp; on a device exec/exact_reduce.hpp
// in a kernel of the plugin) and are added over ranks by Communicator::sum(). engine/blocking.hpp
// computes means and standard errors of time series.

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

/// The state at the end of a step. Views refer to the atoms of this rank, in any order, in executor
/// memory (Executor::copy_to_host copies it).
struct ObservedStep {
  Index step = 0;
  double time = 0;
  const Box& box;
  const Executor& executor;
  const Communicator& communicator;
  Index atoms = 0;  ///< number of atoms on all ranks; ids are 0 to atoms - 1
  View<const std::int64_t> ids;
  View<const FixedPosition> positions;  ///< Box::to_cartesian
  View<const std::int32_t> images;      ///< image flags, 3 for each atom
  View<const double> velocities;        ///< 3 for each atom, at the end of this step
  View<const std::int32_t> types;       ///< index into AtomObserverSetup::types
  /// Values for the whole system, the same on every rank.
  double temperature = 0, kinetic_energy = 0, potential_energy = 0, pressure = 0, volume = 0;
};

/// A type of atom.
struct ObservedType {
  std::string name;
  double mass = 0;
  Index atoms = 0;  ///< number of atoms on all ranks
};

/// The run for which an observer is created.
struct AtomObserverSetup {
  Index atoms = 0, steps = 0;  ///< number of atoms and of steps of the run
  double time_step = 0;
  double boltzmann = 1;       ///< energy per temperature
  double energy_per_mv2 = 1;  ///< converts mass velocity^2 to energy
  std::vector<ObservedType> types;
};

/// The interface of these observers.
class AtomObserver {
 public:
  virtual ~AtomObserver() = default;

  /// Samples one step. Collective. The state of the observer must be the same on every rank, or
  /// belong to atoms by their ids.
  virtual void observe(const ObservedStep& step) = 0;
  /// The averages so far, with standard errors.
  virtual std::vector<Estimate> estimates() const { return {}; }
  /// Writes the state below `path`; restore() reads it, on any number of ranks.
  virtual void save(DatasetWriter& writer, const std::string& path) const = 0;
  virtual void restore(DatasetReader& reader, const std::string& path) = 0;
  /// Writes tables to the result file, below `path`. Collective.
  virtual void write_results(DatasetWriter& writer, const std::string& path) const = 0;
  /// Digest of its results.
  virtual std::uint64_t digest() const = 0;
};

/// Creates an observer for a run. Throws InputError for impossible settings.
using MakeAtomObserver = std::function<std::unique_ptr<AtomObserver>(const AtomObserverSetup&)>;

/// Adapts `make` to ObserverPlan::make. Names of estimates get the name of the observer and a slash
/// as prefix. Error if `make` returns null.
MakeObserver atom_observer(MakeAtomObserver make);

}  // namespace gsim::md
