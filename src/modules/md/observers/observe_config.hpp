#pragma once
// The configuration of observers: the tables [[observe]].

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
  std::string name;  ///< name of the results
  SampleSteps steps{.every = 100, .from = 0};
  ObserverPlan plan = {};
  KeyLocations keys = {};
};

/// Describes and reads the tables [[observe]], which choose among `kinds`.
void describe_observe(Section& top, std::vector<ObserveConfig>& list,
                      std::span<const ObserverKind* const> kinds);

/// Checks the tables for a run with these types of atoms. ConfigError for impossible settings and
/// for names that are not unique.
void validate_observe(std::span<const ObserveConfig> list, const std::vector<std::string>& types);

/// The largest distance up to which observers need pairs (ObserverPlan::reach).
double observed_reach(std::span<const ObserveConfig> list);

/// The observers of a run, in the order of their tables. They add columns to `particles`, so
/// they must be made before it contains atoms; `setup` and `particles` must outlive them.
/// InputError for types that do not exist and for settings that a kind refuses.
std::vector<std::unique_ptr<Observer>> make_observers(std::span<const ObserveConfig> list,
                                                      const ObserverSetup& setup,
                                                      Particles& particles);

}  // namespace gsim::md
