#pragma once
// Observers of plugins: what looks at the atoms of a run at certain steps, and says what it has
// found with standard errors. A plugin registers
//
//   registry.extend(gsim::md::AtomObserverKind{"my_word", "…", describe_mine, example});
//
// and configurations choose it: [[observe]] kind = "my_word". The keys `name`, `every` and `from`
// are every observer's. Sums over atoms are sums of whole numbers (core/exact_sum.hpp, on a device
// exec/exact_reduce.hpp in a kernel of the plugin's), added over ranks by Communicator::sum();
// engine/blocking.hpp makes means with errors of series.

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

namespace gsim {
class Section;
}

namespace gsim::md {

/// A moment of the run. Views are of this rank's atoms, in any order, in the executor's memory
/// (Executor::copy_to_host brings a copy).
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

/// A kind of atom.
struct ObservedType {
  std::string name;
  double mass = 0;
  Index atoms = 0;  ///< of all ranks
};

/// What an observer knows before the run.
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

  /// Looks. Collective; what it keeps must be the same on every rank, or of atoms by their ids.
  virtual void observe(const ObservedStep& step) = 0;
  /// Averages so far, each with its standard error.
  virtual std::vector<Estimate> estimates() const { return {}; }
  /// All that it has seen, below `path`; and back, on any number of ranks.
  virtual void save(DatasetWriter& writer, const std::string& path) const = 0;
  virtual void restore(DatasetReader& reader, const std::string& path) = 0;
  /// Tables for the result file, below `path`. Collective.
  virtual void write_results(DatasetWriter& writer, const std::string& path) const = 0;
  /// Digest of its results.
  virtual std::uint64_t digest() const = 0;
};

/// Makes one for a run; InputError for what cannot be.
using MakeAtomObserver = std::function<std::unique_ptr<AtomObserver>(const AtomObserverSetup&)>;

struct AtomObserverKind {
  static constexpr char extends[] = "observer", module[] = "md";  // Registry::extend
  std::string_view name, doc;
  /// Describes the keys of its own; what makes an observer of what was read.
  MakeAtomObserver (*describe)(Section& section) = nullptr;
  /// A whole configuration of module md with it, that runs within seconds.
  std::string_view example = {};

  /// What it lacks (Registry::Extension).
  const char* missing() const { return describe != nullptr ? nullptr : "describe"; }
};

}  // namespace gsim::md
