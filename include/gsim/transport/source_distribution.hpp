#pragma once
// Distributions of a [[source]]: of positions (space), directions (angle), energies (energy) and
// times (time). gsim's own and those of plugins are registered in the same way:
//
//   class PointSpace : public SpaceDistribution { … };
//   std::unique_ptr<SpaceDistribution> describe_point(Section& s);  // reads the keys
//   registry.extend(SpaceKind{"point", "a point", describe_point});
//
// and are selected by `kind` in a configuration: space = {kind = "point", …}.

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/transport/source.hpp"

namespace gsim {
class Section;
}

namespace gsim::transport {

/// The energy groups of a run.
struct GroupStructure {
  Index groups = 1;
  std::span<const double> bounds;  ///< groups + 1 energies, decreasing, eV; empty: not given
};

/// Probabilities of the groups, the fastest first, and the part of a spectrum outside of all
/// groups. The probabilities sum to 1 - outside.
struct GroupSpectrum {
  std::vector<double> probability;
  double outside = 0;
};

/// A tabulated density of start times (s, increasing): a value at each time, linear between them,
/// or, with one value less than times, a constant between each two of them.
struct TimeTable {
  std::vector<double> times, densities;
};

// Objects hold the keys of a distribution as they were read. Their functions are called once, after
// the whole configuration was read, and throw a ConfigError for values that do not fit together.

class SpaceDistribution {
 public:
  static constexpr const char* kind = "source space";
  virtual ~SpaceDistribution() = default;
  /// Sets the members of `source` that describe positions. The normal is 0 where there is none.
  virtual void set(Source& source) const = 0;
};

class AngleDistribution {
 public:
  static constexpr const char* kind = "source angle";
  virtual ~AngleDistribution() = default;
  /// Sets the members of `source` that describe directions; those of positions are set.
  virtual void set(Source& source) const = 0;
};

class EnergySpectrum {
 public:
  static constexpr const char* kind = "source spectrum";
  virtual ~EnergySpectrum() = default;
  /// Integrates the spectrum over the groups.
  virtual GroupSpectrum bin(const GroupStructure& groups) const = 0;
};

class TimeDistribution {
 public:
  static constexpr const char* kind = "source time";
  virtual ~TimeDistribution() = default;
  /// Sets the members of `source` that describe times, and the table of SourceTime::table.
  virtual void set(Source& source, TimeTable& table) const = 0;
};

/// The record under which a distribution is registered (Registry::extend).
template <class Distribution>
struct DistributionKind {
  static constexpr const char* extends = Distribution::kind;
  static constexpr char module[] = "transport";
  std::string_view name, doc;
  /// Describes the keys beside `kind` and returns the distribution with their values.
  std::unique_ptr<Distribution> (*describe)(Section& section) = nullptr;
  /// A complete configuration of module transport with the distribution that runs within seconds;
  /// for distributions of plugins.
  std::string_view example = {};

  const char* missing() const { return describe != nullptr ? nullptr : "describe"; }
};
using SpaceKind = DistributionKind<SpaceDistribution>;
using AngleKind = DistributionKind<AngleDistribution>;
using SpectrumKind = DistributionKind<EnergySpectrum>;
using TimeKind = DistributionKind<TimeDistribution>;

}  // namespace gsim::transport
