#pragma once
// [[source]]: where, in which directions, with which energies and when particles start.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/transport/source_distribution.hpp"
#include "gsim/transport/source_kind.hpp"
#include "src/modules/transport/materials/material.hpp"

namespace gsim::transport {

/// The parts that sources can consist of: gsim's own and those of plugins.
struct SourceParts {
  std::vector<const SpaceKind*> spaces;
  std::vector<const AngleKind*> angles;
  std::vector<const SpectrumKind*> spectra;
  std::vector<const TimeKind*> times;
  std::vector<const SourceKind*> samplers;
};

/// One source. It consists of distributions, or is an MCPL file, or a sampler.
struct SourceConfig {
  KeyLocations keys;
  SourceLocation where;  ///< of its `space`, its `file`, or the table
  double strength = 1;
  std::shared_ptr<const SpaceDistribution> space;  ///< null: not given
  std::shared_ptr<const AngleDistribution> angle;  ///< null: isotropic
  std::shared_ptr<const EnergySpectrum> energy;    ///< null: not given
  std::shared_ptr<const TimeDistribution> time;    ///< null: at time 0
  std::vector<std::string> cells, materials;       ///< of the starting positions; empty: any
  bool only_fissile = false;
  std::string file;               ///< path of an MCPL file
  std::int32_t pdg = 2112;        ///< of a file: the particles to use (Particle Data Group)
  bool strength_of_file = false;  ///< the strength is that of the file, McplSource::strength()
  const SourceKind* sampler = nullptr;
  std::vector<double> numbers;  ///< parameters of the sampler

  // Set by validate_sources() from the distributions.
  Source source;               ///< without the indices into the lists of SourceView
  std::vector<double> groups;  ///< probability of each group
  TimeTable time_table;        ///< of SourceTime::table

  bool has_distributions() const { return file.empty() && sampler == nullptr; }
};

struct SourcesConfig {
  std::vector<SourceConfig> list;
  std::vector<std::string> notes;  ///< warnings, one line each

  double strength() const;  ///< sum over all sources, 1 or 1/s
  bool is_file() const { return !list.empty() && !list.front().file.empty(); }
};

/// Describes the tables below `top`. `groups`: the number of energy groups.
void describe_sources(Section& top, Index groups, const SourceParts& parts, SourcesConfig& config);
/// Checks the sources and integrates their spectra over the groups of `materials`. ConfigError.
void validate_sources(const MaterialSet& materials, SourcesConfig& config);

}  // namespace gsim::transport
