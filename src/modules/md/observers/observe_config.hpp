#pragma once
// The observers of a run as configured: the tables [[observe]].

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gsim/config/location.hpp"
#include "gsim/md/observers/observer.hpp"

namespace gsim {
class Section;
}

namespace gsim::md {

/// One table [[observe]].
struct ObserveConfig {
  std::string kind;  ///< ObserverKind::name
  std::string name;  ///< of the results
  SampleSteps steps{.every = 100, .from = 0};
  ObserverPlan plan = {};
  KeyLocations keys = {};
};

/// Describes and reads the tables [[observe]], which choose among `kinds`.
void describe_observe(Section& top, std::vector<ObserveConfig>& list,
                      std::span<const ObserverKind* const> kinds);

/// Checks the tables in a run with these types of atoms. ConfigError for impossible settings, and
/// for a name that is given twice.
void validate_observe(std::span<const ObserveConfig> list, const std::vector<std::string>& types);

/// The largest distance that observers count pairs to, of those that declare it before the run
/// (ObserverPlan::reach).
double observed_reach(std::span<const ObserveConfig> list);

/// The observers of a run, in the order of their tables. They add columns to `particles`, so they
/// are made before it holds atoms; `setup` and `particles` outlive them. InputError for types that
/// do not exist, and for what the kinds refuse.
std::vector<std::unique_ptr<Observer>> make_observers(std::span<const ObserveConfig> list,
                                                      const ObserverSetup& setup,
                                                      Particles& particles);

}  // namespace gsim::md
