#pragma once
// What a run shall measure, as the configuration says it: [[observe]].

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/md/observers/atom_observer.hpp"
#include "src/modules/md/observers/conductivity.hpp"
#include "src/modules/md/observers/density_profile.hpp"
#include "src/modules/md/observers/mean_square_displacement.hpp"
#include "src/modules/md/observers/radial_distribution.hpp"
#include "src/modules/md/observers/thermal_conductivity.hpp"
#include "src/modules/md/observers/velocity_autocorrelation.hpp"
#include "src/modules/md/observers/viscosity.hpp"

namespace gsim::md {

enum class ObserveKind {
  radial_distribution,
  mean_square_displacement,
  velocity_autocorrelation,
  viscosity,
  conductivity,
  thermal_conductivity,
  density_profile,
  plugin
};

/// Words of a configuration, in the order of ObserveKind, without plugins'.
std::span<const std::string_view> observer_words();

/// One [[observe]]; of the parts below, that of its kind counts.
struct ObserveConfig {
  ObserveKind kind = ObserveKind::radial_distribution;
  std::string name;
  SampleSteps steps{.every = 100, .from = 0};
  RadialDistributionConfig radial_distribution;
  DisplacementConfig displacement;
  VelocityAutocorrelationConfig velocity_autocorrelation;
  GreenKuboConfig green_kubo;
  DensityProfileConfig density_profile;
  MakeAtomObserver make = {};  ///< of a plugin's
  /// Of r_max, or else the kind; of `types` and `from`, or else the table.
  SourceLocation where = {}, types_at = {}, from_at = {};
};

/// The tables [[observe]] of the configuration, of a run with these types of atoms; `more` are
/// observers of plugins. ConfigError for what cannot be, also for a name that stands twice.
void describe_observe(Section& top, const std::vector<std::string>& types,
                      std::vector<ObserveConfig>& list,
                      std::span<const AtomObserverKind* const> more = {});

/// The types that it is to look at; none: all.
const std::vector<std::string>& observed_types(const ObserveConfig& config);

/// ConfigError for what a start cannot give: pairs farther than half the box less the skin, or a
/// conductivity without charges.
void check_observers(std::span<const ObserveConfig> list, const Box& box, double skin,
                     bool is_charged);

/// How far the farthest of them looks (Observer::reach), but for those that look as far as forces.
double observed_reach(std::span<const ObserveConfig> list);

/// The observers of a run, in order. They add columns to `particles`, so they are made before it
/// holds atoms; `setup` and `particles` outlive them. InputError for types that do not exist, for
/// a conductivity without charges, and for one of heat where ThermalConductivity refuses.
std::vector<std::unique_ptr<Observer>> make_observers(std::span<const ObserveConfig> list,
                                                      const ObserverSetup& setup,
                                                      Particles& particles);

}  // namespace gsim::md
