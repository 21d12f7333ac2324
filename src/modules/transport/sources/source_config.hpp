#pragma once
// [[source]]: where particles start.

#include <span>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/transport/source_kind.hpp"
#include "kernels/transport/sources/sources.hpp"
#include "src/modules/transport/materials/material.hpp"

namespace gsim::transport {

/// A distribution of start times, given at rising times: a density at each (linear between them),
/// or, with one value less than times, between each two of them.
struct TimeTable {
  std::vector<double> times, densities;
};

struct SourceConfig {
  SourceLocation where;  ///< its `space`, file or table
  double strength = 1;
  Source source;                              ///< without its indices
  std::vector<double> groups;                 ///< probability of each group
  TimeTable time_table;                       ///< of SourceTime::table
  std::vector<std::string> cells, materials;  ///< that it is restricted to; empty: not
  bool only_fissile = false;
  std::string file;                     ///< path of an MCPL file, in place of all of the above
  bool strength_of_file = false;        ///< in place of strength
  const SourceKind* sampler = nullptr;  ///< of a plugin, in place of all of the above
  std::vector<double> numbers;          ///< that it reads
  std::int32_t pdg = 2112;  ///< of a file: which particles to take (Particle Data Group)
};

struct SourcesConfig {
  std::vector<SourceConfig> list;
  std::vector<std::string> notes;  ///< for the user, a line each

  double strength() const;  ///< of all together
  bool is_file() const { return !list.empty() && !list.front().file.empty(); }
};

/// Reads the tables below `top`; spectra are binned to the groups of `materials`; `samplers` are
/// sources of plugins. ConfigError where they are not sound. That there is a source at all is the
/// caller's to ask.
void describe_sources(Section& top, const MaterialSet& materials, SourcesConfig& config,
                      std::span<const SourceKind* const> samplers = {});

}  // namespace gsim::transport
