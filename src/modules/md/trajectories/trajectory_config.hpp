#pragma once
// [[trajectory]]: files of snapshots of the atoms.

#include <span>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/md/observers/observer.hpp"

namespace gsim::md {

enum class TrajectoryFormat { h5md, xyz, dump };
enum class TrajectoryPrecision { float32, float64 };

struct TrajectoryConfig {
  TrajectoryFormat format = TrajectoryFormat::h5md;
  SampleSteps steps;
  std::string file;  ///< empty: the path of the result file with the extension of the format
  std::vector<std::string> quantities = {"position", "image"};
  bool velocity = false, image = true, force = false;  ///< derived from `quantities`
  TrajectoryPrecision precision = TrajectoryPrecision::float32;
  std::vector<std::string> types;  ///< names of types; empty: all atoms
  bool thermo = false;             ///< H5MD: temperature, energies and pressure of each frame
  std::string author = "unknown";  ///< H5MD: name of the author
  KeyLocations keys = {};

  /// Path of the file, for a run whose results are OUTPUT.h5.
  std::string path(const std::string& output) const;
};

/// Describes, and while reading fills, all tables [[trajectory]].
void describe_trajectories(Section& top, std::vector<TrajectoryConfig>& list);

/// Checks the tables for a run with these types of atoms. ConfigError for impossible settings, and
/// for two trajectories that write the same file.
void validate_trajectories(std::span<const TrajectoryConfig> list,
                           const std::vector<std::string>& types);

}  // namespace gsim::md
